#include "results/run_record.h"

namespace lab::results {

RunRecord run_record_from_json(const JsonDocument& document) {
  JsonObject o(document, "");
  RunRecord r;
  r.index = static_cast<unsigned>(o.number("index"));
  r.cell = o.text("cell");
  r.block = static_cast<unsigned>(o.number("block"));
  r.position = static_cast<unsigned>(o.number("position"));
  r.attempt = static_cast<unsigned>(o.number_or("attempt", 1));
  r.unit = static_cast<unsigned>(o.number_or("unit", 0));
  r.started = o.text_or("started", "");
  r.ended = o.text_or("ended", "");
  std::string status = o.text("status");
  if (status != "ok" && status != "failed")
    throw o.error("status", fmt::format("unknown status \"{}\" (ok or failed)", status));
  r.ok = status == "ok";
  r.error = o.text_or("error", "");
  r.fsid = o.text_or("fsid", "");
  if (o.has("times_s")) {
    JsonObject times = o.object("times_s");
    for (const auto& [name, unused] : times.json().items()) r.times_s[name] = times.real(name);
  }
  if (o.has("settings")) {
    for (const std::string& at : o.array("settings")) {
      JsonObject s(document, at);
      SettingProof setting{
          s.text("name"),          s.text_or("asked", ""), s.text_or("effective", ""),
          s.text_or("source", ""), s.text_or("proof", ""), {}};
      if (s.has("verified") && !s.value("verified").is_null())
        setting.verified = s.flag_or("verified", false);
      r.settings.push_back(std::move(setting));
    }
  }
  if (o.has("osds"))
    for (const std::string& at : o.array("osds")) {
      JsonObject p(document, at);
      OsdProcess osd;
      osd.osd = static_cast<int>(p.number("osd"));
      osd.allocator = p.text_or("allocator", "");
      osd.package = p.text_or("package", "");
      osd.version = p.text_or("version", "");
      if (p.has("thread_cache_bytes") && !p.value("thread_cache_bytes").is_null())
        osd.thread_cache_bytes = p.number("thread_cache_bytes");
      osd.rss_bytes = p.number("rss_bytes");
      osd.peak_rss_bytes = p.number("peak_rss_bytes");
      r.osds.push_back(std::move(osd));
    }
  if (o.has("marks"))
    for (const std::string& at : o.array("marks")) r.marks.push_back(mark_from_json(document, at));
  return r;
}

OrderedJson to_json(const RunRecord& r) {
  OrderedJson j = {{"index", r.index},     {"cell", r.cell},
                   {"block", r.block},     {"position", r.position},
                   {"attempt", r.attempt}, {"started", r.started},
                   {"ended", r.ended},     {"status", r.ok ? "ok" : "failed"}};
  if (!r.ok) j["error"] = r.error;
  if (r.unit > 0) j["unit"] = r.unit;
  j["fsid"] = r.fsid;
  j["times_s"] = r.times_s;
  OrderedJson settings = OrderedJson::array();
  for (const SettingProof& s : r.settings)
    settings.push_back({{"name", s.name},
                        {"asked", s.asked},
                        {"effective", s.effective},
                        {"source", s.source},
                        {"proof", s.proof},
                        {"verified", s.verified ? OrderedJson(*s.verified) : OrderedJson()}});
  j["settings"] = settings;
  for (const OsdProcess& osd : r.osds) {
    OrderedJson p = {{"osd", osd.osd},
                     {"allocator", osd.allocator},
                     {"package", osd.package},
                     {"version", osd.version}};
    if (osd.thread_cache_bytes) p["thread_cache_bytes"] = *osd.thread_cache_bytes;
    p["rss_bytes"] = osd.rss_bytes;
    p["peak_rss_bytes"] = osd.peak_rss_bytes;
    j["osds"].push_back(std::move(p));
  }
  OrderedJson marks = OrderedJson::array();
  for (const Mark& mark : r.marks) marks.push_back(to_json(mark));
  j["marks"] = marks;
  return j;
}

}  // namespace lab::results
