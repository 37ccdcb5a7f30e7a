// One table, many forms: a class a form behind one small interface.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/table.h"

namespace lab::analysis {

enum class Format { table, markdown, csv, tidy, tsv, json };

std::optional<Format> format_from_text(std::string_view text);
// The names that format_from_text knows.
std::vector<std::string> format_names();

struct RenderOptions {
  size_t width = 0;      // columns of the terminal; 0: as wide as it gets. Format::table only
  bool colours = false;  // Format::table only; the caller decides (terminal? NO_COLOR?)
};

class Renderer {
 public:
  virtual ~Renderer() = default;
  // The whole text, with a final newline. Hostile texts in the table are made harmless
  // for the form: control characters, separators, formulas.
  virtual std::string render(const Table& table) const = 0;
};

std::unique_ptr<Renderer> make_renderer(Format format, const RenderOptions& options = {});

// A line a row, in the terminal; also the file table.txt.
class TerminalRenderer : public Renderer {
 public:
  explicit TerminalRenderer(const RenderOptions& options) : options_(options) {}
  std::string render(const Table& table) const override;

 private:
  RenderOptions options_;
};

class MarkdownRenderer : public Renderer {
 public:
  std::string render(const Table& table) const override;
};

// RFC 4180 (CRLF), one record a row of the plan in its place: the record of row N is in
// line N of the spreadsheet, from the first run on.
class CsvRenderer : public Renderer {
 public:
  std::string render(const Table& table) const override;
};

// RFC 4180, one record for each run × phase × direction × metric.
class TidyRenderer : public Renderer {
 public:
  std::string render(const Table& table) const override;
};

// The columns of the CSV for pasting into a spreadsheet.
class TsvRenderer : public Renderer {
 public:
  std::string render(const Table& table) const override;
};

class JsonRenderer : public Renderer {
 public:
  std::string render(const Table& table) const override;
};

}  // namespace lab::analysis
