#include "analysis/recovery/grid.h"

#include <algorithm>
#include <array>

#include "analysis/render/wording.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::analysis {
namespace {

constexpr double kMiB = 1 << 20;
constexpr std::array<const char*, 5> kPhases = {"baseline", "failure", "recovering", "clean",
                                                "cool-down"};

constexpr const char* kClaims =
    "Published claims for jemalloc in the place of tcmalloc: 200 to 300 MB more an OSD in normal "
    "use and about 400 MB more in recovery (a vendor), about 100 MB more (an operator's lab).";

std::optional<double> scaled(std::optional<double> value, double unit) {
  return value ? std::optional(*value / unit) : std::nullopt;
}

// Over the recoveries of a row: the mean of what each tells, none if none does.
template <typename Figure>
std::optional<double> mean_of(const RecoveryRow& row, Figure figure) {
  double total = 0;
  size_t count = 0;
  for (const RecoveryRepetition& repetition : row.repetitions)
    if (const std::optional<double> value = figure(repetition.run)) {
      total += *value;
      ++count;
    }
  if (count == 0) return {};
  return total / static_cast<double>(count);
}

template <typename Figure>
std::optional<double> most_of(const RecoveryRow& row, Figure figure) {
  std::optional<double> most;
  for (const RecoveryRepetition& repetition : row.repetitions)
    if (const std::optional<double> value = figure(repetition.run))
      most = most ? std::max(*most, *value) : *value;
  return most;
}

auto most(std::optional<double> RecoveryMemory::*figure) {
  return [figure](const RecoveryRun& run) { return run.most(figure); };
}

std::optional<double> recovered_bytes(const RecoveryRun& run) {
  if (!run.record.recovered_bytes) return {};
  return static_cast<double>(*run.record.recovered_bytes);
}

std::optional<double> iops_in(const RecoveryRow& row, const std::string& phase,
                              Histogram RecoveryClient::*clat) {
  return mean_of(row, [&](const RecoveryRun& run) -> std::optional<double> {
    const auto client = run.clients.find(phase);
    if (client == run.clients.end()) return {};
    return client->second.iops(client->second.*clat);
  });
}

// Of the histograms of all recoveries together.
std::optional<double> p99_ms_in(const RecoveryRow& row, const std::string& phase,
                                Histogram RecoveryClient::*clat) {
  Histogram sum;
  for (const RecoveryRepetition& repetition : row.repetitions)
    if (const auto client = repetition.run.clients.find(phase);
        client != repetition.run.clients.end())
      sum.merge(client->second.*clat);
  return sum.percentile_ms(99);
}

std::string iops_pair(const RecoveryRow& row, const std::string& phase) {
  const auto write = iops_in(row, phase, &RecoveryClient::write);
  const auto read = iops_in(row, phase, &RecoveryClient::read);
  return write || read ? iops_number(write) + "/" + iops_number(read) : "-";
}

std::string p99_pair(const RecoveryRow& row, const std::string& phase) {
  const auto write = p99_ms_in(row, phase, &RecoveryClient::write);
  const auto read = p99_ms_in(row, phase, &RecoveryClient::read);
  return write || read ? latency_text(write) + "/" + latency_text(read) : "-";
}

const RecoverySummary& summary(const RecoveryRow& row, const std::string& key) {
  static const RecoverySummary none;
  const auto found = row.figures.find(key);
  return found == row.figures.end() ? none : found->second;
}

std::optional<double> value(const RecoveryRow& row, const std::string& key) {
  return summary(row, key).value;
}

std::string mib_text(std::optional<double> bytes) { return number_text(scaled(bytes, kMiB), 0); }

// "+210 (+190 to +231)": MiB against the baseline, with the interval where there is one.
std::string growth_text(const RecoveryRow& row, const std::string& key) {
  const RecoverySummary& figure = summary(row, key);
  if (!figure.difference || !figure.value) return "-";
  std::string text = fmt::format("{:+.0f}", *figure.difference / kMiB);
  if (!figure.judgement) return text;
  const double base = *figure.value - *figure.difference;
  return text + fmt::format(" ({:+.0f} to {:+.0f})",
                            (figure.judgement->interval95.low - 1) * base / kMiB,
                            (figure.judgement->interval95.high - 1) * base / kMiB);
}

std::string verdict_of(const RecoveryRow& row, const std::string& key) {
  const auto& judgement = summary(row, key).judgement;
  return judgement ? stats::to_text(judgement->verdict) : "-";
}

std::string repetitions_text(const RecoveryRow& row) {
  return fmt::format("{}/{}", row.repetitions.size(), row.planned);
}

class Builder {
 public:
  explicit Builder(const RecoveryTable& table) : table_(table) {
    grid_.title = "Recoveries of " + title_text(table.table);
    grid_.rows.resize(table.rows.size());
  }

