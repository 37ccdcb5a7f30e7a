// Asks daemons about themselves, all in one thread that waits for none: a daemon that is stuck
// misses its questions, and delays nobody else's.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "runner/base/file.h"
#include "runner/sampling/answers.h"
#include "runner/sampling/complaints.h"
#include "runner/sampling/http.h"
#include "runner/sampling/turns.h"

namespace lab::sampling {

// A daemon that is asked, by its admin socket, its metrics endpoint, or both.
struct Asked {
  std::string name;
  fs::path admin_socket;
  std::string metrics;  // URL
};

class Questions {
 public:
  // What an answer says; `missed` questions had none in time. Called by the thread.
  using Answered = std::function<void(size_t daemon, const std::vector<Figure>& figures)>;
  using Missed = std::function<void(size_t daemon, uint64_t questions)>;

  struct Timing {
    std::chrono::milliseconds period;    // of rounds
    std::chrono::milliseconds patience;  // for an answer
  };

  // The complaints outlive it.
  Questions(const std::vector<Asked>& daemons, Timing timing, Answered answered, Missed missed,
            Complaints& complaints);
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;
  ~Questions();

  // Whether this daemon is asked for "heap stats", which tell of tcmalloc. By any thread.
  void set_tcmalloc(size_t daemon, bool tcmalloc);

  void begin();
  // Returns the CPU time that the thread took, in seconds.
  double end();

 private:
  enum class Kind { mempools, priority_cache, heap, metrics };

  // The way to one daemon: its questions are asked one after the other.
  struct Line {
    size_t daemon = 0;
    std::string name;
    std::string admin_socket;  // else the other two
    HttpUrl url;
    std::vector<SocketAddress> addresses;
    size_t address = 0;              // the one that is tried
    std::atomic<bool> heap = false;  // "heap stats" is worth asking

    std::deque<Kind> left;  // of this round; the first is being asked, if any is
    Fd connection;          // none: nothing is being asked
    // No answer in time. The connection stays, so that a stuck daemon finds one question to answer
    // when it goes on, and not a queue of them that keeps others out.
    bool late = false;
    Clock::time_point deadline;
    std::string to_send;
    std::string received;
  };

  void run();
  void begin_round();
  static std::deque<Kind> round_of(const Line& line);
  void ask(Line& line);
  void proceed(Line& line);
  static bool send_rest(Line& line);
  static bool receive(Line& line);
  static std::optional<std::string> answer_of(const Line& line, bool closed);
  static std::vector<Figure> figures_of(Kind kind, std::string_view answer);
  void fail(Line& line, const std::string& what);
  void complain(const Line& line, const std::string& what);
  void give_up(Line& line);
  void close(Line& line);
  void wait();

  std::vector<std::unique_ptr<Line>> lines_;
  std::vector<size_t> socket_line_;  // by daemon: its line with the admin socket
  Timing timing_;
  Answered answered_;
  Missed missed_;
  Complaints& complaints_;
  Turns rounds_;
  std::deque<Line*> waiting_;  // for their turn
  std::vector<Line*> open_;    // with a connection
  size_t asking_ = 0;          // of those: not late
  Fd wake_;
  std::atomic<bool> ending_ = false;
  double cpu_s_ = 0;
  std::thread thread_;
};

}  // namespace lab::sampling
