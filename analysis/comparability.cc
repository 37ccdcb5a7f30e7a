#include "analysis/comparability.h"

#include "analysis/render/wording.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

constexpr std::string_view kAbsent = "nothing";

// The first lines in which two texts differ: {"bs=4k", "bs=8k"}.
std::pair<std::string, std::string> first_difference(const std::string& a, const std::string& b) {
  const std::vector<std::string> as = split(a, '\n');
  const std::vector<std::string> bs = split(b, '\n');
  size_t i = 0;
  while (i < as.size() && i < bs.size() && as[i] == bs[i]) ++i;
  auto line = [&](const std::vector<std::string>& lines) {
    return i < lines.size() && !lines[i].empty() ? lines[i] : std::string(kAbsent);
  };
  return {line(as), line(bs)};
}

void compare_jobs(const Side& before, const Side& after, std::vector<Incomparable>& out) {
  if (!before.job || !after.job) return;
  const std::string a = job_without_comments(*before.job);
  const std::string b = job_without_comments(*after.job);
  if (a == b) return;
  auto [line_a, line_b] = first_difference(a, b);
  out.push_back({"job", std::move(line_a), std::move(line_b)});
}

}  // namespace

const std::vector<std::string>& comparable_things() {
  static const std::vector<std::string> all = {"job",     "type",    "block-size",
                                               "iodepth", "numjobs", "image-size"};
  return all;
}

std::vector<Incomparable> incomparable(const Side& before, const TableRow& row_before,
                                       const Side& after, const TableRow& row_after) {
  std::vector<Incomparable> out;
  const results::Row& a = row_before.plan;
  const results::Row& b = row_after.plan;
  auto check = [&](const char* thing, const std::string& x, const std::string& y) {
    if (x != y) out.push_back({thing, x, y});
  };
  if (before.directory != after.directory) compare_jobs(before, after, out);
  check("type", a.type, b.type);
  check("block-size", short_bytes(a.block_bytes), short_bytes(b.block_bytes));
  check("iodepth", fmt::format("{}", a.iodepth), fmt::format("{}", b.iodepth));
  check("numjobs", fmt::format("{}", a.numjobs), fmt::format("{}", b.numjobs));
  if (before.directory != after.directory) {
    const std::string x = image_size(before.table.manifest.conditions);
    const std::string y = image_size(after.table.manifest.conditions);
    if (!x.empty() && !y.empty()) check("image-size", x, y);
  }
  return out;
}

std::string job_without_comments(std::string_view job) {
  std::string out;
  for (const std::string& raw : split(job, '\n')) {
    const std::string_view line = trim(std::string_view(raw).substr(0, raw.find_first_of(";#")));
    if (line.empty()) continue;
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos)
      out += line;
    else
      out += fmt::format("{}={}", trim(line.substr(0, equals)), trim(line.substr(equals + 1)));
    out += '\n';
  }
  return out;
}

std::string image_size(const results::TextList& conditions) {
  for (const auto& [key, text] : conditions) {
    if (key == "image size") return text;
    if (key != "image" && key != "device" && key != "NBD export") continue;
    // "rbd/NAME, 2 GiB, objects of 4 MiB, written whole before"
    const std::vector<std::string> parts = split(text, ',');
    if (parts.size() < 2) return "";
    std::string size(trim(parts[1]));
    for (size_t i = 2; i < parts.size(); ++i)
      if (trim(parts[i]).starts_with("objects of")) size += fmt::format(", {}", trim(parts[i]));
    return size;
  }
  return "";
}

}  // namespace lab::analysis
