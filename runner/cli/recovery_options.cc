#include "runner/cli/recovery_options.h"

#include "runner/cli/measure_options.h"

namespace lab::cli {

std::vector<std::string> RecoveryOptions::declare(CLI::App& app) {
  app.add_option("--method", method,
                 "stop: kill the OSD and mark it out after --failure; out: mark it out and drain "
                 "it; rebuild: kill it, destroy its store, and make it anew after --failure "
                 "(sandbox only); host: as stop, for all OSDs of a host")
      ->check(CLI::IsMember({"stop", "out", "rebuild", "host"}))
      ->capture_default_str();
  app.add_option("--osd", osd, "number of the OSD that fails (default: the last one)")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--host", host,
                 "host of the CRUSH map, for --method=host (default: that of the OSD)");
  app.add_option("--baseline", baseline, "length of the phase before the failure")
      ->capture_default_str();
  app.add_option("--failure", failure,
                 "from the failure to what begins the recovery (methods stop, rebuild, host)")
      ->capture_default_str();
  app.add_option("--clean", clean, "length of the phase after the recovery, under load")
      ->capture_default_str();
  app.add_option("--cool-down", cool_down, "length of the last phase, without load")
      ->capture_default_str();
  app.add_option("--limit", limit, "a recovery that takes longer is given up")
      ->capture_default_str();
  return {"--method",  "--osd",   "--host",      "--baseline",
          "--failure", "--clean", "--cool-down", "--limit"};
}

recovery::Request RecoveryOptions::request() const {
  recovery::Request request;
  request.method = recovery::method_of(method);
  if (!host.empty() && request.method != recovery::Method::host)
    throw usage_error("--host={}: only --method=host lets a host fail", host);
  if (osd >= 0) request.osd = osd;
  request.host = host;
  request.baseline_s = seconds_of("--baseline", baseline);
  request.failure_s = seconds_or_zero("--failure", failure);
  request.clean_s = seconds_or_zero("--clean", clean);
  request.cool_down_s = seconds_or_zero("--cool-down", cool_down);
  request.limit_s = seconds_of("--limit", limit);
  return request;
}

}  // namespace lab::cli
