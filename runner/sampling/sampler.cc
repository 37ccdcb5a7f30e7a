#include "runner/sampling/sampler.h"

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "results/samples.h"
#include "runner/daemons/driver.h"
#include "runner/sampling/local_source.h"
#include "runner/sampling/questions.h"
#include "runner/sampling/thread_cpu.h"

namespace lab::sampling {
namespace {

std::vector<Asked> asked_of(const std::vector<Subject>& subjects) {
  std::vector<Asked> asked;
  asked.reserve(subjects.size());
  for (const Subject& subject : subjects)
    asked.push_back({subject.name, subject.admin_socket, subject.metrics});
  return asked;
}

}  // namespace

class Sampler::Run {
 public:
  Run(std::vector<Subject> subjects, std::unique_ptr<Source> source, const fs::path& file,
      Settings settings)
      : settings_(std::move(settings)),
        log_(file),
        counts_(subjects.size()),
        questions_(
            asked_of(subjects), {settings_.questions, settings_.patience},
            [this](size_t i, const std::vector<Figure>& figures) { write(i, figures); },
            [this](size_t i, uint64_t questions) { miss(i, questions); }, complaints_) {
    for (const Subject& subject : subjects) names_.push_back(subject.name);
    source_ = source
                  ? std::move(source)
                  : std::make_unique<LocalSource>(
                        std::move(subjects),
                        [this](size_t i, bool tcmalloc) { questions_.set_tcmalloc(i, tcmalloc); },
                        complaints_);
  }
  ~Run() { stop(); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void start(const std::string& phase);
  void enter(const std::string& phase);
  Account stop();

 private:
  struct Counts {
    uint64_t samples = 0;
    uint64_t missed = 0;
  };

  void run();
  void close_look();
  void turn_phase(const std::string& phase);
  // Under the lock:
  void begin_moment();
  void write(const std::vector<std::optional<Reading>>& readings);
  void write(const std::string& name, const Reading& reading);
  void count(size_t subject, bool there);
  // Under none:
  void write(size_t subject, const std::optional<CloseReading>& reading);
  void write(size_t subject, const std::vector<Figure>& figures);
  void miss(size_t subject, uint64_t questions);
  Account account();

  const Settings settings_;
  std::vector<std::string> names_;
  Complaints complaints_;
  std::thread thread_;
  bool started_ = false;
  bool stopped_ = false;
  double callers_cpu_s_ = 0;  // in enter() and the like

  std::mutex mutex_;  // of all below that threads share
  std::condition_variable ending_changed_;
  bool ending_ = false;
  Clock::time_point begin_;
  std::string phase_;
  results::SampleLog log_;
  uint64_t looks_ = 0;
  uint64_t looks_missed_ = 0;
  std::vector<Counts> counts_;
  double thread_cpu_s_ = 0;
  std::vector<std::optional<Reading>> readings_;

  // Their threads use what is above, so they go first.
  std::unique_ptr<Source> source_;
  Questions questions_;
};

void Sampler::Run::start(const std::string& phase) {
  const double before = thread_cpu_s();
  source_->begin();
  begin_ = Clock::now();
  phase_ = phase;
  started_ = true;
  // Peaks of what was before are nobody's.
  source_->turn_phase(readings_);
  thread_ = std::thread([this] { run(); });
  questions_.begin();
  close_look();
  callers_cpu_s_ += thread_cpu_s() - before;
}

void Sampler::Run::enter(const std::string& phase) {
  const double before = thread_cpu_s();
  close_look();
  turn_phase(phase);
  callers_cpu_s_ += thread_cpu_s() - before;
}

Account Sampler::Run::stop() {
  if (!started_ || stopped_) return account();
  stopped_ = true;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  ending_changed_.notify_one();
  thread_.join();
  callers_cpu_s_ += questions_.end();
  enter(phase_);
  callers_cpu_s_ += source_->end();
  log_.finish();
  return account();
}

Account Sampler::Run::account() {
  Account account;
  account.looks = looks_;
  account.looks_missed = looks_missed_;
  for (size_t i = 0; i < names_.size(); ++i) {
    account.samples[names_[i]] += counts_[i].samples;
    account.missed[names_[i]] += counts_[i].missed;
  }
  account.lines_lost = log_.lines_lost();
  account.cpu_s = callers_cpu_s_ + thread_cpu_s_;
  if (!log_.problem().empty()) account.complaints.push_back(log_.problem());
  for (const std::string& complaint : complaints_.all()) account.complaints.push_back(complaint);
  return account;
}

void Sampler::Run::run() {
  std::unique_lock lock(mutex_);
  Turns turns(begin_, settings_.period);
  while (!ending_changed_.wait_until(lock, turns.due(), [this] { return ending_; })) {
    looks_missed_ += turns.take(Clock::now());
    ++looks_;
    begin_moment();
    source_->look(readings_);
    write(readings_);
    log_.flush();
  }
  thread_cpu_s_ = thread_cpu_s();
}

void Sampler::Run::close_look() {
  source_->look_closely([this](size_t subject, const std::optional<CloseReading>& reading) {
    write(subject, reading);
  });
}

void Sampler::Run::turn_phase(const std::string& phase) {
  const std::lock_guard lock(mutex_);
  begin_moment();
  source_->turn_phase(readings_);
  write(readings_);
  log_.flush();
  phase_ = phase;
}

void Sampler::Run::begin_moment() {
  const double time_s = std::chrono::duration<double>(Clock::now() - begin_).count();
  log_.at(time_s, settings_.wall(), phase_);
}

void Sampler::Run::count(size_t subject, bool there) {
  ++(there ? counts_[subject].samples : counts_[subject].missed);
}

void Sampler::Run::write(const std::vector<std::optional<Reading>>& readings) {
  for (size_t i = 0; i < readings.size(); ++i) {
    count(i, readings[i].has_value());
    if (readings[i]) write(names_[i], *readings[i]);
  }
}

void Sampler::Run::write(const std::string& name, const Reading& reading) {
  log_.add(name, "rss", reading.rss_bytes);
  if (reading.peak_rss_bytes) log_.add(name, "peak_rss", *reading.peak_rss_bytes);
  log_.add(name, "rss_anon", reading.rss_anon_bytes);
  log_.add(name, "threads", reading.threads);
  log_.add(name, "cpu", reading.cpu_ms);
  if (reading.cgroup_anon_bytes) log_.add(name, "cgroup_anon", *reading.cgroup_anon_bytes);
}

void Sampler::Run::write(size_t subject, const std::optional<CloseReading>& reading) {
  const std::lock_guard lock(mutex_);
  count(subject, reading.has_value());
  if (!reading) return;
  begin_moment();
  log_.add(names_[subject], "pss_anon", reading->pss_anon_bytes);
  log_.add(names_[subject], "anon_huge_pages", reading->anon_huge_pages_bytes);
}

void Sampler::Run::write(size_t subject, const std::vector<Figure>& figures) {
  const std::lock_guard lock(mutex_);
  count(subject, true);
  begin_moment();
  for (const Figure& figure : figures) log_.add(names_[subject], figure.metric, figure.value);
}

void Sampler::Run::miss(size_t subject, uint64_t questions) {
  const std::lock_guard lock(mutex_);
  counts_[subject].missed += questions;
}

Sampler::Sampler(std::vector<Subject> subjects, const fs::path& file, Settings settings)
    : Sampler(std::move(subjects), nullptr, file, std::move(settings)) {}
Sampler::Sampler(std::vector<Subject> subjects, std::unique_ptr<Source> source,
                 const fs::path& file, Settings settings)
    : run_(std::make_unique<Run>(std::move(subjects), std::move(source), file,
                                 std::move(settings))) {}
Sampler::~Sampler() = default;

void Sampler::start(const std::string& phase) { run_->start(phase); }
void Sampler::enter(const std::string& phase) { run_->enter(phase); }
Account Sampler::stop() { return run_->stop(); }

std::optional<results::Mark> missed_looks(const Account& account) {
  if (account.looks_missed == 0) return {};
  return results::Mark{
      results::Weight::note, "samples-missed",
      fmt::format("{} of {} looks at the daemons' memory were missed, since the host was busy",
                  account.looks_missed, account.looks + account.looks_missed)};
}

std::vector<Subject> subjects_of(daemons::Driver& driver) {
  const std::shared_ptr<daemons::Driver> own = daemons::open_driver(driver.address());
  std::vector<Subject> subjects;
  for (const std::string& name : own->daemons()) {
    Subject subject;
    subject.name = name;
    subject.find = [own, name] { return own->process(name); };
    try {
      subject.admin_socket = own->admin_socket(name);
    } catch (const Error&) {
      // It does not run now: its process will be found, and it will be asked nothing.
    }
    subjects.push_back(std::move(subject));
  }
  return subjects;
}

}  // namespace lab::sampling
