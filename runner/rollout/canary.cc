#include "runner/rollout/canary.h"

namespace lab::rollout {
namespace {

// Those for all OSDs get the one OSD instead.
struct Narrow {
  std::string osd;

  std::optional<Setting> operator()(ConfigOptions s) const { return narrowed(s, s.who); }
  std::optional<Setting> operator()(ProcessEnvironment s) const { return narrowed(s, s.scope); }
  std::optional<Setting> operator()(AllocatorChoice s) const { return narrowed(s, s.scope); }
  std::optional<Setting> operator()(DaemonProgram s) const { return narrowed(s, s.scope); }
  template <typename Other>
  std::optional<Setting> operator()(const Other&) const {
    return {};
  }

 private:
  template <typename Kind>
  std::optional<Setting> narrowed(Kind& setting, std::string& scope) const {
    // With a mask ("osd/class:ssd") it may or may not be for this one: it shows in the proof.
    if (scope != "osd" && scope != "global" && scope != osd && !scope.starts_with("osd/"))
      return {};
    scope = osd;
    return setting;
  }
};

}  // namespace

std::vector<Setting> canary_settings(const std::vector<Setting>& settings, const std::string& osd) {
  std::vector<Setting> out;
  for (const Setting& setting : settings)
    if (std::optional<Setting> narrowed = std::visit(Narrow{osd}, setting))
      out.push_back(std::move(*narrowed));
  return out;
}

std::string canary_matrix(const std::vector<Setting>& settings, const std::string& osd,
                          const std::string& level) {
  OrderedJson list = OrderedJson::array();
  for (const Setting& setting : settings) list.push_back(to_json(setting));
  return json_text({{"factor", "canary"},
                    {"title", level + " on " + osd + " alone"},
                    {"baseline", "canary"},
                    {"restart", true},
                    {"levels", {{{"name", "canary"}, {"settings", list}}}}});
}

}  // namespace lab::rollout
