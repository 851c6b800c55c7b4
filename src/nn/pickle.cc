#include "nn/pickle.h"

#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/byte_cursor.h"
#include "nn/pickle_globals.h"

namespace timbre::nn {
namespace {

using Kind = PickleValue::Kind;
constexpr std::size_t kHighestProtocol = 5;

std::unexpected<Error> Corrupt(std::string_view what) {
  return Fail(ErrorCode::kCorrupt, "pickle_corrupt", "the pickle is damaged: {}", what);
}
std::unexpected<Error> Truncated() {
  return Fail(ErrorCode::kCorrupt, "pickle_truncated", "the pickle is cut off");
}
std::unexpected<Error> TooLarge(std::string_view what) {
  return Fail(ErrorCode::kTooLarge, "pickle_too_large", "the pickle has too many or too large {}",
              what);
}

std::string_view Text(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// One run of the stack machine.
class Machine {
 public:
  Machine(std::span<const std::uint8_t> bytes, std::size_t position, const PickleLimits& limits,
          PickleTree& tree)
      : bytes_(bytes), cursor_(bytes, position), limits_(limits), tree_(tree) {}

  Result<PickleRead> Run() {
    for (;;) {
      const auto opcode = cursor_.Number<std::uint8_t>();
      if (!opcode) return Truncated();
      if (*opcode == '.') break;
      TIMBRE_TRY(Step(*opcode));
      if (work_ > limits_.max_values) return TooLarge("values");
    }
    if (stack_.size() != 1 || !marks_.empty()) return Corrupt("it does not end with one value");
    return PickleRead{stack_.back(), cursor_.position()};
  }

 private:
  Result<void> Step(std::uint8_t opcode) {
    switch (opcode) {
      case 0x80: {  // PROTO
        const auto version = cursor_.Number<std::uint8_t>();
        if (!version) return Truncated();
        if (*version > kHighestProtocol) return Corrupt("its protocol is unknown");
        return {};
      }
      case 0x95:
        return cursor_.Take(8) ? Result<void>() : Truncated();  // FRAME
      case '(':
        marks_.push_back(stack_.size());
        return Charge(1);
      case '0':
        return Drop();  // POP
      case '1':
        return PopMark() ? Result<void>() : Unmarked();  // POP_MARK
      case '2':                                          // DUP
        if (!Has(1)) return Underflow();
        return PushShared(stack_.back());
      case 'N':
        return Push(Kind::kNone);
      case 0x88:
        return PushInteger(Kind::kBool, 1);
      case 0x89:
        return PushInteger(Kind::kBool, 0);
      case 'J':
        return PushNumber<std::int32_t>();
      case 'K':
        return PushNumber<std::uint8_t>();
      case 'M':
        return PushNumber<std::uint16_t>();
      case 0x8a:
        return PushLong(cursor_.Number<std::uint8_t>());
      case 0x8b:
        return PushLong(cursor_.Number<std::uint32_t>());
      case 'G':
        return PushDouble();
      case 'X':
        return PushText(Kind::kString, cursor_.Number<std::uint32_t>());
      case 0x8c:
        return PushText(Kind::kString, cursor_.Number<std::uint8_t>());
      case 0x8d:
        return PushText(Kind::kString, cursor_.Number<std::uint64_t>());
      case 'T':
        return PushText(Kind::kString, cursor_.Number<std::uint32_t>());
      case 'U':
        return PushText(Kind::kString, cursor_.Number<std::uint8_t>());
      case 'B':
        return PushText(Kind::kBytes, cursor_.Number<std::uint32_t>());
      case 'C':
        return PushText(Kind::kBytes, cursor_.Number<std::uint8_t>());
      case 0x8e:
        return PushText(Kind::kBytes, cursor_.Number<std::uint64_t>());
      case 0x96:
        return PushText(Kind::kBytes, cursor_.Number<std::uint64_t>());
      case 'I':
      case 'L':
      case 'F':
      case 'S':
      case 'V':
        return PushLine(opcode);
      case '}':
        return Push(Kind::kDict);
      case ']':
      case 0x8f:
        return Push(Kind::kList);  // EMPTY_LIST, EMPTY_SET
      case ')':
        return Push(Kind::kTuple);
      case 't':
        return Collect(Kind::kTuple);
      case 'l':
      case 0x91:
        return Collect(Kind::kList);  // LIST, FROZENSET
      case 'd':
        return Collect(Kind::kDict);
      case 0x85:
        return Tuple(1);
      case 0x86:
        return Tuple(2);
      case 0x87:
        return Tuple(3);
      case 'a':
        return Append(1);
      case 'e':
      case 0x90:
        return AppendMarked(Kind::kList);  // APPENDS, ADDITEMS
      case 's':
        return Append(2);
      case 'u':
        return AppendMarked(Kind::kDict);
      case 'p':
      case 'q':
      case 'r':
        return Put(opcode);
      case 0x94:
        return Remember(memo_.size());  // MEMOIZE
      case 'g':
      case 'h':
      case 'j':
        return Get(opcode);
      case 'c':
      case 'i':
        return GlobalLines(opcode);
      case 0x93:
        return StackGlobal();
      case 'R':
      case 0x81:
        return Call();  // REDUCE, NEWOBJ
      case 0x92:
        return CallWithKeywords();
      case 'b':
        return Build();
      case 'Q':
        return Storage();
      default:
        return Fail(ErrorCode::kUnsupported, "pickle_unsupported",
                    "the pickle uses instruction 0x{:02x}, which no weight file needs; refused",
                    opcode);
    }
  }

  // Every value built and every pointer copied counts, so that a small file cannot grow large.
  Result<void> Charge(std::size_t count) {
    work_ += count;
    if (work_ > limits_.max_values) return TooLarge("values");
    return {};
  }

  // Values above the innermost mark belong to the instruction that consumes the mark; nothing
  // else may reach below it.
  bool Has(std::size_t count) const {
    return stack_.size() - (marks_.empty() ? 0 : marks_.back()) >= count;
  }
  std::unexpected<Error> Underflow() const { return Corrupt("an instruction lacks its values"); }
  std::unexpected<Error> Unmarked() const { return Corrupt("an instruction lacks its mark"); }

  Result<void> Drop() {
    if (Has(1)) {
      stack_.pop_back();
    } else if (!marks_.empty()) {
      marks_.pop_back();  // as CPython: POP of a mark
    } else {
      return Underflow();
    }
    return {};
  }

  const PickleValue* Pop() {
    const PickleValue* value = stack_.back();
    stack_.pop_back();
    return value;
  }

  std::optional<std::vector<const PickleValue*>> PopMark() {
    if (marks_.empty()) return std::nullopt;
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<const PickleValue*> items(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return items;
  }

  Result<void> PushShared(const PickleValue* value) {
    stack_.push_back(value);
    return Charge(1);
  }
  Result<void> Push(Kind kind) { return PushShared(tree_.Add(kind)); }
  Result<void> PushInteger(Kind kind, std::int64_t integer) {
    PickleValue* value = tree_.Add(kind);
    value->integer = integer;
    return PushShared(value);
  }
  template <typename T>
  Result<void> PushNumber() {
    const auto number = cursor_.Number<T>();
    if (!number) return Truncated();
    return PushInteger(Kind::kInt, *number);
  }
  Result<void> PushDouble() {
    const auto bits = cursor_.Number<std::uint64_t>();  // big-endian
    if (!bits) return Truncated();
    PickleValue* value = tree_.Add(Kind::kFloat);
    value->number = std::bit_cast<double>(std::byteswap(*bits));
    return PushShared(value);
  }
  // Two's complement of any length.
  Result<void> PushLong(std::optional<std::uint32_t> size) {
    const auto bytes = size ? cursor_.Take(*size) : std::nullopt;
    if (!bytes) return Truncated();
    if (bytes->size() > sizeof(std::int64_t)) {
      if (bytes->size() > limits_.max_string_bytes) return TooLarge("numbers");
      PickleValue* value = tree_.Add(Kind::kBigInt);
      value->text = Text(*bytes);
      return PushShared(value);
    }
    const bool negative = !bytes->empty() && (bytes->back() & 0x80);
    std::uint64_t number = negative ? ~std::uint64_t{0} : 0;
    for (std::size_t i = bytes->size(); i-- > 0;) number = (number << 8) | (*bytes)[i];
    return PushInteger(Kind::kInt, static_cast<std::int64_t>(number));
  }
  template <typename T>
  Result<void> PushText(Kind kind, std::optional<T> size) {
    if (!size) return Truncated();
    if (*size > limits_.max_string_bytes) return TooLarge("strings");
    const auto bytes = cursor_.Take(*size);
    if (!bytes) return Truncated();
    PickleValue* value = tree_.Add(kind);
    value->text = Text(*bytes);
    return PushShared(value);
  }

  // The rest of a line, as protocol 0 writes its arguments.
  std::optional<std::string_view> Line() {
    const auto rest = bytes_.subspan(cursor_.position());
    const std::string_view text = Text(rest);
    const std::size_t end = text.find('\n');
    if (end == text.npos) return std::nullopt;
    cursor_.Take(end + 1);
    return text.substr(0, end);
  }

  Result<void> PushLine(std::uint8_t opcode) {
    auto line = Line();
    if (!line) return Truncated();
    if (line->size() > limits_.max_string_bytes) return TooLarge("strings");
    if (opcode == 'S' || opcode == 'V') {
      // Escapes stay as they are: no weight file has names that need them.
      if (opcode == 'S') {
        if (line->size() < 2 || line->front() != line->back()) return Corrupt("a string is broken");
        line = line->substr(1, line->size() - 2);
      }
      PickleValue* value = tree_.Add(Kind::kString);
      value->text = *line;
      return PushShared(value);
    }
    if (opcode == 'I' && (*line == "00" || *line == "01"))
      return PushInteger(Kind::kBool, *line == "01");
    if (opcode == 'L' && line->ends_with('L')) line->remove_suffix(1);
    const char* end = line->data() + line->size();
    if (opcode == 'F') {
      PickleValue* value = tree_.Add(Kind::kFloat);
      if (std::from_chars(line->data(), end, value->number).ptr != end)
        return Corrupt("a number is broken");
      return PushShared(value);
    }
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(line->data(), end, number);
    if (stop != end || error != std::errc()) return Corrupt("a number is broken");
    return PushInteger(Kind::kInt, number);
  }

  Result<void> Collect(Kind kind) {
    auto items = PopMark();
    if (!items) return Unmarked();
    if (kind == Kind::kDict && items->size() % 2 != 0) return Corrupt("a key lacks its value");
    PickleValue* value = tree_.Add(kind);
    value->items = *std::move(items);
    return PushShared(value);
  }

  Result<void> Tuple(std::size_t count) {
    if (!Has(count)) return Underflow();
    PickleValue* value = tree_.Add(Kind::kTuple);
    value->items.assign(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    return PushShared(value);
  }

  // The container on top of the stack, if it is one that takes such items. Only values of this
  // very pickle are ever changed.
  Result<PickleValue*> Container(Kind kind) {
    if (!Has(1)) return Underflow();
    auto* container = const_cast<PickleValue*>(stack_.back());
    const bool fits =
        container->kind == kind || (kind == Kind::kDict && container->kind == Kind::kObject);
    if (!fits) return Corrupt("an item is added to something that takes none");
    return container;
  }

  Result<void> Append(std::size_t count) {
    if (!Has(count + 1)) return Underflow();
    const std::vector<const PickleValue*> items(stack_.end() - static_cast<std::ptrdiff_t>(count),
                                                stack_.end());
    stack_.resize(stack_.size() - count);
    TIMBRE_ASSIGN(PickleValue * container, Container(count == 1 ? Kind::kList : Kind::kDict));
    container->items.insert(container->items.end(), items.begin(), items.end());
    return Charge(count);
  }

  Result<void> AppendMarked(Kind kind) {
    const auto items = PopMark();
    if (!items) return Unmarked();
    if (kind == Kind::kDict && items->size() % 2 != 0) return Corrupt("a key lacks its value");
    TIMBRE_ASSIGN(PickleValue * container, Container(kind));
    container->items.insert(container->items.end(), items->begin(), items->end());
    return Charge(items->size());
  }

  Result<std::uint64_t> MemoIndex(std::uint8_t opcode, std::uint8_t short_opcode,
                                  std::uint8_t long_opcode) {
    std::optional<std::uint64_t> index;
    if (opcode == short_opcode) {
      index = cursor_.Number<std::uint8_t>();
    } else if (opcode == long_opcode) {
      index = cursor_.Number<std::uint32_t>();
    } else {
      const auto line = Line();
      if (!line) return Truncated();
      std::uint64_t number = 0;
      const char* end = line->data() + line->size();
      const auto [stop, error] = std::from_chars(line->data(), end, number);
      if (stop != end || error != std::errc()) return Corrupt("a number is broken");
      index = number;
    }
    if (!index) return Truncated();
    return *index;
  }
  Result<void> Remember(std::uint64_t index) {
    if (!Has(1)) return Underflow();
    memo_[index] = stack_.back();
    if (memo_.size() > limits_.max_memo) return TooLarge("memo entries");
    return {};
  }
  Result<void> Put(std::uint8_t opcode) {
    TIMBRE_ASSIGN(const std::uint64_t index, MemoIndex(opcode, 'q', 'r'));
    return Remember(index);
  }
  Result<void> Get(std::uint8_t opcode) {
    TIMBRE_ASSIGN(const std::uint64_t index, MemoIndex(opcode, 'h', 'j'));
    const auto found = memo_.find(index);
    if (found == memo_.end()) return Corrupt("it refers to a value that it never stored");
    return PushShared(found->second);
  }

  // The gate: a name that is not in the list ends the reading here, before any use of it.
  Result<void> PushGlobal(std::string_view module, std::string_view name) {
    const auto row = FindPickleGlobal(module, name);
    if (!row)
      return Fail(ErrorCode::kCorrupt, "pickle_forbidden_global",
                  "the file wants to run {}.{}; refused, nothing of it was run",
                  PrintableName(module), PrintableName(name));
    PickleValue* value = tree_.Add(Kind::kGlobal);
    value->integer = *row;
    value->text = std::string(module) + "." + std::string(name);
    return PushShared(value);
  }
  Result<void> GlobalLines(std::uint8_t opcode) {
    const auto module = Line();
    const auto name = module ? Line() : std::nullopt;
    if (!name) return Truncated();
    TIMBRE_TRY(PushGlobal(*module, *name));
    if (opcode == 'i')
      return Fail(ErrorCode::kUnsupported, "pickle_unsupported",
                  "the pickle makes an object in a way that no weight file needs; refused");
    return {};
  }
  Result<void> StackGlobal() {
    if (!Has(2)) return Underflow();
    const PickleValue* name = Pop();
    const PickleValue* module = Pop();
    if (name->kind != Kind::kString || module->kind != Kind::kString)
      return Corrupt("a name is no string");
    return PushGlobal(module->text, name->text);
  }

  Result<void> Call() {
    if (!Has(2)) return Underflow();
    const PickleValue* arguments = Pop();
    const PickleValue* global = Pop();
    if (global->kind != Kind::kGlobal || arguments->kind != Kind::kTuple)
      return Corrupt("it calls something that is no function");
    for (const PickleValue* argument : arguments->items)
      TIMBRE_TRY(Charge(argument->items.size() + argument->text.size() / sizeof(PickleValue)));
    TIMBRE_ASSIGN(const PickleValue* value, CallPickleGlobal(*global, *arguments, tree_));
    return PushShared(value);
  }
  Result<void> CallWithKeywords() {  // NEWOBJ_EX: only with no keywords
    if (!Has(3)) return Underflow();
    const PickleValue* keywords = Pop();
    if (keywords->kind != Kind::kDict || !keywords->items.empty())
      return Corrupt("it makes an object with arguments");
    return Call();
  }

  // Sets the attributes of the value below the state. Dictionaries and tensors may carry some
  // that nobody needs.
  Result<void> Build() {
    if (!Has(2)) return Underflow();
    const PickleValue* state = Pop();
    auto* target = const_cast<PickleValue*>(stack_.back());
    if (target->kind == Kind::kDict || target->kind == Kind::kTensor) return {};
    if (target->kind != Kind::kObject) return Corrupt("it sets attributes of a plain value");
    if (state->kind != Kind::kDict) return {};
    target->items.insert(target->items.end(), state->items.begin(), state->items.end());
    return Charge(state->items.size());
  }

  Result<void> Storage() {
    if (!Has(1)) return Underflow();
    TIMBRE_ASSIGN(const PickleValue* storage, MakePickleStorage(*Pop(), tree_));
    return PushShared(storage);
  }

  std::span<const std::uint8_t> bytes_;
  ByteCursor cursor_;
  const PickleLimits& limits_;
  PickleTree& tree_;
  std::vector<const PickleValue*> stack_;
  std::vector<std::size_t> marks_;  // stack sizes
  std::unordered_map<std::uint64_t, const PickleValue*> memo_;
  std::size_t work_ = 0;
};

}  // namespace

Result<PickleRead> ReadPickle(std::span<const std::uint8_t> bytes, std::size_t position,
                              const PickleLimits& limits, PickleTree& tree) {
  return Machine(bytes, position, limits, tree).Run();
}

}  // namespace timbre::nn
