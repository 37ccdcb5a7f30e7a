#include "analysis/html/inline_svg.h"

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <sstream>

namespace lab::analysis::html {
namespace {

// What gnuplot's svg terminal writes, and what else only draws.
constexpr std::array<std::string_view, 27> kElements = {
    "svg",     "g",           "defs",    "use",      "path",           "rect",
    "circle",  "ellipse",     "line",    "polyline", "polygon",        "text",
    "tspan",   "title",       "desc",    "filter",   "feFlood",        "feComposite",
    "feMerge", "feMergeNode", "feBlend", "clipPath", "linearGradient", "radialGradient",
    "stop",    "pattern",     "mask"};

constexpr std::string_view kUrl = "url(#";

bool is_known(std::string_view element) {
  return std::find(kElements.begin(), kElements.end(), element) != kElements.end();
}

// False for an attribute that points out of the picture or could run something.
bool adopt(pugi::xml_attribute& attribute, const std::string& prefix) {
  const std::string_view name = attribute.name();
  const std::string value = attribute.value();
  if (name == "id") return attribute.set_value((prefix + value).c_str());
  if (name == "href" || name == "xlink:href")
    return value.starts_with("#") && attribute.set_value(("#" + prefix + value.substr(1)).c_str());
  if (value.starts_with(kUrl))
    return attribute.set_value((std::string(kUrl) + prefix + value.substr(kUrl.size())).c_str());
  return !name.starts_with("on") && name != "style" && value.find("url(") == std::string::npos;
}

bool adopt(pugi::xml_node element, const std::string& prefix) {
  if (!is_known(element.name())) return false;
  for (pugi::xml_attribute attribute : element.attributes())
    if (!adopt(attribute, prefix)) return false;
  for (pugi::xml_node child : element.children())
    if (child.type() == pugi::node_element && !adopt(child, prefix)) return false;
  return true;
}

// The size in the units of the drawing, where the file gives none: a picture that is as wide
// as it can be would have letters larger than the page's.
void set_size(pugi::xml_node svg) {
  std::istringstream box(svg.attribute("viewBox").value());
  std::string x, y, width, height;
  if (svg.attribute("width") || !(box >> x >> y >> width >> height)) return;
  svg.append_attribute("width") = width.c_str();
  svg.append_attribute("height") = height.c_str();
}

}  // namespace

std::optional<std::string> inline_svg(std::string_view svg, std::string_view prefix,
                                      std::string_view label) {
  pugi::xml_document document;
  // Without processing instructions, comments and document type.
  constexpr unsigned kParse = pugi::parse_default | pugi::parse_ws_pcdata_single;
  if (!document.load_buffer(svg.data(), svg.size(), kParse, pugi::encoding_utf8)) return {};
  pugi::xml_node root = document.document_element();
  if (std::string_view(root.name()) != "svg" || !adopt(root, std::string(prefix))) return {};
  set_size(root);
  // gnuplot's own title is "Gnuplot", and every browser shows it under the pointer.
  root.remove_child("title");
  root.remove_child("desc");
  root.append_attribute("role") = "img";
  root.append_attribute("aria-labelledby") = std::string(label).c_str();
  std::ostringstream out;
  root.print(out, "", pugi::format_raw, pugi::encoding_utf8);
  return out.str();
}

}  // namespace lab::analysis::html
