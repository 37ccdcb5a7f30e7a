#include "runner/sampling/questions.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engines/ceph/admin_socket.h"
#include "runner/base/error.h"
#include "runner/sampling/thread_cpu.h"

namespace lab::sampling {
namespace {

// At the same time. Those that are stuck hold their places until their time is over, and no longer.
constexpr size_t kMostAsked = 32;
constexpr size_t kMostReceived = 64 << 20;
constexpr size_t kRead = 64 << 10;
constexpr size_t kNone = static_cast<size_t>(-1);

}  // namespace

Questions::Questions(const std::vector<Asked>& daemons, Timing timing, Answered answered,
                     Missed missed, Complaints& complaints)
    : socket_line_(daemons.size(), kNone),
      timing_(timing),
      answered_(std::move(answered)),
      missed_(std::move(missed)),
      complaints_(complaints),
      rounds_(Clock::now(), timing.period),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  lines_.reserve(2 * daemons.size());
  for (size_t i = 0; i < daemons.size(); ++i) {
    const Asked& daemon = daemons[i];
    auto line = std::make_unique<Line>();
    line->daemon = i;
    line->name = daemon.name;
    if (!daemon.admin_socket.empty()) {
      line->admin_socket = daemon.admin_socket;
      socket_line_[i] = lines_.size();
      lines_.push_back(std::move(line));
      line = std::make_unique<Line>();
      line->daemon = i;
      line->name = daemon.name;
    }
    if (daemon.metrics.empty()) continue;
    try {
      const std::optional<HttpUrl> url = parse_http_url(daemon.metrics);
      if (!url) throw environment_error("{}: is no http://HOST:PORT/PATH", daemon.metrics);
      line->url = *url;
      line->addresses = addresses_of(*url);
    } catch (const Error& e) {
      complaints_.add(fmt::format("{}: {}", daemon.name, e.what()));
    }
    lines_.push_back(std::move(line));
  }
}

Questions::~Questions() { end(); }

void Questions::set_tcmalloc(size_t daemon, bool tcmalloc) {
  if (socket_line_[daemon] != kNone) lines_[socket_line_[daemon]]->heap = tcmalloc;
}

void Questions::begin() {
  rounds_ = Turns(Clock::now(), timing_.period);
  thread_ = std::thread([this] { run(); });
}

double Questions::end() {
  if (!thread_.joinable()) return cpu_s_;
  ending_ = true;
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(wake_.get(), &one, sizeof one);
  thread_.join();
  return cpu_s_;
}

void Questions::run() {
  while (!ending_) {
    const auto now = Clock::now();
    if (now >= rounds_.due()) {
      const uint64_t missed = rounds_.take(now);
      for (const auto& line : lines_)
        if (missed > 0) missed_(line->daemon, missed * round_of(*line).size());
      begin_round();
    }
    const std::vector<Line*> open = open_;
    for (Line* line : open)
      if (!line->late && now >= line->deadline) give_up(*line);
    while (asking_ < kMostAsked && !waiting_.empty()) {
      Line* line = waiting_.front();
      waiting_.pop_front();
      ask(*line);
    }
    wait();
  }
  cpu_s_ = thread_cpu_s();
}

std::deque<Questions::Kind> Questions::round_of(const Line& line) {
  if (line.admin_socket.empty()) return {Kind::metrics};
  std::deque<Kind> kinds = {Kind::mempools, Kind::priority_cache};
  if (line.heap) kinds.push_back(Kind::heap);
  return kinds;
}

void Questions::begin_round() {
  for (const auto& line : lines_) {
    std::deque<Kind> kinds = round_of(*line);
    const bool reachable = !line->admin_socket.empty() || !line->addresses.empty();
    if (!reachable || line->late || !line->left.empty()) {
      missed_(line->daemon, kinds.size());
      continue;
    }
    line->left = std::move(kinds);
    waiting_.push_back(line.get());
  }
}

