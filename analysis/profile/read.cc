#include "analysis/profile/read.h"

#include <algorithm>
#include <set>

#include "analysis/profile/parser.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis::profile {
namespace {

// As many lines tell the form.
constexpr size_t kLooked = 200;

constexpr const char* kUnderstood =
    "understood are collapsed stacks (`jeprof --collapsed`, flame graph tools), the text of `perf "
    "script`, and `jeprof --text` or `pprof --text` with its line \"Total: …\"";

// What is to be done with what a first line shows to be another form.
std::string advice(std::string_view first) {
  if (first.starts_with("PERFILE2")) return "this is perf's own file: `perf script -i FILE`";
  if (first.starts_with("heap_v2/") || first.starts_with("heap profile:"))
    return "this is a raw heap profile: `jeprof --collapsed PROGRAM FILE`";
  if (first.starts_with("\x1f\x8b"))
    return "this is compressed: a file of gzip has to be unpacked, one of Go's pprof to be "
           "converted";
  if (first.starts_with("# To display the perf.data header info") || first.starts_with("# Samples"))
    return "this is `perf report`: `perf script` on the same data";
  return "";
}

// Feeds lines to the parser of the form that the first ones show.
class Reader {
 public:
  Reader(const std::string& file, const std::string& process, const ReadOptions& options)
      : source_{process, file}, options_(options) {}

  void line(std::string_view line) {
    ++number_;
    if (parser_) return feed(line, number_);
    first_.emplace_back(line);
    if (first_.size() >= kLooked) decide();
  }

  ReadProfile finish() {
    if (!parser_) decide();
    ReadProfile read{parser_->finish(), damaged_};
    std::erase_if(read.profile.processes, [](const auto& one) { return !(one.second.total > 0); });
    if (read.profile.processes.empty())
      throw usage_error("{}: a profile without any sample", source_.file);
    if (!read.profile.stacks && !options_.focus.empty())
      throw usage_error(
          "{}: --focus needs stacks, and this has sums of functions only: give `jeprof "
          "--collapsed` or `pprof --collapsed` of the same profile",
          source_.file);
    return read;
  }

 private:
  void decide() {
    const auto count = [&](auto holds) {
      return std::count_if(first_.begin(), first_.end(), holds);
    };
    const auto filled = count([](const std::string& line) { return !trim(line).empty(); });
    if (count(is_perf_header) > 0)
      parser_ = perf_script_parser(options_.focus);
    else if (count(is_pprof_total) > 0)
      parser_ = pprof_text_parser(source_);
    else if (2 * count(is_collapsed) > filled)
      parser_ = collapsed_parser(source_, options_.focus, options_.unit);
    else
      refuse();
    for (size_t i = 0; i < first_.size(); ++i) feed(first_[i], i + 1);
    first_.clear();
  }

  [[noreturn]] void refuse() const {
    std::string text = first_.empty() ? "the file is empty" : advice(first_.front());
    if (text.empty()) text = "no profile that lab knows";
    throw usage_error("{}: {}; {}", source_.file, text, kUnderstood);
  }

  void feed(std::string_view line, uint64_t number) {
    if (!parser_->line(line, number)) damaged_.add(number);
  }

  Source source_;
  ReadOptions options_;
  std::vector<std::string> first_;
  uint64_t number_ = 0;
  std::unique_ptr<Parser> parser_;
  results::DamagedLines damaged_;
};

ReadProfile read_file(const std::string& file, const std::string& process,
                      const ReadOptions& options) {
  Reader reader(file, process, options);
  results::CsvLines lines(file);
  while (lines.next()) reader.line(lines.line());
  // What somebody wrote by hand may end without a newline.
  if (!lines.rest().empty()) reader.line(lines.rest());
  return reader.finish();
}

// Each file without its folders, but those of which there are several.
std::vector<std::string> names_of(const std::vector<std::string>& files) {
  std::map<std::string, size_t> count;
  for (const std::string& file : files) ++count[fs::path(file).filename().string()];
  std::vector<std::string> names;
  for (const std::string& file : files) {
    const std::string name = fs::path(file).filename().string();
    names.push_back(count[name] == 1 ? name : file);
  }
  return names;
}

}  // namespace

ReadProfile read_profile_text(std::string_view text, const std::string& file,
                              const std::string& process, const ReadOptions& options) {
  Reader reader(file, process, options);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    reader.line(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.finish();
}

Profile read_profiles(const std::vector<std::string>& files, const ReadOptions& options) {
  const std::vector<std::string> names = names_of(files);
  Profile all;
  std::set<std::string> seen;
  for (size_t i = 0; i < files.size(); ++i) {
    if (!seen.insert(files[i]).second) throw usage_error("{}: given twice", files[i]);
    if (!fs::exists(files[i])) throw usage_error("{}: there is no such file", files[i]);
    if (fs::is_directory(files[i]))
      throw usage_error("{}: is a directory; name the files in it", files[i]);
    ReadProfile read = read_file(files[i], names[i], options);
    Profile& profile = read.profile;
    if (i == 0) {
      all.unit = profile.unit;
      all.stacks = profile.stacks;
    } else if (profile.unit != all.unit || profile.stacks != all.stacks) {
      throw usage_error("{}: {} {}, but {} has {} {}; they can't stand in one table", files[i],
                        profile.stacks ? "stacks by" : "sums of", profile.unit, files[0],
                        all.stacks ? "stacks by" : "sums of", all.unit);
    }
    for (const auto& [name, process] : profile.processes) all.processes[name].add(process);
    all.notes.insert(all.notes.end(), profile.notes.begin(), profile.notes.end());
    if (const std::string text = read.damaged.text(files[i]); !text.empty())
      all.notes.push_back(text);
  }
  return all;
}

}  // namespace lab::analysis::profile
