// Where the program finds its own files, from a build tree as well as installed.
#include <cstdlib>
#include <filesystem>
#include <initializer_list>

#include "apps/command.h"

namespace timbre::apps {
namespace {

namespace fs = std::filesystem;

fs::path FromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value && *value ? fs::path(value) : fs::path();
}

// The first of `candidates` (relative to the program's folder) that exists, else the first.
fs::path BesideProgram(std::initializer_list<const char*> candidates) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path folder = error ? fs::current_path() : program.parent_path();
  for (const char* candidate : candidates) {
    const fs::path path = (folder / candidate).lexically_normal();
    if (fs::exists(path, error)) return path;
  }
  return (folder / *candidates.begin()).lexically_normal();
}

}  // namespace

fs::path DefaultModelFolder() {
  if (fs::path path = FromEnvironment("TIMBRE_MODEL"); !path.empty()) return path;
  // build/PRESET/timbre, then PREFIX/bin/timbre.
  return BesideProgram({"../../models/default", "../share/timbre/models/default"});
}

fs::path DataFolder() {
  if (fs::path path = FromEnvironment("TIMBRE_DATA"); !path.empty()) return path;
  return BesideProgram({"../../third_party", "../share/timbre/data"});
}

fs::path VoicesFolder() {
  if (fs::path path = FromEnvironment("TIMBRE_VOICES"); !path.empty()) return path;
  if (fs::path data = FromEnvironment("XDG_DATA_HOME"); !data.empty()) {
    return data / "timbre" / "voices";
  }
  if (fs::path home = FromEnvironment("HOME"); !home.empty()) {
    return home / ".local/share/timbre/voices";
  }
  return "voices";
}

}  // namespace timbre::apps
