#include "analysis/policy.h"

#include <algorithm>
#include <cmath>

#include "runner/base/text.h"

namespace lab::analysis {
namespace {

std::string unknown(std::string_view what, const std::string& text,
                    const std::vector<std::string>& known) {
  const auto near = nearest(text, known);
  return fmt::format("unknown {} \"{}\"{}; known are {}", what, text,
                     near ? fmt::format(" (did you mean \"{}\"?)", *near) : "", join(known, ", "));
}

Counts read_counts(JsonObject& object, Counts fallback) {
  if (!object.has("inconclusive")) return fallback;
  const std::string text = object.text("inconclusive");
  std::vector<std::string> known;
  for (const Counts counts : {Counts::no_go, Counts::warn, Counts::go}) {
    if (text == to_text(counts)) return counts;
    known.emplace_back(to_text(counts));
  }
  throw object.error("inconclusive", unknown("word", text, known));
}

const Figure* read_figure(JsonObject& object) {
  const std::string key = object.text("figure");
  std::vector<std::string> known;
  for (const Figure& figure : policy_figures()) {
    if (figure.key == key) return &figure;
    known.emplace_back(figure.key);
  }
  throw object.error("figure", unknown("figure", key, known));
}

double checked(JsonObject& object, const std::string& key, double value) {
  if (!(value >= 0) || !std::isfinite(value))
    throw object.error(key, fmt::format("\"{}\" must not be negative", key));
  return value;
}

// Every limit of a rule, by the keys that its figure's unit has.
void read_rule(const JsonDocument& document, const std::string& at, Counts inconclusive,
               std::vector<Rule>& rules) {
  JsonObject object(document, at);
  Rule rule;
  rule.figure = read_figure(object);
  rule.inconclusive = read_counts(object, inconclusive);
  if (object.has("if_missing")) {
    const std::string text = object.text("if_missing");
    if (text != "no-go" && text != "skip")
      throw object.error("if_missing", unknown("word", text, {"no-go", "skip"}));
    rule.skip_if_missing = text == "skip";
  }
  const size_t before = rules.size();
  const Unit unit = rule.figure->unit;
  auto add = [&](Limit limit, double value) {
    rule.limit = limit;
    rule.value = value;
    rules.push_back(rule);
  };
  auto percent = [&](const char* key, Limit limit) {
    if (!object.has(key)) return;
    const double value = checked(object, key, object.real(key));
    if (limit == Limit::loss && value >= 100)
      throw object.error(key, fmt::format("\"{}\" must be under 100", key));
    add(limit, value / 100);
  };
  auto absolute = [&](const std::string& key, Limit limit) {
    if (!object.has(key)) return;
    add(limit, unit == Unit::bytes ? static_cast<double>(object.bytes(key))
                                   : checked(object, key, object.real(key)));
  };
  const std::string ending(to_text(unit));
  if (unit == Unit::count) {
    absolute("max", Limit::at_most);
  } else if (unit == Unit::iops) {
    percent("max_loss_percent", Limit::loss);
    absolute("min_" + ending, Limit::at_least);
  } else {
    percent("max_growth_percent", Limit::growth);
    absolute("max_growth_" + ending, Limit::added);
    absolute("max_" + ending, Limit::at_most);
  }
  object.finish();
  if (rules.size() == before)
    throw document.error_at(
        at, fmt::format("a rule about {} needs a limit: {}", rule.figure->key,
                        unit == Unit::count  ? "max"
                        : unit == Unit::iops ? "max_loss_percent, min_iops"
                                             : fmt::format("max_growth_percent, max_growth_{0}, "
                                                           "max_{0}",
                                                           ending)));
}

results::Weight read_worst_mark(JsonObject& object) {
  const std::string text = object.text("worst_mark");
  // Nothing is decided on figures that are marked invalid.
  if (text == to_text(results::Weight::note)) return results::Weight::note;
  if (text == to_text(results::Weight::doubtful)) return results::Weight::doubtful;
  throw object.error("worst_mark", unknown("weight", text, {"note", "doubtful"}));
}

}  // namespace

std::string_view to_text(Unit unit) {
  switch (unit) {
    case Unit::iops:
      return "iops";
    case Unit::ms:
      return "ms";
    case Unit::bytes:
      return "bytes";
    case Unit::s:
      return "s";
    case Unit::count:
      return "";
  }
  return "";
}

const std::vector<Figure>& policy_figures() {
  static const std::vector<Figure> all = {
      {"write_iops", "write IOPS", Unit::iops},
      {"read_iops", "read IOPS", Unit::iops},
      {"write_mean", "write mean latency", Unit::ms},
      {"read_mean", "read mean latency", Unit::ms},
      {"write_p99", "write p99", Unit::ms},
      {"read_p99", "read p99", Unit::ms},
      {"memory", "memory of an OSD", Unit::bytes},
      {"memory_in_recovery", "memory of an OSD in recovery", Unit::bytes},
      {"recovery_time", "recovery time", Unit::s},
      {"io_errors", "failed I/Os", Unit::count},
      {"failed_runs", "failed runs", Unit::count},
  };
  return all;
}

std::string_view to_text(Counts counts) {
  switch (counts) {
    case Counts::no_go:
      return "no-go";
    case Counts::warn:
      return "warn";
    case Counts::go:
      return "go";
  }
  return "no-go";
}

Policy parse_policy(const JsonDocument& document) {
  JsonObject object(document, "");
  Policy policy;
  policy.name = document.name();
  policy.title = object.text_or("title", "");
  if (object.has("candidate")) {
    JsonObject levels = object.object("candidate");
    for (const auto& [factor, unused] : levels.json().items())
      policy.candidate.emplace_back(factor, levels.text(factor));
  }
  policy.min_repetitions = object.number_or("min_repetitions", policy.min_repetitions);
  if (object.has("worst_mark")) policy.worst_mark = read_worst_mark(object);
  if (object.has("accept_marks")) {
    for (const std::string& at : object.array("accept_marks")) {
      const OrderedJson& code = document.root().at(OrderedJson::json_pointer(at));
      if (!code.is_string()) throw document.error_at(at, "the code of a mark must be a text");
      policy.accept_marks.push_back(code.get<std::string>());
    }
  }
  policy.proof = object.flag_or("proof", policy.proof);
  const Counts inconclusive = read_counts(object, Counts::no_go);
  // A misspelt key explains more than the missing rules do.
  const std::vector<std::string> rules = object.array("rules");
  object.finish();
  for (const std::string& at : rules) read_rule(document, at, inconclusive, policy.rules);
  if (policy.rules.empty()) throw object.error("rules", "there is no rule in this policy");
  return policy;
}

}  // namespace lab::analysis
