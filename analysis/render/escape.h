// Texts made harmless for the form they go into. All pure.
#pragma once

#include <string>
#include <string_view>

namespace lab::analysis {

// Control characters (also newlines, tabs and the escape that moves cursors) become
// spaces, runs of them one space: for one line of a terminal.
std::string one_line(std::string_view text);

// A text that a spreadsheet would take for a formula gets a leading apostrophe. For
// texts only: a negative number must stay a number.
std::string defuse_formula(std::string_view text);

// Quoted where RFC 4180 asks for it.
std::string csv_field(std::string_view text);

// For a cell of a Markdown table.
std::string markdown_cell(std::string_view text);

// For text and quoted attribute values of HTML, one line of it: as one_line, and what would
// be markup is none. Characters that reorder text on the screen (bidirectional overrides),
// and bytes that are no UTF-8, show as U+FFFD.
std::string html_text(std::string_view text);

// The same for <pre>: keeps newlines and tabs.
std::string html_lines(std::string_view text);

// Columns that a text takes in a terminal, one for each code point.
size_t display_width(std::string_view text);

}  // namespace lab::analysis
