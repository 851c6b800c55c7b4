// Runs a fuzz target (LLVMFuzzerTestOneInput) where libFuzzer is missing: first every file of the
// corpus folder, then mutations of them for a bounded time. The same seed makes the same inputs in
// the same order. With a file instead of a folder it runs just that input, to reproduce a crash.
//
//   checkpoint_fuzz tests/fuzz/corpus/checkpoint_fuzz
//   TIMBRE_FUZZ_SECONDS=600 TIMBRE_FUZZ_SEED=7 checkpoint_fuzz tests/fuzz/corpus/checkpoint_fuzz
//
// An input that crashes, or runs for more than 20 seconds, is written to fuzz-failure.bin in the
// working folder.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// Of the address sanitizer, when it is linked.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr unsigned kMaxInputSeconds = 20;
constexpr std::size_t kMaxInputBytes = 1 << 16;
constexpr double kDefaultSeconds = 5;
constexpr std::uint64_t kDefaultSeed = 20240229;

const std::uint8_t* g_data = nullptr;  // the running input, for the handlers below
std::size_t g_size = 0;

// Only calls that a signal handler may make.
void SaveInput() {
  const int file = open("fuzz-failure.bin", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  if (write(file, g_data, g_size) == static_cast<ssize_t>(g_size)) {
    constexpr char kNote[] = "fuzz: the input was written to fuzz-failure.bin\n";
    if (write(STDERR_FILENO, kNote, sizeof(kNote) - 1) < 0) _exit(1);
  }
  close(file);
}

void OnSignal(int signal) {
  SaveInput();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void Run(const Bytes& input) {
  g_data = input.data();
  g_size = input.size();
  alarm(kMaxInputSeconds);
  LLVMFuzzerTestOneInput(input.data(), input.size());
  alarm(0);
}

Bytes ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class Mutator {
 public:
  Mutator(const std::vector<Bytes>& corpus, std::uint64_t seed) : corpus_(corpus), random_(seed) {}

  Bytes Next() {
    Bytes input = corpus_[Below(corpus_.size())];
    for (std::size_t count = 1 + Below(6); count > 0; --count) Mutate(input);
    if (input.size() > kMaxInputBytes) input.resize(kMaxInputBytes);
    return input;
  }

 private:
  std::size_t Below(std::size_t end) { return end ? random_() % end : 0; }

  void Mutate(Bytes& input) {
    if (input.empty()) {
      input.push_back(static_cast<std::uint8_t>(random_()));
      return;
    }
    const std::size_t at = Below(input.size());
    const std::size_t length = 1 + Below(std::min<std::size_t>(input.size() - at, 64));
    const auto begin = input.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = begin + static_cast<std::ptrdiff_t>(length);
    switch (Below(9)) {
      case 0:
        input[at] ^= static_cast<std::uint8_t>(1u << Below(8));
        break;
      case 1:
        input[at] = static_cast<std::uint8_t>(random_());
        break;
      case 2:
        input.resize(at);
        break;
      case 3:
        input.erase(begin, end);
        break;
      case 4: {  // repeat a part somewhere else
        const Bytes part(begin, end);
        const auto to = input.begin() + static_cast<std::ptrdiff_t>(Below(input.size() + 1));
        input.insert(to, part.begin(), part.end());
        break;
      }
      case 5: {  // the end of another file
        const Bytes& other = corpus_[Below(corpus_.size())];
        input.resize(at);
        input.insert(input.end(),
                     other.begin() + static_cast<std::ptrdiff_t>(Below(other.size() + 1)),
                     other.end());
        break;
      }
      case 6: {  // a part of another file over this one
        const Bytes& other = corpus_[Below(corpus_.size())];
        const std::size_t from = Below(other.size());
        const std::size_t count = std::min(length, other.size() - from);
        std::copy_n(other.begin() + static_cast<std::ptrdiff_t>(from), count, begin);
        break;
      }
      default:
        WriteInteger(input, at);
        break;
    }
  }

  // Numbers at which sizes and offsets go wrong, in both byte orders and all widths.
  void WriteInteger(Bytes& input, std::size_t at) {
    constexpr std::uint64_t kNumbers[] = {
        0,          1,          2,          0x7f,       0x80,       0xff,       0x7fff,
        0x8000,     0xffff,     0x10000,    0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
        1ull << 40, ~0ull >> 1, 1ull << 63, ~0ull - 1,  ~0ull};
    std::uint64_t number = kNumbers[Below(std::size(kNumbers))];
    if (Below(4) == 0) number = input.size() + Below(5) - 2;
    std::uint8_t bytes[8];
    std::memcpy(bytes, &number, sizeof(bytes));
    const std::size_t width = std::size_t{1} << Below(4);
    if (Below(4) == 0) std::reverse(bytes, bytes + width);
    std::copy_n(bytes, std::min(width, input.size() - at),
                input.begin() + static_cast<std::ptrdiff_t>(at));
  }

  const std::vector<Bytes>& corpus_;
  std::mt19937_64 random_;
};

double FromEnvironment(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atof(text) : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s CORPUS_FOLDER | INPUT_FILE\n", argv[0]);
    return 2;
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM})
    std::signal(signal, OnSignal);
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(SaveInput);

  if (std::filesystem::is_regular_file(argv[1])) {
    Run(ReadFile(argv[1]));
    return 0;
  }
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<Bytes> corpus;
  for (const auto& path : paths) Run(corpus.emplace_back(ReadFile(path)));
  if (corpus.empty()) {
    std::fprintf(stderr, "%s holds no inputs\n", argv[1]);
    return 2;
  }

  const auto seed = static_cast<std::uint64_t>(
      FromEnvironment("TIMBRE_FUZZ_SEED", static_cast<double>(kDefaultSeed)));
  const double seconds = FromEnvironment("TIMBRE_FUZZ_SECONDS", kDefaultSeconds);
  Mutator mutator(corpus, seed);
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::uint64_t runs = 0;
  for (; elapsed() < seconds; ++runs) Run(mutator.Next());
  std::printf("%zu corpus files and %llu mutations in %.1f s, seed %llu\n", corpus.size(),
              static_cast<unsigned long long>(runs), elapsed(),
              static_cast<unsigned long long>(seed));
  return 0;
}
