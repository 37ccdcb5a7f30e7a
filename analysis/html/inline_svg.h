// An SVG file made part of a page.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lab::analysis::html {

// The <svg> element, for HTML: every id begins with `prefix`, so that no two pictures of a
// page share one, and so do the references to them; `label` is the id of the element that
// names it to those who can't see it. None if the text is no SVG, or holds an element or a
// reference that a plot has no use for and that could run or load something (script,
// foreignObject, image, links).
std::optional<std::string> inline_svg(std::string_view svg, std::string_view prefix,
                                      std::string_view label);

}  // namespace lab::analysis::html
