// Something the user should know about a recording that is still usable.
#pragma once

#include <string>

namespace timbre::audio {

struct Warning {
  std::string reason;   // stable, for programs: "audio_clipped", "audio_truncated"
  std::string message;  // one plain sentence for people

  bool operator==(const Warning&) const = default;
};

}  // namespace timbre::audio
