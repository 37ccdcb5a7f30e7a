#include "runner/ceph/option_help.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "engines/ceph/option_text.h"
#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::ceph {
namespace {

// As Ceph's src/common/strtol.cc: whole numbers with one unit. Of sizes (strict_iec_cast)
// it is binary: 4K, 4Ki and 4KB are alike; of others (strict_si_cast) decimal: 4K is 4000.
std::optional<long double> whole_number(const std::string& text, bool size) {
  constexpr std::string_view units = "KMGTPE";
  const size_t begin = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
  if (end == begin) return {};
  std::string unit = text.substr(end);
  if (size && unit == "B") unit.clear();
  if (size && unit.size() == 2 && (unit[1] == 'i' || unit[1] == 'B')) unit.pop_back();
  long double factor = 1;
  if (!unit.empty()) {
    const size_t power = unit.size() == 1 ? units.find(unit[0]) : std::string_view::npos;
    if (power == std::string_view::npos) return {};
    factor = std::pow(size ? 1024.0L : 1000.0L, static_cast<long double>(power + 1));
  }
  return std::strtold(text.substr(0, end).c_str(), nullptr) * factor;
}

std::optional<long double> real_number(const std::string& text) {
  char* end = nullptr;
  const long double number = std::strtold(text.c_str(), &end);
  if (text.empty() || *end != '\0') return {};
  return number;
}

bool is_boolean(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text == "true" || text == "false" || whole_number(text, false);
}

std::optional<long double> number_of(const std::string& type, const std::string& text) {
  if (type == "float") return real_number(text);
  return whole_number(text, type == "size");
}

}  // namespace

OptionHelp parse_option_help(const Json& answer) {
  if (!answer.is_object() || !answer.contains("name") || !answer.contains("type"))
    throw environment_error("this is no answer to `config help`: {}", answer.dump().substr(0, 200));
  auto text = [&](const char* key) {
    return answer.contains(key) ? option_text(answer.at(key)) : std::string();
  };
  OptionHelp help{.name = text("name"),
                  .type = text("type"),
                  .default_value = text("default"),
                  .min = text("min"),
                  .max = text("max")};
  if (std::string daemon = text("daemon_default"); !daemon.empty()) help.default_value = daemon;
  help.can_update_at_runtime = answer.value("can_update_at_runtime", false);
  for (const Json& value : answer.value("enum_values", Json::array()))
    help.enum_values.push_back(option_text(value));
  for (const Json& flag : answer.value("flags", Json::array()))
    if (flag == "runtime") help.has_runtime_flag = true;
  return help;
}

std::optional<OptionHelp> read_option_help(Cluster& cluster, const std::string& name) {
  Json answer;
  std::string status;
  const int error = cluster.try_mon({{"prefix", "config help"}, {"key", name}}, &answer, &status);
  if (error == -ENOENT) return {};
  if (error < 0)
    throw environment_error(
        "{}", explain_command_failure(cluster.access(), "monitor", "config help", error, status));
  return parse_option_help(answer);
}

std::optional<std::string> option_mistake(const OptionHelp& option, const std::string& value) {
  if (!option.enum_values.empty() && std::find(option.enum_values.begin(), option.enum_values.end(),
                                               value) == option.enum_values.end()) {
    const std::optional<std::string> near = nearest(value, option.enum_values);
    return fmt::format("{}: \"{}\" is none of {}{}", option.name, value,
                       join(option.enum_values, ", "),
                       near ? " (did you mean \"" + *near + "\"?)" : "");
  }
  if (option.type == "bool" && !is_boolean(value))
    return fmt::format("{}: \"{}\" is neither true nor false (nor 1 nor 0)", option.name, value);
  const bool numeric = option.type == "uint" || option.type == "int" || option.type == "size" ||
                       option.type == "float";
  if (!numeric) return {};
  const std::optional<long double> number = number_of(option.type, value);
  if (!number || (option.type != "int" && option.type != "float" && *number < 0))
    return fmt::format("{}: \"{}\" is no {}", option.name, value,
                       option.type == "float"  ? "number"
                       : option.type == "size" ? "size in bytes (4096, 4K, 1G)"
                       : option.type == "uint" ? "whole number from 0"
                                               : "whole number");
  if (auto least = number_of(option.type, option.min); least && *number < *least)
    return fmt::format("{}: {} is below the minimum of {}", option.name, value, option.min);
  if (auto most = number_of(option.type, option.max); most && *number > *most)
    return fmt::format("{}: {} is above the maximum of {}", option.name, value, option.max);
  return {};
}

}  // namespace lab::ceph
