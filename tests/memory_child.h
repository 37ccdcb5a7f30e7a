// A child process that holds as much memory as it is told to.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>

#include "runner/base/file.h"
#include "runner/base/process.h"

namespace lab {

class MemoryChild {
 public:
  MemoryChild() {
    int to_child[2];
    int to_parent[2];
    if (pipe2(to_child, O_CLOEXEC) != 0 || pipe2(to_parent, O_CLOEXEC) != 0)
      throw std::runtime_error("no pipes");
    const pid_t pid = fork();
    if (pid < 0) throw std::runtime_error("no child");
    if (pid == 0) {
      close(to_child[1]);
      close(to_parent[0]);
      serve(to_child[0], to_parent[1]);
    }
    close(to_child[0]);
    close(to_parent[1]);
    command_ = Fd(to_child[1]);
    done_ = Fd(to_parent[0]);
    process_ = identify(pid).value();
  }
  MemoryChild(const MemoryChild&) = delete;
  MemoryChild& operator=(const MemoryChild&) = delete;
  ~MemoryChild() { end(); }

  const ProcessId& process() const { return process_; }

  // All of it touched when this returns, and what it held before given back.
  void hold(uint64_t bytes) {
    char done = 0;
    if (write(command_.get(), &bytes, sizeof bytes) != sizeof bytes ||
        read(done_.get(), &done, 1) != 1)
      throw std::runtime_error("the child has ended");
  }

  // Gone when this returns, with its number free.
  void end() {
    if (process_.pid == 0) return;
    kill(process_.pid, SIGKILL);
    waitpid(process_.pid, nullptr, 0);
    process_ = {};
  }

 private:
  [[noreturn]] static void serve(int command, int done) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    void* area = nullptr;
    uint64_t held = 0;
    for (uint64_t bytes = 0; read(command, &bytes, sizeof bytes) == sizeof bytes;) {
      if (held > 0) munmap(area, held);
      held = bytes;
      if (held > 0) {
        area = mmap(nullptr, held, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (area == MAP_FAILED) _exit(1);
        memset(area, 1, held);
      }
      if (write(done, "d", 1) != 1) break;
    }
    _exit(0);
  }

  ProcessId process_;
  Fd command_;
  Fd done_;
};

}  // namespace lab
