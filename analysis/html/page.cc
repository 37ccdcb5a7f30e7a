#include "analysis/html/page.h"

#include "analysis/html/assets.h"
#include "analysis/html/sections.h"
#include "analysis/render/escape.h"
#include "analysis/render/wording.h"

namespace lab::analysis {
namespace {

// Nothing may be loaded from anywhere, and of scripts and styles only the page's own act.
std::string security_policy() {
  return fmt::format(
      "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; "
      "form-action 'none'",
      html::kScriptHash, html::kStyleHash);
}

struct Section {
  const char* id;
  std::string title;
  std::string body;
};

std::vector<Section> sections(const Page& page) {
  std::vector<Section> all = {
      {"table", "w/r IOPS", html::iops_table(page)},
      {"pivot", "By " + page.pivot, html::pivot_tables(page)},
      {"marks", "Marks", html::marks(page)},
      {"plots", "Plots", html::plots(page)},
      {"against-baseline", "Ratios and latency", html::comparison_table(page)},
      {"factors", "Factors in columns", html::factors_table(page)},
      {"latency", "Latency", html::latency_table(page)},
      {"ratio", "Reads to writes", html::ratio_table(page)},
      {"repetitions", "Every repetition", html::repetition_table(page)},
      {"proof", "Settings and their proof", html::settings_table(page)},
      {"conditions", "Conditions", html::conditions_list(page)},
      {"request", "What was asked", html::request(page)},
      {"order", "Order of the runs", html::order_table(page)},
      {"reading", "How to read the figures", html::reading(page)},
      {"again", "Draw it again", html::again(page)},
  };
  std::erase_if(all, [](const Section& section) { return section.body.empty(); });
  return all;
}

std::string navigation(const std::vector<Section>& all) {
  std::string out = "<nav aria-label=\"Contents\">\n<ul>\n";
  for (const Section& section : all)
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, html_text(section.title));
  return out + "</ul>\n</nav>\n";
}

}  // namespace

std::string render_html(const Page& page) {
  const std::vector<Section> all = sections(page);
  const std::optional<results::Weight> worst = page.table.worst_mark();
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n<header>\n{}</header>\n{}<main>\n",
      security_policy(), html_text(title_text(page.table)), html::kStyle, html::header(page),
      navigation(all));
  out += fmt::format("<section class=\"answer {}\" aria-label=\"The answer\">\n{}</section>\n",
                     worst ? to_text(*worst) : "", html::answer(page));
  for (const Section& section : all) out += html::section(section.id, section.title, section.body);
  return out + fmt::format("</main>\n<script>{}</script>\n</body>\n</html>\n", html::kScript);
}

}  // namespace lab::analysis
