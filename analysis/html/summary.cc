#include <algorithm>

#include "analysis/html/grid.h"
#include "analysis/html/sections.h"
#include "analysis/render/escape.h"
#include "analysis/render/wording.h"
#include "runner/base/text.h"

namespace lab::analysis::html {
namespace {

// Marks of one weight, by their indexes.
std::vector<size_t> of_weight(const Table& table, results::Weight weight) {
  std::vector<size_t> found;
  for (size_t i = 0; i < table.marks.size(); ++i)
    if (table.marks[i].mark.weight == weight) found.push_back(i);
  return found;
}

std::string warning(const Table& table, results::Weight weight, std::string_view meaning) {
  const std::vector<size_t> found = of_weight(table, weight);
  if (found.empty()) return "";
  return fmt::format("<p class=\"warning {0}\">{1} {2}: {3}</p>\n", to_text(weight), meaning,
                     found.size() == 1 ? "for this reason" : "for these reasons",
                     mark_links(table, found));
}

// The worst proof of all rows that have figures.
Proof worst_proof(const Table& table) {
  Proof worst = Proof::nothing_asked;
  for (const TableRow& row : table.rows) worst = std::max(worst, row.proof);
  return worst;
}

std::string proof_fact(const Table& table) {
  switch (worst_proof(table)) {
    case Proof::nothing_asked:
      return "";
    case Proof::verified:
      return "<li class=\"good\">every setting was read back and was in effect</li>";
    case Proof::unverified:
      return "<li class=\"doubtful\">some settings could not be read back</li>";
    case Proof::contradicted:
      return "<li class=\"invalid\">some settings were not in effect</li>";
  }
  return "";
}

std::string facts(const Page& page) {
  const Table& table = page.table;
  const auto failed = static_cast<size_t>(std::count_if(
      table.runs.begin(), table.runs.end(), [](const RunFigures& run) { return !run.usable; }));
  const size_t good = table.runs.size() - failed;
  std::string out = "<ul class=\"facts\">\n";
  out += fmt::format("<li>{} of {} runs measured</li>\n", good, page.plan.runs.size());
  if (failed > 0) out += fmt::format("<li class=\"doubtful\">{} failed</li>\n", failed);
  if (table.runs.size() < page.plan.runs.size())
    out += fmt::format("<li class=\"doubtful\">{} not run yet</li>\n",
                       page.plan.runs.size() - table.runs.size());
  out += proof_fact(table);
  if (table.marks.empty()) out += "<li class=\"good\">no marks</li>\n";
  return out + "</ul>\n";
}

// Which rows a mark is about.
std::string marked_rows(const Table& table, size_t mark) {
  const auto has = [mark](const std::vector<size_t>& marks) {
    return std::binary_search(marks.begin(), marks.end(), mark);
  };
  if (has(table.general_marks)) return "the whole table";
  std::vector<std::string> rows;
  for (const TableRow& row : table.rows)
    if (has(row.marks)) rows.push_back(fmt::format("{} ({})", row.test, row.plan.type));
  return join(rows, ", ");
}

}  // namespace

std::string section(std::string_view id, std::string_view title, const std::string& body) {
  if (body.empty()) return "";
  return fmt::format(
      "<section id=\"{0}\" aria-labelledby=\"{0}-title\">\n"
      "<h2 id=\"{0}-title\">{1}</h2>\n{2}</section>\n",
      id, html_text(title), body);
}

std::string mark_links(const Table& table, const std::vector<size_t>& marks) {
  std::string out;
  for (size_t mark : marks)
    out += fmt::format("{}<a class=\"mark {}\" href=\"#mark-{}\" title=\"{}\">{}</a>",
                       out.empty() ? "" : " ", to_text(table.marks[mark].mark.weight), mark + 1,
                       html_text(legend_text(table.marks[mark])), mark_number(table, mark));
  return out;
}

std::string_view weight_class(const Table& table, const std::vector<size_t>& marks) {
  results::Weight worst = results::Weight::note;
  for (size_t mark : marks) worst = std::max(worst, table.marks[mark].mark.weight);
  return worst == results::Weight::note ? "" : to_text(worst);
}

std::string header(const Page& page) {
  const results::Manifest& manifest = page.table.manifest;
  std::string out = "<h1>" + html_text(title_text(page.table)) + "</h1>\n<p>";
  std::vector<std::string> facts;
  if (!manifest.target.empty()) facts.push_back("on " + html_text(manifest.target));
  if (!manifest.created.empty()) facts.push_back(html_text(manifest.created));
  if (!manifest.lab.empty()) facts.push_back("measured by lab " + html_text(manifest.lab));
  return out + join(facts, " · ") + "</p>\n";
}

std::string answer(const Page& page) {
  const Table& table = page.table;
  std::string out;
  out += warning(table, results::Weight::invalid,
                 "Invalid: some of these figures say nothing about what was asked,");
  out += warning(table, results::Weight::doubtful, "Doubtful: some of these figures may be off,");
  out += "<p class=\"headline\">" +
         (table.headline.empty() ? std::string("Nothing is compared here.")
                                 : html_text(table.headline) + ".") +
         "</p>\n" + facts(page);
  if (table.findings.empty()) return out;
  out += "<ul class=\"findings\">\n";
  for (const std::string& finding : table.findings) out += "<li>" + html_text(finding) + ".</li>\n";
  return out + "</ul>\n";
}

std::string marks(const Page& page) {
  const Table& table = page.table;
  if (table.marks.empty())
    return "<p>None: nothing was found that speaks against these figures.</p>\n";
  std::string out = "<ul class=\"legend\">\n";
  for (size_t i = 0; i < table.marks.size(); ++i) {
    const std::string_view weight = to_text(table.marks[i].mark.weight);
    out += fmt::format(
        "<li id=\"mark-{}\" class=\"{}\"><span class=\"mark {}\">{}</span> "
        "<b>{}</b>: {}",
        i + 1, weight, weight, mark_number(table, i), weight,
        html_text(legend_text(table.marks[i])));
    const std::string rows = marked_rows(table, i);
    if (!rows.empty()) out += "<br>Concerns " + html_text(rows) + ".";
    out += "</li>\n";
  }
  return out + "</ul>\n";
}

}  // namespace lab::analysis::html
