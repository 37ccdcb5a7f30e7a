#include <algorithm>

#include "analysis/html/grid.h"
#include "analysis/html/sections.h"
#include "analysis/mark_list.h"
#include "analysis/render/escape.h"
#include "analysis/render/wording.h"
#include "runner/base/text.h"

namespace lab::analysis::html {
namespace {

// A word of a command, quoted for a POSIX shell where it has to be.
std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=+,@%-";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The same proof of the same cell, with the runs that gave it.
struct ProofLine {
  std::string cell;
  results::SettingProof proof;
  std::vector<unsigned> runs;
};

std::vector<ProofLine> proof_lines(const Table& table) {
  std::vector<ProofLine> lines;
  for (const RunFigures& run : table.runs)
    for (const results::SettingProof& proof : run.record.settings) {
      auto same = std::find_if(lines.begin(), lines.end(), [&](const ProofLine& line) {
        return line.cell == run.record.cell && line.proof == proof;
      });
      if (same == lines.end()) same = lines.insert(lines.end(), {run.record.cell, proof, {}});
      same->runs.push_back(run.record.index);
    }
  return lines;
}

std::string details(std::string_view title, const std::string& body) {
  return fmt::format("<details>\n<summary>{}</summary>\n{}</details>\n", html_text(title), body);
}

std::string term(std::string_view name, std::string_view text) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_text(name), html_text(text));
}

GridCell seconds_cell(const results::RunRecord* record, const char* step) {
  std::optional<double> seconds;
  if (record) {
    auto found = record->times_s.find(step);
    if (found != record->times_s.end()) seconds = found->second;
  }
  return number_cell(number_text(seconds, 1), seconds);
}

std::string cells_table(const results::Plan& plan, const std::vector<std::string>& factors) {
  std::vector<Column> columns = {{"Cell", Set::name}};
  for (const std::string& factor : factors) columns.push_back({factor});
  columns.insert(columns.end(), {{"stands for"}, {"repetitions planned", Set::figure}});
  Grid grid("cells", "The cells: what is compared.", columns, false);
  for (const results::Cell& cell : plan.cells) {
    std::vector<GridCell> cells = {text_cell(cell.name)};
    for (const std::string& factor : factors)
      cells.push_back(text_cell(results::level_of(cell.levels, factor)));
    cells.push_back(text_cell(&cell == &plan.cells.front() ? "the baseline"
                              : !cell.control_of.empty()
                                  ? "a control: " + cell.control_of + " again"
                                  : ""));
    cells.push_back(count_cell(plan.repetitions(cell.name)));
    grid.add(cells);
  }
  return grid.empty() ? "" : grid.html();
}

}  // namespace

std::string settings_table(const Page& page) {
  Grid grid("settings",
            "What each cell asked for, and what the process that did the I/O said was in effect.",
            {{"Cell", Set::name},
             {"Setting", Set::word},
             {"asked"},
             {"effective"},
             {"source"},
             {"read back by"},
             {"in effect"},
             {"runs"}});
  for (const ProofLine& line : proof_lines(page.table)) {
    const results::SettingProof& p = line.proof;
    const char* style = !p.verified ? "doubtful" : *p.verified ? "" : "invalid";
    const char* verified = !p.verified   ? "not known: could not be read back"
                           : *p.verified ? "yes"
                                         : "no";
    grid.add({text_cell(line.cell), text_cell(p.name), text_cell(p.asked), text_cell(p.effective),
              text_cell(p.source), text_cell(p.proof), text_cell(verified),
              text_cell(ranges(line.runs))},
             style);
  }
  return grid.empty() ? "" : grid.html();
}

std::string order_table(const Page& page) {
  Grid grid("runs",
            "Blocks hold every cell once, in random order; a mirrored block has its counterpart "
            "in the opposite order, so that steady drift cancels. Restart: of the daemons, for the "
            "cell's levels; runs of the same one are one sample.",
            {{"Run", Set::figure},
             {"block", Set::figure},
             {"place", Set::figure},
             {"Cell", Set::name},
             {"mirrored"},
             {"restart", Set::figure},
             {"started (UTC)"},
             {"settle s", Set::figure},
             {"apply s", Set::figure},
             {"fio s", Set::figure},
             {"verify s", Set::figure},
             {"attempt", Set::figure},
             {"ended"}});
  for (const results::PlannedRun& planned : page.plan.runs) {
    const RunFigures* run = page.table.find_run(planned.index);
    const results::RunRecord* record = run ? &run->record : nullptr;
    const bool failed = record && !record->ok;
    grid.add(
        {count_cell(planned.index), count_cell(planned.block), count_cell(planned.position),
         text_cell(planned.cell), text_cell(planned.mirrored ? "yes" : "no"),
         record && record->unit ? count_cell(record->unit) : number_cell("-", {}),
         record ? text_cell(record->started) : number_cell("-", {}), seconds_cell(record, "settle"),
         seconds_cell(record, "apply"), seconds_cell(record, "fio"), seconds_cell(record, "verify"),
         record ? count_cell(record->attempt) : number_cell("-", {}),
         text_cell(!record  ? "not run yet"
                   : failed ? "failed: " + record->error
                            : "ok")},
        failed ? "doubtful" : "");
  }
  if (grid.empty()) return "";
  return details(
      fmt::format("{} runs, shuffled with seed {}", page.plan.runs.size(), page.plan.seed),
      grid.html());
}

std::string conditions_list(const Page& page) {
  std::string out = "<dl>\n";
  for (const auto& [key, text] : conditions(page.table)) out += term(key, text);
  out += "</dl>\n";
  const std::string overhead = overhead_text(page.table);
  if (!overhead.empty()) out += "<p>" + html_text(overhead) + "</p>\n";
  return out;
}

std::string request(const Page& page) {
  const results::Manifest& manifest = page.table.manifest;
  std::string out;
  if (manifest.allow_invalid)
    out += "<p class=\"warning invalid\">Forced with --allow-invalid: " +
           html_text(manifest.invalid_reason) + "</p>\n";
  std::vector<std::string> words;
  for (const std::string& word : manifest.command) words.push_back(shell_word(word));
  if (!words.empty()) out += "<pre>" + html_lines(join(words, " ")) + "</pre>\n";
  out += cells_table(page.plan, page.table.factors);
  if (!page.job.empty())
    out += details("The job file as it was given", "<pre>" + html_lines(page.job) + "</pre>\n");
  return out;
}

std::string reading(const Page& page) {
  std::string out = "<ul class=\"findings\">\n";
  for (const std::string& note : figure_notes(page.table))
    out += "<li>" + html_text(note) + "</li>\n";
  return out + "</ul>\n";
}

std::string again(const Page& page) {
  const std::string directory = shell_word(page.directory);
  std::string commands =
      fmt::format("lab report {} --html{}\n", directory,
                  page.pivot.empty() ? "" : " " + shell_word("--pivot=" + page.pivot));
  for (const InlinePlot& plot : page.plots)
    commands += fmt::format("(cd {}/plots && gnuplot {})\n", directory, shell_word(plot.script));
  return "<p>Everything here comes from the raw files of the result directory; runs/*/fio.json is "
         "what fio printed, table.csv and tidy.csv have the figures for a spreadsheet.</p>\n<pre>" +
         html_lines(commands) + "</pre>\n";
}

}  // namespace lab::analysis::html
