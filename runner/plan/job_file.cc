#include "runner/plan/job_file.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab {
namespace {

constexpr int kMaxIncludeDepth = 16;

// fio replaces ${NAME} by the environment's value, nothing if it is unset.
std::string expand_environment(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    size_t open = text.find("${");
    size_t close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) break;
    out += text.substr(0, open);
    const char* value = getenv(std::string(text.substr(open + 2, close - open - 2)).c_str());
    if (value) out += value;
    text.remove_prefix(close + 1);
  }
  return out + std::string(text);
}

}  // namespace

std::string canonical_option(std::string_view key) {
  static const std::map<std::string, std::string, std::less<>> aliases = {
      {"blocksize", "bs"},      {"readwrite", "rw"},     {"wait_for_previous", "stonewall"},
      {"timeout", "runtime"},   {"io_limit", "io_size"}, {"blockalign", "ba"},
      {"fileoffset", "offset"}, {"nr_files", "nrfiles"}, {"blocksize_range", "bsrange"}};
  auto found = aliases.find(key);
  return found == aliases.end() ? std::string(key) : found->second;
}

JobFile JobFile::parse(std::string_view text, const std::string& name, const fs::path& directory) {
  JobFile job;
  job.name_ = name;
  job.read(text, name, directory, 0);
  if (job.sections_.empty())
    throw usage_error("{}: no job in it; a job is a section such as [randwrite]", name);
  return job;
}

JobFile JobFile::load(const fs::path& path) {
  return parse(read_file(path), path.string(), path.has_parent_path() ? path.parent_path() : ".");
}

void JobFile::read(std::string_view text, const std::string& name, const fs::path& directory,
                   int depth) {
  if (depth > kMaxIncludeDepth)
    throw usage_error("{}: includes nested deeper than {}; does a file include itself?", name,
                      kMaxIncludeDepth);
  int section = lines_.empty() ? -1 : lines_.back().section;
  int number = 0;
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  for (const std::string& raw : split(text, '\n')) {
    ++number;
    if (raw.find('\0') != std::string::npos)
      throw usage_error("{}:{}: a NUL byte; this is no fio job file", name, number);
    Line line;
    line.raw = raw;
    line.section = section;
    std::string_view content = trim(std::string_view(raw).substr(0, raw.find_first_of(";#")));
    if (content.empty()) {
      lines_.push_back(line);
      continue;
    }
    if (content.front() == '[') {
      size_t close = content.rfind(']');
      if (close == std::string_view::npos)
        throw usage_error("{}:{}: section name without closing ']': {}", name, number, content);
      std::string title(trim(content.substr(1, close - 1)));
      line.header = true;
      line.global_header = title == "global";
      if (line.global_header) {
        section = -1;
      } else {
        section = static_cast<int>(sections_.size());
        sections_.push_back(title);
      }
      line.section = section;
      lines_.push_back(line);
      continue;
    }
    if (content.starts_with("include ") || content.starts_with("include\t")) {
      fs::path file(std::string(trim(content.substr(8))));
      fs::path path = file.is_absolute() ? file : directory / file;
      if (!fs::exists(path))
        throw usage_error("{}:{}: included file {} does not exist", name, number, path.string());
      read(read_file(path), path.string(), path.has_parent_path() ? path.parent_path() : ".",
           depth + 1);
      section = lines_.empty() ? section : lines_.back().section;
      continue;
    }
    if (section < 0 && std::none_of(lines_.begin(), lines_.end(), [](auto& l) { return l.header; }))
      throw usage_error("{}:{}: option \"{}\" stands before any section", name, number, content);
    size_t equals = content.find('=');
    line.option.key = canonical_option(trim(content.substr(0, equals)));
    if (equals != std::string_view::npos)
      line.option.value = expand_environment(trim(content.substr(equals + 1)));
    lines_.push_back(line);
  }
}

std::optional<std::string> JobFile::value(size_t section, std::string_view key) const {
  const std::string canonical = canonical_option(key);
  std::optional<std::string> found;
  for (const Line& line : lines_) {
    if (line.header && line.section == static_cast<int>(section)) {
      // Globals below this section's header belong to later sections only.
      for (const Line& own : lines_)
        if (own.section == static_cast<int>(section) && own.option.key == canonical)
          found = own.option.value;
      return found;
    }
    if (line.section < 0 && line.option.key == canonical) found = line.option.value;
  }
  return found;
}

bool JobFile::flag(size_t section, std::string_view key) const {
  std::optional<std::string> text = value(section, key);
  return text && *text != "0";
}

uint64_t JobFile::number(size_t section, std::string_view key, uint64_t fallback) const {
  std::optional<std::string> text = value(section, key);
  if (!text) return fallback;
  if (auto parsed = parse_bytes(*text)) return *parsed;
  throw usage_error("{}: section [{}]: \"{}\" is no number: {}", name_, sections_.at(section), key,
                    *text);
}

void JobFile::set_line(Line& line, std::string_view why, const JobOption& option) {
  std::string old(trim(line.raw));
  line.option = option;
  line.raw = option.value.empty() ? option.key : option.key + "=" + option.value;
  line.raw += fmt::format("  # lab: {} {}", why, old);
}

void JobFile::drop(const std::vector<std::string>& keys) {
  for (Line& line : lines_) {
    if (line.option.key.empty()) continue;
    if (std::none_of(keys.begin(), keys.end(), [&](const std::string& key) {
          return canonical_option(key) == line.option.key;
        }))
      continue;
    line.raw = "# lab dropped: " + std::string(trim(line.raw));
    line.option = {};
  }
}

void JobFile::add_global(std::string_view comment, const std::vector<JobOption>& options) {
  std::vector<Line> added;
  auto add = [&](std::string raw, JobOption option = {}) {
    Line line;
    line.raw = std::move(raw);
    line.option = std::move(option);
    added.push_back(std::move(line));
  };
  add(fmt::format("# lab: {}", comment));
  for (const JobOption& option : options)
    add(option.value.empty() ? option.key : option.key + "=" + option.value,
        {canonical_option(option.key), option.value});

  auto header =
      std::find_if(lines_.begin(), lines_.end(), [](const Line& l) { return l.global_header; });
  auto first_job = std::find_if(lines_.begin(), lines_.end(),
                                [](const Line& l) { return l.header && !l.global_header; });
  if (header == lines_.end() || first_job < header) {
    Line line;
    line.raw = "[global]";
    line.header = line.global_header = true;
    added.insert(added.begin(), line);
    add("");
    lines_.insert(first_job, added.begin(), added.end());
    return;
  }
  auto end = std::find_if(header + 1, lines_.end(), [](const Line& l) { return l.header; });
  // Before the blank lines that part it from the next section.
  while (end != header + 1 && trim((end - 1)->raw).empty()) --end;
  lines_.insert(end, added.begin(), added.end());
}

std::string JobFile::text() const {
  std::string out;
  for (const Line& line : lines_) out += line.raw + "\n";
  return out;
}

}  // namespace lab
