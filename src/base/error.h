// What the outside can cause comes back as a value: Result<T> is std::expected<T, Error>.
// Our own mistakes are CHECKs (base/check.h).
#pragma once

#include <expected>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace timbre {

// One table maps these to HTTP statuses and exit codes (server, apps).
enum class ErrorCode {
  kInvalidArgument,  // the request or file content is not usable
  kNotFound,         // no such file, voice or model
  kUnsupported,      // a known thing that we do not read (format, model version)
  kTooLarge,         // beyond a stated limit
  kCorrupt,          // damaged or hostile bytes
  kUnavailable,      // overloaded or not ready
  kDeadlineExceeded,
  kCancelled,
  kInternal,
};

// "invalid_argument", "not_found", ...
const char* ErrorCodeName(ErrorCode code);

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string reason;   // stable, for programs: "audio_too_short", "no_speakable_text"
  std::string message;  // one plain sentence for people
};

template <typename T>
using Result = std::expected<T, Error>;

// return Fail(ErrorCode::kCorrupt, "pickle_forbidden_global", "…names {}", name);
template <typename... Args>
std::unexpected<Error> Fail(ErrorCode code, std::string reason, fmt::format_string<Args...> format,
                            Args&&... args) {
  return std::unexpected(
      Error{code, std::move(reason), fmt::format(format, std::forward<Args>(args)...)});
}

}  // namespace timbre

// Returns the error of `expression` (a Result) from the enclosing function, or goes on.
#define TIMBRE_TRY(expression)                                \
  do {                                                        \
    if (auto timbre_try_ = (expression); !timbre_try_)        \
      return std::unexpected(std::move(timbre_try_).error()); \
  } while (false)

// TIMBRE_ASSIGN(auto wave, ReadWaveform(path)); declares the value or returns the error.
#define TIMBRE_ASSIGN(declaration, expression) \
  TIMBRE_ASSIGN_(TIMBRE_CONCAT_(timbre_result_, __LINE__), declaration, expression)
#define TIMBRE_ASSIGN_(result, declaration, expression)           \
  auto result = (expression);                                     \
  if (!result) return std::unexpected(std::move(result).error()); \
  declaration = *std::move(result)
#define TIMBRE_CONCAT_(a, b) TIMBRE_CONCAT2_(a, b)
#define TIMBRE_CONCAT2_(a, b) a##b