void Questions::ask(Line& line) {
  static constexpr std::array<const char*, 3> commands = {
      R"({"prefix": "dump_mempools"})", R"({"prefix": "perf dump"})",
      R"({"prefix": "heap", "heapcmd": "stats"})"};
  line.received.clear();
  line.deadline = Clock::now() + timing_.patience;
  try {
    int connected = 0;
    if (!line.admin_socket.empty()) {
      const sockaddr_un address = ceph::admin_socket_address(line.admin_socket);
      line.to_send = ceph::admin_socket_request(commands[static_cast<size_t>(line.left.front())]);
      line.connection = Fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
      connected = connect(line.connection.get(), reinterpret_cast<const sockaddr*>(&address),
                          sizeof address);
    } else {
      const SocketAddress& address = line.addresses[line.address];
      line.to_send = http_request(line.url);
      line.connection =
          Fd(socket(address.bytes.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
      connected = connect(line.connection.get(), reinterpret_cast<const sockaddr*>(&address.bytes),
                          address.size);
    }
    if (connected != 0 && errno != EINPROGRESS)
      throw environment_error("cannot connect: {}", strerror(errno));
    open_.push_back(&line);
    ++asking_;
  } catch (const Error& e) {
    line.connection = Fd();
    fail(line, e.what());
  }
}

// True when all is sent.
bool Questions::send_rest(Line& line) {
  while (!line.to_send.empty()) {
    const ssize_t n = send(line.connection.get(), line.to_send.data(), line.to_send.size(),
                           MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return false;
    if (n < 0) throw environment_error("cannot send the question: {}", strerror(errno));
    line.to_send.erase(0, static_cast<size_t>(n));
  }
  return true;
}

// What has come. True when nothing more will.
bool Questions::receive(Line& line) {
  for (;;) {
    char buffer[kRead];
    const ssize_t n = recv(line.connection.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return false;
    if (n < 0) throw environment_error("cannot read the answer: {}", strerror(errno));
    if (n == 0) return true;
    line.received.append(buffer, static_cast<size_t>(n));
    if (line.received.size() > kMostReceived) throw environment_error("the answer has no end");
  }
}

// None while some of it is missing.
std::optional<std::string> Questions::answer_of(const Line& line, bool closed) {
  if (line.admin_socket.empty()) return http_content(line.received, closed);
  const auto answer = ceph::admin_socket_answer(line.admin_socket, line.received);
  if (!answer && closed) throw environment_error("the answer broke off");
  return answer ? std::optional(std::string(*answer)) : std::nullopt;
}

std::vector<Figure> Questions::figures_of(Kind kind, std::string_view answer) {
  switch (kind) {
    case Kind::mempools:
      return mempool_figures(answer);
    case Kind::priority_cache:
      return priority_cache_figures(answer);
    case Kind::heap:
      return heap_figures(answer);
    case Kind::metrics:
      break;
  }
  return resident_figures(answer);
}

void Questions::proceed(Line& line) {
  const bool in_time = !line.late;
  try {
    if (!send_rest(line)) return;
    const std::optional<std::string> answer = answer_of(line, receive(line));
    if (!answer) return;
    close(line);
    if (!in_time) return;
    answered_(line.daemon, figures_of(line.left.front(), *answer));
    line.left.pop_front();
    // First, so that what was begun is whole before the next round.
    if (!line.left.empty()) waiting_.push_front(&line);
  } catch (const Error& e) {
    if (line.connection) close(line);
    if (in_time) fail(line, e.what());
  }
}

// The rest of this round is missed.
void Questions::fail(Line& line, const std::string& what) {
  complain(line, what);
  if (line.left.front() == Kind::heap) line.heap = false;
  if (!line.addresses.empty()) line.address = (line.address + 1) % line.addresses.size();
  missed_(line.daemon, line.left.size());
  line.left.clear();
}

void Questions::complain(const Line& line, const std::string& what) {
  complaints_.add(fmt::format(
      "{}: {}: {}", line.name,
      line.admin_socket.empty() ? line.url.host + ":" + line.url.port : line.admin_socket, what));
}

void Questions::give_up(Line& line) {
  complain(line, fmt::format("no answer within {} ms", timing_.patience.count()));
  missed_(line.daemon, line.left.size());
  line.left.clear();
  if (line.admin_socket.empty()) {
    close(line);
  } else {
    line.late = true;
    --asking_;
  }
}

void Questions::close(Line& line) {
  if (!line.late) --asking_;
  line.late = false;
  line.connection = Fd();
  open_.erase(std::find(open_.begin(), open_.end(), &line));
}

void Questions::wait() {
  using std::chrono::milliseconds;
  auto until = rounds_.due();
  std::vector<pollfd> files = {{wake_.get(), POLLIN, 0}};
  files.reserve(open_.size() + 1);
  const std::vector<Line*> open = open_;
  for (const Line* line : open) {
    if (!line->late) until = std::min(until, line->deadline);
    files.push_back(
        {line->connection.get(), static_cast<short>(line->to_send.empty() ? POLLIN : POLLOUT), 0});
  }
  const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
  if (poll(files.data(), files.size(), static_cast<int>(std::max<int64_t>(left, 0))) <= 0) return;
  for (size_t i = 0; i < open.size(); ++i)
    if (files[i + 1].revents != 0) proceed(*open[i]);
}

}  // namespace lab::sampling
