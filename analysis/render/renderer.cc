#include "analysis/render/renderer.h"

#include <array>

namespace lab::analysis {
namespace {

constexpr std::array<std::pair<std::string_view, Format>, 6> kFormats = {
    {{"table", Format::table},
     {"markdown", Format::markdown},
     {"csv", Format::csv},
     {"tidy", Format::tidy},
     {"tsv", Format::tsv},
     {"json", Format::json}}};

}  // namespace

std::optional<Format> format_from_text(std::string_view text) {
  for (const auto& [name, format] : kFormats)
    if (name == text) return format;
  return {};
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  names.reserve(std::size(kFormats));
  for (const auto& [name, unused] : kFormats) names.emplace_back(name);
  return names;
}

std::unique_ptr<Renderer> make_renderer(Format format, const RenderOptions& options) {
  switch (format) {
    case Format::table:
      return std::make_unique<TerminalRenderer>(options);
    case Format::markdown:
      return std::make_unique<MarkdownRenderer>();
    case Format::csv:
      return std::make_unique<CsvRenderer>();
    case Format::tidy:
      return std::make_unique<TidyRenderer>();
    case Format::tsv:
      return std::make_unique<TsvRenderer>();
    case Format::json:
      return std::make_unique<JsonRenderer>();
  }
  return nullptr;
}

}  // namespace lab::analysis
