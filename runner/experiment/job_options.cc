#include "runner/experiment/job_options.h"

#include "runner/plan/job_file.h"

namespace lab {

std::vector<results::SettingProof> prove_job_options(const std::vector<Setting>& settings,
                                                     const std::string& json) {
  std::vector<results::SettingProof> proofs;
  // fio may print warnings before the document.
  const size_t begin = json.find('{');
  const Json document =
      begin == std::string::npos ? Json() : Json::parse(json.substr(begin), nullptr, false);
  for (const Setting& setting : settings) {
    const auto* job = std::get_if<JobOptions>(&setting);
    if (!job) continue;
    for (const auto& [option, asked] : job->options) {
      results::SettingProof proof;
      proof.name = option;
      proof.asked = asked;
      proof.proof = "options in fio's output";
      if (document.is_object() && document.contains("jobs")) {
        const Json global = document.value("global options", Json::object());
        for (const Json& one : document.at("jobs")) {
          const Json own = one.value("job options", Json::object());
          // fio prints an option under its main name.
          const std::string key = canonical_option(option);
          const std::string value = own.value(key, global.value(key, ""));
          if (!proof.verified || (*proof.verified && value != asked)) {
            proof.effective = value;
            proof.verified = value == asked;
          }
        }
      }
      proofs.push_back(std::move(proof));
    }
  }
  return proofs;
}

}  // namespace lab