  template <typename Make>
  void column(const std::string& title, bool right, Make make) {
    grid_.columns.push_back({title, right});
    for (size_t i = 0; i < table_.rows.size(); ++i) grid_.rows[i].push_back(make(table_.rows[i]));
  }
  void text(const std::string& title, const std::function<std::string(const RecoveryRow&)>& make) {
    column(title, false, [&](const RecoveryRow& row) { return Field{make(row)}; });
  }
  void figures(const std::string& title,
               const std::function<std::string(const RecoveryRow&)>& make) {
    column(title, true, [&](const RecoveryRow& row) { return Field{make(row)}; });
  }
  void number(const std::string& title, int decimals,
              const std::function<std::optional<double>(const RecoveryRow&)>& make) {
    column(title, true, [&](const RecoveryRow& row) { return number_field(make(row), decimals); });
  }

  Grid& grid() { return grid_; }

 private:
  const RecoveryTable& table_;
  Grid grid_;
};

bool has_load(const RecoveryTable& table) {
  return std::any_of(table.rows.begin(), table.rows.end(), [](const RecoveryRow& row) {
    return std::any_of(row.repetitions.begin(), row.repetitions.end(),
                       [](const auto& repetition) { return !repetition.run.clients.empty(); });
  });
}

// What was done, of the first recovery there is.
std::string method_text(const RecoveryTable& table) {
  for (const RecoveryRow& row : table.rows)
    for (const RecoveryRepetition& repetition : row.repetitions) {
      const results::RecoveryRecord& record = repetition.run.record;
      std::vector<std::string> osds;
      for (const int osd : record.osds) osds.push_back(fmt::format("osd.{}", osd));
      std::vector<std::string> options;
      for (const auto& [name, option] : record.options)
        options.push_back(fmt::format("{}={}", name, option.value));
      return fmt::format("method: {} of {}, {}; {}", record.method, join(osds, ", "),
                         record.load ? "under load" : "without load", join(options, ", "));
    }
  return "";
}

void add_words(const RecoveryTable& table, Grid& grid) {
  if (const std::string method = method_text(table); !method.empty()) grid.before.push_back(method);
  for (const auto& [key, text] : conditions(table.table)) grid.before.push_back(key + ": " + text);
  for (const std::string& finding : table.findings) grid.after.push_back(finding + ".");
  for (size_t i = 0; i < table.table.marks.size(); ++i)
    grid.after.push_back(mark_number(table.table, i) + " " + mark_text(table.table, i));
  grid.after.emplace_back(
      "Time: from what begins the recovery (marked out, or back with an empty store) until all "
      "placement groups are clean. Memory: VmRSS of an OSD that did not fail: mean of the "
      "baseline, "
      "its peak from the failure until all is clean, and the last of the cool-down, each the mean "
      "over the OSDs; max: the highest peak of any. Differences from the baseline with their 95% "
      "intervals. IOPS and p99: before the failure, and while it recovers.");
  const std::vector<std::string>& factors = table.table.factors;
  if (std::find(factors.begin(), factors.end(), "allocator") != factors.end())
    grid.after.emplace_back(kClaims);
}

Grid for_people(const RecoveryTable& table) {
  Builder b(table);
  b.text("Test", [](const RecoveryRow& row) { return row.cell.test; });
  b.figures("clean s",
            [](const RecoveryRow& row) { return number_text(value(row, "to_clean_s"), 1); });
  b.figures("MiB", [](const RecoveryRow& row) { return mib_text(mean_of(row, recovered_bytes)); });
  b.figures("MiB/s", [](const RecoveryRow& row) {
    return mib_text(mean_of(row, [](const RecoveryRun& run) { return run.bytes_per_s; }));
  });
  b.figures("RSS MiB normal/peak/after", [](const RecoveryRow& row) {
    return mib_text(value(row, "rss_normal_bytes")) + "/" + mib_text(value(row, "rss_peak_bytes")) +
           "/" + mib_text(value(row, "rss_after_bytes"));
  });
  b.figures("max", [](const RecoveryRow& row) {
    return mib_text(most_of(row, most(&RecoveryMemory::peak)));
  });
  b.figures("kept", [](const RecoveryRow& row) {
    const auto kept = mean_of(row, [](const RecoveryRun& run) { return run.mean_kept(); });
    return kept ? fmt::format("{:+.0f}", *kept / kMiB) : "-";
  });
  if (table.rows.size() > 1) {
    b.figures("normal vs base", [](const RecoveryRow& row) {
      return row.baseline ? "baseline" : growth_text(row, "rss_normal_bytes");
    });
    b.figures("peak vs base", [](const RecoveryRow& row) {
      return row.baseline ? "" : growth_text(row, "rss_peak_bytes");
    });
    b.text("verdict time/normal/peak", [](const RecoveryRow& row) {
      if (row.baseline) return std::string();
      return verdict_of(row, "to_clean_s") + "/" + verdict_of(row, "rss_normal_bytes") + "/" +
             verdict_of(row, "rss_peak_bytes");
    });
  }
  if (has_load(table)) {
    b.figures("w/r IOPS", [](const RecoveryRow& row) {
      return iops_pair(row, "baseline") + " → " + iops_pair(row, "recovering");
    });
    b.figures("w/r p99 ms", [](const RecoveryRow& row) {
      return p99_pair(row, "baseline") + " → " + p99_pair(row, "recovering");
    });
  }
  b.figures("reps", repetitions_text);
  b.text("proof", [](const RecoveryRow& row) {
    return row.proof == Proof::nothing_asked ? std::string("-") : std::string(to_text(row.proof));
  });
  b.text("marks", [&](const RecoveryRow& row) { return marks_text(table.table, row.marks); });
  add_words(table, b.grid());
  return std::move(b.grid());
}

void add_judgement(Builder& b, const std::string& key) {
  b.number(key + "_spread_percent", 2,
           [&](const RecoveryRow& row) { return summary(row, key).spread_percent; });
  b.number(key + "_difference_percent", 2, [&](const RecoveryRow& row) -> std::optional<double> {
    const RecoverySummary& figure = summary(row, key);
    if (!figure.difference || !figure.value) return {};
    return 100 * *figure.difference / (*figure.value - *figure.difference);
  });
  auto bound = [&](const std::string& name, double stats::Interval::*end) {
    b.number(key + name, 2, [&, end](const RecoveryRow& row) -> std::optional<double> {
      const auto& judgement = summary(row, key).judgement;
      if (!judgement) return {};
      return 100 * (judgement->interval95.*end - 1);
    });
  };
  bound("_interval_low_percent", &stats::Interval::low);
  bound("_interval_high_percent", &stats::Interval::high);
  b.text(key + "_verdict", [&](const RecoveryRow& row) {
    const auto& judgement = summary(row, key).judgement;
    return judgement ? std::string(stats::to_text(judgement->verdict)) : std::string();
  });
}

void add_clients(Builder& b) {
  for (const char* phase : kPhases)
    for (const auto& [letter, clat] :
         {std::pair{"w", &RecoveryClient::write}, std::pair{"r", &RecoveryClient::read}}) {
      std::string name = phase;
      std::replace(name.begin(), name.end(), '-', '_');
      b.number(
          fmt::format("{}_iops_{}", letter, name), 1,
          [&, phase, clat = clat](const RecoveryRow& row) { return iops_in(row, phase, clat); });
      b.number(
          fmt::format("{}_p99_ms_{}", letter, name), 3,
          [&, phase, clat = clat](const RecoveryRow& row) { return p99_ms_in(row, phase, clat); });
    }
}

Grid for_spreadsheets(const RecoveryTable& table) {
  Builder b(table);
  b.text("test", [](const RecoveryRow& row) { return row.cell.test; });
  for (const std::string& factor : table.table.factors)
    b.text("factor_" + factor,
           [&](const RecoveryRow& row) { return results::level_of(row.cell.levels, factor); });
  b.number("repetitions_done", 0, [](const RecoveryRow& row) {
    return std::optional(static_cast<double>(row.repetitions.size()));
  });
  b.number("repetitions_planned", 0,
           [](const RecoveryRow& row) { return std::optional(static_cast<double>(row.planned)); });
  b.number("to_degraded_gone_s", 1, [](const RecoveryRow& row) {
    return mean_of(row, [](const RecoveryRun& run) { return run.to_degraded_gone_s; });
  });
  b.number("to_misplaced_gone_s", 1, [](const RecoveryRow& row) {
    return mean_of(row, [](const RecoveryRun& run) { return run.to_misplaced_gone_s; });
  });
  b.number("recovered_bytes", 0,
           [](const RecoveryRow& row) { return mean_of(row, recovered_bytes); });
  b.number("recovered_bytes_per_s", 0, [](const RecoveryRow& row) {
    return mean_of(row, [](const RecoveryRun& run) { return run.bytes_per_s; });
  });
  for (const RecoveryMetric& metric : recovery_metrics()) {
    const int decimals = metric.key.find("bytes") == std::string::npos ? 4 : 0;
    b.number(metric.key, decimals, [&](const RecoveryRow& row) { return value(row, metric.key); });
    add_judgement(b, metric.key);
  }
  b.number("rss_normal_most_bytes", 0,
           [](const RecoveryRow& row) { return most_of(row, most(&RecoveryMemory::baseline)); });
  b.number("rss_peak_most_bytes", 0,
           [](const RecoveryRow& row) { return most_of(row, most(&RecoveryMemory::peak)); });
  b.number("rss_after_most_bytes", 0,
           [](const RecoveryRow& row) { return most_of(row, most(&RecoveryMemory::cooled)); });
  b.number("kept_bytes", 0, [](const RecoveryRow& row) {
    return mean_of(row, [](const RecoveryRun& run) { return run.mean_kept(); });
  });
  add_clients(b);
  b.text("proof", [](const RecoveryRow& row) {
    return row.proof == Proof::nothing_asked ? std::string() : std::string(to_text(row.proof));
  });
  b.text("marks", [&](const RecoveryRow& row) {
    std::vector<std::string> texts;
    texts.reserve(row.marks.size());
    for (const size_t mark : row.marks) texts.push_back(mark_text(table.table, mark));
    return join(texts, "; ");
  });
  return std::move(b.grid());
}

}  // namespace

