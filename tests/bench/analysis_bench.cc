// 1,000 json+ files into every table, beside jq, which reads them once and prints a name of
// each. Both are processes of their own, started in turn. And how much more memory lab takes
// for 1,000 runs than for 100, beside the size of the 900 files: files and histograms are not
// kept, a run's figures and its lines of tidy.csv are.
#include <array>
#include <charconv>
#include <chrono>
#include <fstream>
#include <random>

#include "analysis/render/renderer.h"
#include "results/writer.h"
#include "runner/base/process.h"
#include "runner/base/temporary_directory.h"
#include "runner/base/text.h"
#include "tests/bench/ratio_line.h"

namespace {

using namespace lab;
using namespace std::chrono_literals;

constexpr unsigned kCells = 4;
constexpr int kRounds = 8;

// What fio writes of a few seconds: two steps of two jobs, with the bins that a real device
// makes of them.
std::string real_output(const fs::path& directory) {
  write_file_atomically(directory / "bench.fio",
                        "[global]\nioengine=libaio\nfilename=bench.data\nsize=64m\nbs=4k\n"
                        "iodepth=16\nnumjobs=2\nruntime=2\ntime_based=1\n"
                        "[randwrite]\nrw=randwrite\n[randread]\nstonewall=1\nrw=randread\n");
  Command fio;
  fio.argv = {"fio", "--output-format=json+", "--output=fio.json", "bench.fio"};
  fio.directory = directory;
  run_checked(fio, 60s);
  return read_file(directory / "fio.json");
}

// The same with other counts: no two files are alike, and the statistics have noise to judge.
std::string varied(std::string_view output, std::mt19937& random) {
  std::uniform_real_distribution<double> factor(0.98, 1.02);
  std::string out;
  out.reserve(output.size());
  for (const std::string& line : split(output, '\n')) {
    const std::string_view text = trim(line);
    const size_t colon = line.find(": ");
    uint64_t count = 0;
    const bool bin = text.size() > 1 && text[0] == '"' && isdigit(text[1]) != 0;
    if (colon != std::string::npos && (bin || text.starts_with("\"total_ios\""))) {
      const char* begin = line.data() + colon + 2;
      const auto [end, failure] = std::from_chars(begin, line.data() + line.size(), count);
      if (failure == std::errc{} && count > 0) {
        out += line.substr(0, colon + 2);
        out +=
            std::to_string(1 + static_cast<uint64_t>(static_cast<double>(count) * factor(random)));
        out += end;
        out += '\n';
        continue;
      }
    }
    out += line + '\n';
  }
  out.pop_back();
  return out;
}

results::Plan plan_of(unsigned runs) {
  results::Plan plan;
  plan.phases = {{{"randwrite"}, true, false}, {{"randread"}, false, true}};
  for (unsigned cell = 0; cell < kCells; ++cell) {
    const std::string name = fmt::format("level{}", cell);
    plan.cells.push_back({name, "4k-" + name, {{"factor", name}}});
    plan.rows.push_back({cell + 2, name, "rand rw", 4096, 16, 2, 0, 1});
  }
  for (unsigned i = 0; i < runs; ++i) {
    const unsigned block = i / kCells;
    const unsigned place = i % kCells;
    const unsigned cell = block % 2 == 0 ? place : kCells - 1 - place;
    plan.runs.push_back({i + 1, plan.cells[cell].name, block + 1, place + 1, true});
  }
  return plan;
}

// A result directory as lab run leaves it; not synced to disk file by file as lab run does.
fs::path make_results(const fs::path& root, const std::string& output, unsigned runs) {
  fs::path directory = root / fmt::format("{}-runs", runs);
  const results::Plan plan = plan_of(runs);
  results::Manifest manifest;
  manifest.title = "bench";
  manifest.target = "block";
  manifest.matrix = {"factor"};
  make_directories(directory / "runs");
  write_file_atomically(directory / "plan.json", json_text(to_json(plan)));
  write_file_atomically(directory / "manifest.json", json_text(to_json(manifest)));
  std::mt19937 random(1);
  for (const results::PlannedRun& run : plan.runs) {
    const fs::path folder =
        directory / "runs" / fmt::format("{:04}-b{}-{}", run.index, run.block, run.cell);
    make_directories(folder);
    results::RunRecord record;
    record.index = run.index;
    record.cell = run.cell;
    record.block = run.block;
    record.position = run.position;
    std::ofstream(folder / "run.json") << json_text(to_json(record));
    std::ofstream(folder / "fio.json") << varied(output, random);
  }
  return directory;
}

// The child's side: every table of a directory, and the peak of this process's memory in KiB.
int render_all(const fs::path& directory) {
  const analysis::Table table = analysis::load_table(results::ResultReader::load(directory));
  size_t bytes = 0;
  for (const std::string& format : analysis::format_names())
    bytes += analysis::make_renderer(*analysis::format_from_text(format))->render(table).size();
  const std::string status = read_file("/proc/self/status");
  const size_t at = status.find("VmHWM:");
  if (at == std::string::npos || bytes == 0 || !table.rows.at(kCells - 1).read.p99_ms) return 1;
  fmt::print("{}\n", atol(status.c_str() + at + 6));
  return 0;
}

struct Taken {
  double seconds;
  std::string out;
};

Taken time_of(const std::vector<std::string>& argv) {
  Command command;
  command.argv = argv;
  const auto begin = std::chrono::steady_clock::now();
  std::string out = run_checked(command, 300s);
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
          std::move(out)};
}

void run_benchmark() {
  const std::string self = fs::read_symlink("/proc/self/exe");
  TemporaryDirectory temporary;
  const std::string output = real_output(temporary.path());
  const fs::path many = make_results(temporary.path(), output, 1000);
  const fs::path few = make_results(temporary.path(), output, 100);
  std::vector<std::string> jq = {"jq", "-c", ".jobs[0].jobname"};
  double bytes = 0;
  for (const fs::directory_entry& run : fs::directory_iterator(many / "runs")) {
    jq.push_back(run.path() / "fio.json");
    bytes += static_cast<double>(fs::file_size(jq.back()));
  }
  const std::vector<std::string> all = {self, "--render", many};
  time_of(jq);  // the files are in the page cache from here on
  std::vector<bench::Round> time;
  std::vector<bench::Round> memory;
  double lab_s = 0;
  double jq_s = 0;
  for (int round = 0; round < kRounds; ++round) {
    // Mirrored: what drifts weighs on both sides alike.
    std::array<double, 2> seconds{};
    for (int turn = 0; turn < 2; ++turn) {
      const bool lab = (turn + round) % 2 == 0;
      const Taken taken = time_of(lab ? all : jq);
      seconds[lab ? 0 : 1] = taken.seconds;
      if (!lab) continue;
      const Taken less = time_of({self, "--render", few});
      memory.push_back({(std::stod(taken.out) - std::stod(less.out)) * 1024, bytes * 0.9});
    }
    time.push_back({seconds[0], seconds[1]});
    lab_s += seconds[0] / kRounds;
    jq_s += seconds[1] / kRounds;
  }
  fmt::print(
      "1000 files, {:.0f} MB: lab {:.2f} s, jq {:.2f} s; 900 files more take {:.1f} MB more\n",
      bytes / 1e6, lab_s, jq_s, memory.back().ours / 1e6);
  bench::print_ratio("analysis-1000-files", time, 1.0);
  bench::print_ratio("analysis-memory-to-input", memory, 0.1);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string_view(argv[1]) == "--render") return render_all(argv[2]);
    run_benchmark();
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "bench-analysis: {}\n", e.what());
    return 1;
  }
}
