#include "runner/experiment/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>

#include <cmath>

namespace lab {
namespace {

std::string left_text(std::optional<double> left_s) {
  return left_s ? fmt::format("  left {}", short_time(*left_s)) : std::string();
}

std::string head(const RunLabel& run) {
  return fmt::format("run {:>{}}/{}  {}  block {}", run.number, std::to_string(run.total).size(),
                     run.total, run.cell, run.block);
}

}  // namespace

std::string short_count(double count) {
  if (count < 10000) return fmt::format("{:.0f}", count);
  if (count < 1e6) return fmt::format("{:.1f}k", count / 1e3);
  return fmt::format("{:.2f}M", count / 1e6);
}

std::string short_time(double seconds) {
  long s = std::lround(seconds);
  if (s < 60) return fmt::format("{}s", s);
  if (s < 3600) return fmt::format("{}m{:02}s", s / 60, s % 60);
  return fmt::format("{}h{:02}m", s / 3600, s % 3600 / 60);
}

void Progress::say(const std::string& text) {
  clear();
  put(text + "\n");
}

void Progress::preparing(const std::string& what, double done) {
  if (terminal_) {
    redraw(fmt::format("{} {:.0f}%", what, 100 * done));
    if (done >= 1) say(fmt::format("{}: done", what));
    return;
  }
  if (preparing_ != what) {
    preparing_ = what;
    if (done < 1) say(fmt::format("{} …", what));
  }
  if (done >= 1) say(fmt::format("{}: done", what));
}

void Progress::running(const RunLabel& run, const std::optional<LiveFigures>& live,
                       double elapsed_s, std::optional<double> left_s) {
  if (!terminal_) return;
  std::string figures = live ? fmt::format("  w {} r {} IOPS", short_count(live->write_iops),
                                           short_count(live->read_iops))
                             : std::string();
  redraw(fmt::format("{}{}  {}{}", head(run), figures, short_time(elapsed_s), left_text(left_s)));
}

void Progress::finished(const RunLabel& run, const std::string& figures, double seconds,
                        std::optional<double> left_s) {
  say(fmt::format("{}  {}  {:.1f} s{}", head(run), figures, seconds, left_text(left_s)));
}

void Progress::put(const std::string& text) {
  // Nobody reading it is no reason to stop measuring.
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
}

void Progress::redraw(const std::string& line) {
  winsize size{};
  size_t columns =
      ioctl(fileno(out_), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
  put("\r\033[K" + line.substr(0, columns - 1));
  drawn_ = true;
}

void Progress::clear() {
  if (!drawn_) return;
  put("\r\033[K");
  drawn_ = false;
}

}  // namespace lab