Grid recovery_grid(const RecoveryTable& table, Format format) {
  if (!has_grid_form(format))
    throw usage_error("a table of recoveries has the formats table, markdown, csv, tsv and tidy");
  const bool people = format == Format::table || format == Format::markdown;
  return people ? for_people(table) : for_spreadsheets(table);
}

Grid recovery_tidy(const RecoveryTable& table) {
  Grid grid;
  grid.columns = {{"run"},   {"cell"},   {"block"}, {"daemon"},
                  {"phase"}, {"metric"}, {"unit"},  {"value"}};
  for (const RecoveryRow& row : table.rows)
    for (const RecoveryRepetition& repetition : row.repetitions) {
      const RecoveryRun& run = repetition.run;
      auto add = [&](const std::string& daemon, const std::string& phase, const std::string& metric,
                     const std::string& unit, std::optional<double> figure, int decimals) {
        if (!figure) return;
        grid.rows.push_back({count_field(repetition.index),
                             {row.cell.name},
                             count_field(repetition.block),
                             {daemon},
                             {phase},
                             {metric},
                             {unit},
                             number_field(figure, decimals)});
      };
      add("", "recovering", "to_clean", "s", run.to_clean_s, 3);
      add("", "recovering", "to_degraded_gone", "s", run.to_degraded_gone_s, 3);
      add("", "recovering", "to_misplaced_gone", "s", run.to_misplaced_gone_s, 3);
      add("", "recovering", "recovered", "bytes", recovered_bytes(run), 0);
      add("", "recovering", "recovery_rate", "bytes/s", run.bytes_per_s, 0);
      for (const auto& [daemon, memory] : run.daemons) {
        add(daemon, "baseline", "rss_mean", "bytes", memory.baseline, 0);
        add(daemon, "recovering", "rss_peak", "bytes", memory.peak, 0);
        add(daemon, "recovering", "rss_last", "bytes", memory.clean, 0);
        add(daemon, "cool-down", "rss_last", "bytes", memory.cooled, 0);
        add(daemon, "cool-down", "rss_kept", "bytes", memory.kept(), 0);
      }
      for (const auto& [phase, client] : run.clients)
        for (const auto& [name, clat] :
             {std::pair{"write", &client.write}, std::pair{"read", &client.read}}) {
          add("", phase, fmt::format("{}_iops", name), "1/s", client.iops(*clat), 1);
          add("", phase, fmt::format("{}_p99", name), "ms", clat->percentile_ms(99), 3);
        }
    }
  return grid;
}

}  // namespace lab::analysis
