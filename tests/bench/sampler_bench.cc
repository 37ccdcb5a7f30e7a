// What the sampler costs: 60 processes that have touched 1 GiB in all, and one of 4 GiB (less if
// the machine has not as much), followed at 1 Hz for 20 s and asked on admin sockets that answer
// as an OSD does. CPU time of the sampler between its close looks, as its own threads are
// charged and as the kernel charges the whole process, beside 1% of a core; and what the close
// looks at both ends take. The same for 1,000 daemons, which are the 60
// many times over.
#include <poll.h>
#include <sys/resource.h>

#include <array>
#include <charconv>

#include "runner/base/temporary_directory.h"
#include "runner/base/text.h"
#include "runner/sampling/sampler.h"
#include "tests/answering_socket.h"
#include "tests/bench/ratio_line.h"
#include "tests/memory_child.h"

namespace {

using namespace lab;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr size_t kSmall = 60;
constexpr size_t kMany = 1000;
constexpr uint64_t kGiB = uint64_t{1} << 30;
constexpr seconds kTime{20};
constexpr int kRounds = 4;

uint64_t available_bytes() {
  const std::string text = read_file("/proc/meminfo");
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    constexpr std::string_view name = "MemAvailable:";
    uint64_t kib = 0;
    if (!line.starts_with(name)) continue;
    const std::string_view number = trim(line.substr(name.size()));
    std::from_chars(number.data(), number.data() + number.size(), kib);
    return kib * 1024;
  }
  return 0;
}

// As long as a Ceph 16 OSD's: 2 KB and 30 KB.
std::string mempools() {
  std::string pools;
  for (int i = 0; i < 25; ++i)
    pools += fmt::format(R"({}"pool_of_some_length_{}":{{"items":{},"bytes":{}}})", i ? "," : "", i,
                         i % 3 * 1000, i % 3 * 123456);
  return R"({"mempool":{"by_pool":{)" + pools + R"(},"total":{"items":1000000,"bytes":98765432}}})";
}

std::string perf_dump() {
  std::string out = "{";
  for (int section = 0; section < 30; ++section) {
    out += fmt::format(R"("section_{}":{{)", section);
    for (int i = 0; i < 25; ++i)
      out +=
          fmt::format(R"({}"counter_number_{}":{{"avgcount":{},"sum":1.5}})", i ? "," : "", i, i);
    out += "},";
  }
  out += R"("prioritycache":{"target_bytes":1,"mapped_bytes":2,"unmapped_bytes":3,"heap_bytes":4,)"
         R"("cache_bytes":5})";
  for (const char* cache : {"data", "kv", "kv_onode", "meta"})
    out += fmt::format(
        R"(,"prioritycache:{}":{{"pri0_bytes":1,"pri1_bytes":0,"reserved_bytes":2,"committed_bytes":3}})",
        cache);
  return out + "}";
}

// Answers on all sockets, in a process of its own, so that it is not charged to the sampler.
class Responder {
 public:
  explicit Responder(const std::vector<fs::path>& sockets) {
    std::vector<Fd> listeners;
    for (const fs::path& path : sockets) listeners.push_back(AnsweringSocket::listen_at(path));
    const pid_t pid = fork();
    if (pid == 0) serve(listeners);
    process_ = identify(pid).value();
  }
  ~Responder() { end_process(process_, seconds(5)); }
  Responder(const Responder&) = delete;
  Responder& operator=(const Responder&) = delete;

 private:
  [[noreturn]] static void serve(const std::vector<Fd>& listeners) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const std::string pools = mempools();
    const std::string counters = perf_dump();
    std::vector<pollfd> files;
    for (const Fd& listener : listeners) files.push_back({listener.get(), POLLIN, 0});
    while (poll(files.data(), files.size(), -1) > 0)
      for (const pollfd& file : files)
        if (file.revents)
          AnsweringSocket::answer_one(file.fd, [&](const std::string& command) {
            return command.find("perf") == std::string::npos ? pools : counters;
          });
    _exit(0);
  }
  ProcessId process_;
};

