// The forms of profiles, one class each behind one small interface: a line at a time, so that
// a profile of any length is read in little memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "analysis/profile/profile.h"

namespace lab::analysis::profile {

class Parser {
 public:
  virtual ~Parser() = default;
  // False for a line that cannot be read; it is left out. Throws lab::Error (Exit::usage), for
  // a profile of which no table can be made at all.
  virtual bool line(std::string_view line, uint64_t number) = 0;
  // After the last line, once.
  virtual Profile finish() = 0;
};

// What a file is called: in the name of a process that it does not tell, and in errors.
struct Source {
  std::string process;
  std::string file;
};

// Collapsed stacks, as `jeprof --collapsed` and the flame graph tools write them: frames from
// the outermost to the innermost, parted by semicolons, then a blank and how many samples (or
// bytes). The lines don't say what is counted; `unit` does, or, if it is empty, it is taken
// for samples, unless there are more than anybody takes.
std::unique_ptr<Parser> collapsed_parser(Source source, const std::string& focus, std::string unit);
bool is_collapsed(std::string_view line);

// The text of `perf script`: for each sample a header "comm pid/tid [cpu] time: period event:",
// its frames from the innermost to the outermost, "address symbol+0xoffset (object)", and a
// blank line. Every sample counts once, whatever its period. Processes are called as their
// main threads are; several of one name are one process, different events are not.
std::unique_ptr<Parser> perf_script_parser(const std::string& focus);
bool is_perf_header(std::string_view line);

// `jeprof --text` and `pprof --text` of gperftools: "Total: N unit", then lines of flat, flat %,
// sum %, cum, cum % and a name. They have no stacks any more.
std::unique_ptr<Parser> pprof_text_parser(Source source);
bool is_pprof_total(std::string_view line);

}  // namespace lab::analysis::profile
