#include "nn/pickle.h"

#include <gtest/gtest.h>

#include "tests/support/checkpoint_writer.h"

namespace timbre::nn {
namespace {

using testing::PickleWriter;
using testing::ToBytes;
using Kind = PickleValue::Kind;

Result<PickleRead> Read(std::string_view pickle, PickleTree& tree,
                        const PickleLimits& limits = {}) {
  return ReadPickle(ToBytes(pickle), 0, limits, tree);
}

std::string Reason(std::string_view pickle, const PickleLimits& limits = {}) {
  PickleTree tree;
  const auto read = Read(pickle, tree, limits);
  return read ? "read" : read.error().reason;
}

TEST(Pickle, BuildsPlainValues) {
  PickleTree tree;
  const auto read = Read(PickleWriter()
                             .Mark()
                             .String("step")
                             .Int(-7)
                             .String("list")
                             .Mark()
                             .Float(0.5)
                             .None()
                             .Raw("\x88")
                             .List()
                             .String("ordered")
                             .Global("collections", "OrderedDict")
                             .Raw(")")
                             .Call()
                             .Mark()
                             .String("in")
                             .Integers({1, 2})
                             .Raw("u")
                             .Dict()
                             .Finish(),
                         tree);
  ASSERT_TRUE(read) << read.error().message;
  const PickleValue& root = *read->value;
  EXPECT_EQ(root.Find("step")->AsInt(), -7);
  const PickleValue& list = *root.Find("list");
  ASSERT_EQ(list.items.size(), 3u);
  EXPECT_EQ(list.items[0]->AsNumber(), 0.5);
  EXPECT_EQ(list.items[1]->kind, Kind::kNone);
  EXPECT_EQ(list.items[2]->AsInt(), 1);
  EXPECT_EQ(root.At({"ordered", "in"})->items[1]->AsInt(), 2);
  EXPECT_EQ(root.At({"ordered", "in", "deeper"}), nullptr);
  EXPECT_EQ(root.Find("missing"), nullptr);
}

TEST(Pickle, NumbersOfEveryWidth) {
  const auto number = [](const std::string& bytes) {
    PickleTree tree;
    const auto read = Read("\x80\x02" + bytes + ".", tree);
    return read ? read->value->AsNumber() : std::nullopt;
  };
  EXPECT_EQ(number("K\xff"), 255);
  EXPECT_EQ(number(std::string("M\x00\x80", 3)), 32768);
  EXPECT_EQ(number("J\xfe\xff\xff\xff"), -2);
  EXPECT_EQ(number(std::string("\x8a\x00", 2)), 0);
  EXPECT_EQ(number("\x8a\x01\x80"), -128);
  EXPECT_EQ(number(std::string("\x8a\x02\x80\x00", 4)), 128);
  EXPECT_EQ(number("I-12\n"), -12);
  EXPECT_EQ(number("L123L\n"), 123);
  EXPECT_EQ(number("I01\n"), 1);
  EXPECT_EQ(number("F2.5\n"), 2.5);
  EXPECT_EQ(number("I12x\n"), std::nullopt);
}

TEST(Pickle, OldConfigurationObjectsAreAttributeBags) {
  PickleTree tree;
  const auto read = Read(PickleWriter()
                             .Global("utils.hparams", "HParams")
                             .Raw(")\x81")
                             .Mark()
                             .String("rate")
                             .Int(16000)
                             .Dict()
                             .Raw("b")
                             .Finish(),
                         tree);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->value->kind, Kind::kObject);
  EXPECT_EQ(read->value->Find("rate")->AsInt(), 16000);
}

TEST(Pickle, NumpyNumbers) {
  PickleTree tree;
  PickleWriter writer;
  writer.Global("numpy.core.multiarray", "scalar").Mark();
  writer.Global("numpy", "dtype").Mark().String("f8").Raw("\x89\x88").Tuple().Call();
  writer.Mark().Int(3).String("<").None().None().None().Int(-1).Int(-1).Int(0).Tuple().Raw("b");
  // 1.5 as protocol 2 writes bytes: text in latin-1, here with two-byte characters.
  writer.Global("_codecs", "encode").Mark().String(std::string("\0\0\0\0\0\0\xc3\xb8?", 9));
  writer.String("latin1").Tuple().Call();
  const auto read = Read(writer.Tuple().Call().Finish(), tree);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->value->AsNumber(), 1.5);
}

