// The sections of the HTML report: each returns its markup, or nothing if it has nothing
// to tell. Their texts are escaped.
#pragma once

#include <string>
#include <string_view>

#include "analysis/html/page.h"

namespace lab::analysis::html {

// <section> with a heading that the page's contents link to; empty for an empty body.
std::string section(std::string_view id, std::string_view title, const std::string& body);

// summary.cc: what was asked, what came out, and whether to trust it.
std::string header(const Page& page);
std::string answer(const Page& page);
std::string marks(const Page& page);

// figures.cc: what was measured.
std::string iops_table(const Page& page);
std::string comparison_table(const Page& page);
std::string repetition_table(const Page& page);
std::string plots(const Page& page);

// views.cc: the same seen otherwise, where it applies: factors in columns (several, or an
// allocator), latency, reads to writes (rows that do both), and all of it by the page's pivot.
std::string factors_table(const Page& page);
std::string latency_table(const Page& page);
std::string ratio_table(const Page& page);
std::string pivot_tables(const Page& page);

// evidence.cc: why the figures may be believed, and how to get them again.
std::string settings_table(const Page& page);
std::string order_table(const Page& page);
std::string conditions_list(const Page& page);
std::string request(const Page& page);
std::string reading(const Page& page);
std::string again(const Page& page);

// Links to marks in the legend, numbered as in every other form: "1 2? 3!".
std::string mark_links(const Table& table, const std::vector<size_t>& marks);
// "invalid", "doubtful" or "" for the gravest of these marks: also a class of the style sheet.
std::string_view weight_class(const Table& table, const std::vector<size_t>& marks);

}  // namespace lab::analysis::html
