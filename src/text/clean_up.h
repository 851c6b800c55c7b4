// The first step of the front end: a client's text -> lines of plain characters. Invisible
// characters go, look-alikes become what they look like (full-width letters, odd dashes), markdown
// loses its signs and keeps its words. Linear in the text; pure function.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace timbre::text {

// Lines without line breaks, none empty. The text must be UTF-8.
std::vector<std::u32string> CleanUp(std::string_view text);

// A line of markdown as plain text: "## **Menu** [here](http://…)" -> "Menu here"; empty for lines
// that are only decoration (rules, fences).
std::u32string WithoutMarkdown(std::u32string_view line);

}  // namespace timbre::text
