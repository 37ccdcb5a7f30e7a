#include "runner/base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "runner/base/error.h"
#include "runner/base/text.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

struct Pipe {
  Fd read;
  Fd write;
};

Pipe make_pipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0)
    throw environment_error("cannot make a pipe: {}", strerror(errno));
  return {Fd(fds[0]), Fd(fds[1])};
}

Fd open_output(const fs::path& path) {
  Fd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!fd)
    throw environment_error("{}: cannot open for output: {}", path.string(), strerror(errno));
  return fd;
}

int decode(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

// Forks and executes; everything is prepared before the fork, since only
// async-signal-safe calls are allowed in the child of a threaded program.
pid_t spawn(const Command& command, int out, int err) {
  std::vector<char*> argv;
  for (const std::string& arg : command.argv) argv.push_back(const_cast<char*>(arg.c_str()));
  argv.push_back(nullptr);

  std::map<std::string, std::string> merged;
  for (char** e = environ; *e; ++e) {
    std::string_view entry(*e);
    size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    std::string name(entry.substr(0, equals));
    if (!command.withhold || !command.withhold(name)) merged[name] = entry.substr(equals + 1);
  }
  for (const auto& [key, value] : command.environment) merged[key] = value;
  std::vector<std::string> entries;
  entries.reserve(merged.size());
  for (const auto& [key, value] : merged) entries.push_back(key + "=" + value);
  std::vector<char*> envp;
  envp.reserve(entries.size() + 1);
  for (std::string& entry : entries) envp.push_back(entry.data());
  envp.push_back(nullptr);

  fs::path program = find_program(command.argv.at(0));
  if (program.empty())
    throw environment_error(
        "{}: no such program; is its package installed? (./bootstrap installs all)",
        command.argv[0]);
  Fd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  Pipe failure = make_pipe();

  const pid_t parent = getpid();
  pid_t pid = fork();
  if (pid < 0) throw environment_error("cannot start {}: {}", command.argv[0], strerror(errno));
  if (pid == 0) {
    if (command.new_session)
      setsid();
    else
      setpgid(0, 0);
    if (command.ends_with_lab) {
      prctl(PR_SET_PDEATHSIG, SIGTERM);
      if (getppid() != parent) _exit(127);  // it died before
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    signal(SIGPIPE, SIG_DFL);
    dup2(null.get(), 0);
    dup2(out >= 0 ? out : null.get(), 1);
    dup2(err >= 0 ? err : null.get(), 2);
    if (command.directory.empty() || chdir(command.directory.c_str()) == 0)
      execve(program.c_str(), argv.data(), envp.data());
    int error = errno;
    [[maybe_unused]] ssize_t n = write(failure.write.get(), &error, sizeof error);
    _exit(127);
  }
  failure.write = Fd();
  int error = 0;
  ssize_t n;
  do n = read(failure.read.get(), &error, sizeof error);
  while (n < 0 && errno == EINTR);
  if (n == sizeof error) {
    waitpid(pid, nullptr, 0);
    throw environment_error("cannot start {}: {}", program.string(), strerror(error));
  }
  return pid;
}

}  // namespace

std::optional<ProcessStat> parse_process_stat(std::string_view text) {
  // The second field, the name in brackets, may hold spaces and brackets itself.
  const size_t close = text.rfind(')');
  if (close == std::string_view::npos || close + 2 > text.size()) return {};
  text.remove_prefix(close + 2);
  constexpr size_t first = 3;  // field, as proc(5) numbers them
  std::array<std::string_view, 20> fields;
  for (std::string_view& field : fields) {
    const size_t space = text.find(' ');
    field = text.substr(0, space);
    if (field.empty()) return {};
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  const auto read = [&](size_t field, auto& number) {
    const std::string_view digits = fields[field - first];
    return std::from_chars(digits.data(), digits.data() + digits.size(), number).ec == std::errc{};
  };
  ProcessStat stat;
  uint64_t user = 0;
  uint64_t kernel = 0;
  stat.state = fields[0][0];
  if (!read(4, stat.parent) || !read(14, user) || !read(15, kernel) || !read(22, stat.start_ticks))
    return {};
  stat.cpu_ticks = user + kernel;
  return stat;
}

std::optional<ProcessId> identify(pid_t pid) {
  const std::string stat = read_file_or_empty("/proc/" + std::to_string(pid) + "/stat");
  const std::optional<ProcessStat> found = parse_process_stat(stat);
  if (!found || found->state == 'Z' || found->state == 'X') return {};
  return ProcessId{pid, found->start_ticks};
}

bool is_running(const ProcessId& id) { return identify(id.pid) == id; }

void end_process(const ProcessId& id, milliseconds grace) {
  auto deadline = Clock::now() + grace;
  if (is_running(id)) kill(id.pid, SIGTERM);
  while (is_running(id) && Clock::now() < deadline) {
    waitpid(id.pid, nullptr, WNOHANG);
    std::this_thread::sleep_for(milliseconds(20));
  }
  while (is_running(id)) {
    kill(id.pid, SIGKILL);
    waitpid(id.pid, nullptr, WNOHANG);
    std::this_thread::sleep_for(milliseconds(10));
  }
  waitpid(id.pid, nullptr, WNOHANG);
}

Finished run_command(const Command& command, milliseconds timeout) {
  Pipe out = make_pipe();
  Pipe err = make_pipe();
  Fd out_file;
  Fd err_file;
  if (!command.output.empty()) out_file = open_output(command.output);
  if (!command.error_output.empty()) err_file = open_output(command.error_output);
  pid_t pid = spawn(command, out_file ? out_file.get() : out.write.get(),
                    err_file ? err_file.get() : err.write.get());
  out.write = Fd();
  err.write = Fd();

  Finished finished;
  pollfd fds[2] = {{out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}};
  std::string* texts[2] = {&finished.out, &finished.err};
  auto deadline = Clock::now() + timeout;
  int open_ends = 2;
  while (open_ends > 0) {
    auto left = std::chrono::duration_cast<milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      kill(-pid, SIGKILL);
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
      throw environment_error("{} did not end within {:.0f} s and was killed", command.argv[0],
                              std::chrono::duration<double>(timeout).count());
    }
    if (poll(fds, 2, static_cast<int>(left.count())) <= 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      char buffer[65536];
      ssize_t n = read(fds[i].fd, buffer, sizeof buffer);
      if (n > 0) {
        texts[i]->append(buffer, static_cast<size_t>(n));
      } else if (n == 0 || errno != EINTR) {
        fds[i].fd = -1;
        --open_ends;
      }
    }
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  finished.status = decode(status);
  return finished;
}

std::string run_checked(const Command& command, milliseconds timeout) {
  Finished finished = run_command(command, timeout);
  if (finished.status == 0) return finished.out;
  std::string words = last_lines(finished.err.empty() ? finished.out : finished.err, 5);
  throw environment_error("{} failed with status {}: {}", join(command.argv, " "), finished.status,
                          words);
}

Child Child::start(const Command& command) {
  Fd out;
  Fd err;
  if (!command.output.empty()) out = open_output(command.output);
  if (!command.error_output.empty()) err = open_output(command.error_output);
  return Child(spawn(command, out.get(), err.get()));
}

Child::Child(Child&& other) noexcept : pid_(other.pid_), status_(other.status_) { other.pid_ = -1; }

Child::~Child() {
  if (pid_ > 0 && !status_) {
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

std::optional<int> Child::wait(milliseconds timeout) {
  auto deadline = Clock::now() + timeout;
  while (!status_) {
    int status = 0;
    pid_t ended = waitpid(pid_, &status, WNOHANG);
    if (ended == pid_)
      status_ = decode(status);
    else if (ended < 0 && errno != EINTR)
      status_ = 127;
    else if (Clock::now() >= deadline)
      return {};
    else
      std::this_thread::sleep_for(milliseconds(10));
  }
  return status_;
}

int Child::stop(milliseconds grace) {
  if (!status_) kill(-pid_, SIGINT);
  if (!wait(grace)) {
    kill(-pid_, SIGKILL);
    kill(pid_, SIGKILL);
  }
  // A process in uninterruptible sleep (a device that hangs) survives SIGKILL for now.
  return wait(std::chrono::seconds(30)).value_or(128 + SIGKILL);
}

fs::path find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = getenv("PATH");
  for (const std::string& directory : split(path ? path : "/usr/bin:/bin:/usr/sbin:/sbin", ':')) {
    fs::path candidate = fs::path(directory.empty() ? "." : directory) / name;
    if (access(candidate.c_str(), X_OK) == 0 && !fs::is_directory(candidate)) return candidate;
  }
  return {};
}

}  // namespace lab