double process_cpu_s() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds_of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

struct Cost {
  double threads_s = 0;   // of CPU between the close looks, by the sampler's own account
  double process_s = 0;   // the same, of the whole process, as the kernel charges it
  double wall_s = 0;      // between them
  double boundary_s = 0;  // of CPU: start and stop, each with a close look
  sampling::Account account;
};

Cost sample(const std::vector<sampling::Subject>& subjects) {
  const TemporaryDirectory directory;
  sampling::Sampler sampler(subjects, directory.path() / "samples.csv");
  const double first = process_cpu_s();
  sampler.start("bench");
  const double second = process_cpu_s();
  const auto begin = Clock::now();
  std::this_thread::sleep_for(kTime);
  const double third = process_cpu_s();
  Cost cost;
  cost.wall_s = std::chrono::duration<double>(Clock::now() - begin).count();
  cost.account = sampler.stop();
  cost.process_s = third - second;
  cost.boundary_s = process_cpu_s() - first - cost.process_s;
  cost.threads_s = cost.account.cpu_s - cost.boundary_s;
  return cost;
}

void tell(const char* what, const Cost& cost, size_t daemons) {
  uint64_t missed = 0;
  for (const auto& [name, count] : cost.account.missed) missed += count;
  fmt::print(
      "{} of {} daemons, {:.1f} s: {:.3f}% of a core by its threads, {:.3f}% by the process, "
      "{:.1f} "
      "us a daemon and second; start and end {:.0f} ms of CPU; {} looks, {} missed; {} readings "
      "missed, {} complaints\n",
      what, daemons, cost.wall_s, 100 * cost.threads_s / cost.wall_s,
      100 * cost.process_s / cost.wall_s,
      1e6 * cost.process_s / cost.wall_s / static_cast<double>(daemons), 1e3 * cost.boundary_s,
      cost.account.looks, cost.account.looks_missed, missed, cost.account.complaints.size());
  if (!cost.account.complaints.empty()) fmt::print("  {}\n", cost.account.complaints[0]);
  fflush(stdout);
}

void run_benchmark() {
  const uint64_t available = available_bytes();
  uint64_t large = 4 * kGiB;
  if (available < 8 * kGiB) {
    large = available / 2;
    fmt::print("MemAvailable is {}: the large process has {} instead of 4 GiB\n",
               format_bytes(available), format_bytes(large));
  }
  const TemporaryDirectory directory;
  std::vector<std::unique_ptr<MemoryChild>> children;
  std::vector<fs::path> sockets;
  for (size_t i = 0; i <= kSmall; ++i) {
    children.push_back(std::make_unique<MemoryChild>());
    children.back()->hold(i < kSmall ? kGiB / kSmall : large);
    sockets.push_back(directory.path() / std::to_string(i));
  }
  const Responder responder(sockets);
  const auto subjects = [&](size_t count, bool asked) {
    std::vector<sampling::Subject> list;
    for (size_t i = 0; i < count; ++i) {
      const size_t which = count > children.size() ? i % kSmall : i;
      const MemoryChild& child = *children[which];
      list.push_back({fmt::format("osd.{}", i), [&child] { return std::optional(child.process()); },
                      asked ? sockets[which] : fs::path(), ""});
    }
    return list;
  };
  std::vector<bench::Round> rounds;
  for (int i = 0; i < kRounds; ++i) {
    const Cost cost = sample(subjects(children.size(), true));
    tell("looks and questions", cost, children.size());
    rounds.push_back({cost.process_s, 0.01 * cost.wall_s});
  }
  tell("looks alone", sample(subjects(children.size(), false)), children.size());
  tell("looks and questions", sample(subjects(kMany, true)), kMany);
  tell("looks alone", sample(subjects(kMany, false)), kMany);
  bench::print_ratio("sampler-61-daemons-to-1-percent-of-a-core", rounds, 0.5);
}

}  // namespace

int main() {
  try {
    run_benchmark();
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "bench-sampler: {}\n", e.what());
    return 1;
  }
}