TEST(Pickle, RefusesForbiddenNames) {
  for (const auto& [module, name] : {std::pair{"os", "system"},
                                     {"posix", "system"},
                                     {"builtins", "eval"},
                                     {"__builtin__", "exec"},
                                     {"subprocess", "Popen"},
                                     {"torch", "load"},
                                     {"torch.storage", "_load_from_bytes"},
                                     {"collections", "OrderedDict.__reduce__"},
                                     {"torch._utils", "_rebuild_tensor_v2\rx"},
                                     {"", ""}}) {
    PickleTree tree;
    const auto read = Read(testing::HostilePickle(module, name, "true"), tree);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().reason, "pickle_forbidden_global");
  }
  // However it is spelled, and though it is never called.
  EXPECT_EQ(Reason("cos\nsystem\n."), "pickle_forbidden_global");
  EXPECT_EQ(Reason("(S'true'\nios\nsystem\n."), "pickle_forbidden_global");
  EXPECT_EQ(Reason("\x80\x04\x8c\x02os\x8c\x06system\x93."), "pickle_forbidden_global");
  EXPECT_EQ(Reason("\x80\x02\x82\x01."), "pickle_unsupported");  // a registered extension
}

TEST(Pickle, RefusesToCallValues) {
  // Storing a function's name as text does not make it one; neither does an attribute.
  EXPECT_EQ(Reason(PickleWriter().String("os.system").Integers({}).Call().Finish()),
            "pickle_corrupt");
  EXPECT_EQ(Reason(PickleWriter().Global("torch", "FloatStorage").Integers({1}).Call().Finish()),
            "pickle_corrupt");
}

TEST(Pickle, StaysWithinItsLimits) {
  const PickleLimits limits{.max_values = 1000, .max_string_bytes = 100, .max_memo = 50};
  EXPECT_EQ(Reason(PickleWriter().Raw(std::string(2000, 'N')).Finish(), limits),
            "pickle_too_large");
  EXPECT_EQ(Reason(PickleWriter().Raw(std::string(2000, '(')).Finish(), limits),
            "pickle_too_large");
  EXPECT_EQ(Reason(PickleWriter().String(std::string(101, 'x')).Finish(), limits),
            "pickle_too_large");
  // A length of 2^63 in nine bytes.
  EXPECT_EQ(Reason(std::string("\x80\x04\x8e\0\0\0\0\0\0\0\x80", 11), limits), "pickle_too_large");
  EXPECT_EQ(Reason(std::string("\x80\x02X\xff\xff\xff\xff", 7)), "pickle_too_large");
  std::string memo = "N";
  for (int i = 0; i < 100; ++i) memo += "\x94";
  EXPECT_EQ(Reason(PickleWriter().Raw(memo).Finish(), limits), "pickle_too_large");
  // The largest memo index costs no memory.
  EXPECT_EQ(Reason(PickleWriter().None().Raw("r\xff\xff\xff\xff").Finish(), limits), "read");
  // Copying a list again and again: each call is a few bytes.
  PickleWriter copies;
  copies.Mark();
  for (int i = 0; i < 100; ++i) copies.None();
  copies.List().Raw(std::string("q\0", 2)).Mark();
  for (int i = 0; i < 50; ++i)
    copies.Global("builtins", "set").Raw(std::string("h\0\x85", 3)).Call();
  EXPECT_EQ(Reason(copies.Tuple().Raw("\x86").Finish(), limits), "pickle_too_large");
}

TEST(Pickle, RefusesBrokenPrograms) {
  for (const char* program :
       {"",  "a", "t",     "u",    "0",    "(a",  "]a",  "N(N",  "(NR",    "NNR",
        "Q", "b", "h\x05", "\x85", "g5\n", "NNs", "](u", "}(Nu", "N)\x81", "NN"})
    EXPECT_EQ(Reason(PickleWriter().Raw(program).Finish()), "pickle_corrupt") << program;
  EXPECT_EQ(Reason("\x80\x09N."), "pickle_corrupt");
  EXPECT_EQ(Reason(PickleWriter().Raw("\xfe").Finish()), "pickle_unsupported");
}

TEST(Pickle, MayContainItself) {
  PickleTree tree;
  const auto read = Read(PickleWriter().Raw(std::string("]q\0h\0a", 6)).Finish(), tree);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->value->items[0], read->value);
}

}  // namespace
}  // namespace timbre::nn
