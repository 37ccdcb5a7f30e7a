// A fio job file: read as fio reads it, rewritten no more than a target needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/base/file.h"

namespace lab {

struct JobOption {
  std::string key;
  std::string value;  // empty for a bare key such as `time_based`
};

class JobFile {
 public:
  // `name` stands in errors. Throws lab::Error (Exit::usage) with file and line. `include`
  // lines are replaced by the file they name, looked for beside `directory`.
  static JobFile parse(std::string_view text, const std::string& name,
                       const fs::path& directory = ".");
  static JobFile load(const fs::path& path);

  const std::string& name() const { return name_; }

  // Names of the job sections, [global] ones left out, in order. A section is
  // known by its index here, since names may repeat.
  const std::vector<std::string>& sections() const { return sections_; }

  // The value in force in a section: its own last one, else that of the [global]
  // sections before it. `key` may be any of fio's names for the option (bs,
  // blocksize). None if it is not set.
  std::optional<std::string> value(size_t section, std::string_view key) const;
  bool flag(size_t section, std::string_view key) const;
  uint64_t number(size_t section, std::string_view key, uint64_t fallback) const;

  // Turns every line that sets one of `keys` into a comment, in all sections.
  void drop(const std::vector<std::string>& keys);
  // Gives every section that sets `key` the value `map` makes of the old one.
  // Lines for which `map` answers none stay as they are.
  template <typename Map>
  void change(std::string_view key, Map map);
  // Adds a commented block at the end of the first [global] section, which is made if
  // there is none: in force in every section that doesn't say otherwise.
  void add_global(std::string_view comment, const std::vector<JobOption>& options);

  std::string text() const;

 private:
  struct Line {
    std::string raw;
    int section = -1;  // index into sections_, -1 for [global] or before any section
    JobOption option;  // key is empty if the line sets nothing
    bool header = false;
    bool global_header = false;
  };

  void read(std::string_view text, const std::string& name, const fs::path& directory, int depth);
  void set_line(Line& line, std::string_view why, const JobOption& option);

  std::string name_;
  std::vector<std::string> sections_;
  std::vector<Line> lines_;
};

// fio's main name of an option: blocksize -> bs, readwrite -> rw, …
std::string canonical_option(std::string_view key);

template <typename Map>
void JobFile::change(std::string_view key, Map map) {
  const std::string canonical = canonical_option(key);
  for (Line& line : lines_) {
    if (line.option.key != canonical) continue;
    if (std::optional<std::string> changed = map(line.option.value); changed)
      set_line(line, "was", {line.option.key, *changed});
  }
}

}  // namespace lab
