#!/bin/bash
# The HTML report in a real browser: nothing is loaded, nothing hostile runs, tables sort, the
# page fits a phone, paper and the dark, and its plots are seen. Expects LAB (the program) and
# LAB_TESTDATA (analysis/testdata) in the environment. Without a browser the test is skipped,
# unless LAB_REQUIRE_BROWSER is set.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

for program in chromium chromedriver curl jq; do
  command -v "$program" >/dev/null && continue
  printf '%s is not installed: ./bootstrap --checks installs it\n' "$program" >&2
  [ -z "${LAB_REQUIRE_BROWSER:-}" ] || exit 1
  exit 77
done

work=$(mktemp -d /tmp/lab-html-test.XXXXXX)
fail() {
  printf 'FAIL: %s\n' "$*" >&2
  exit 1
}
# shellcheck source=tests/report/webdriver.sh
. "$here/webdriver.sh"
# shellcheck disable=SC2317 # called by the trap
leave() {
  local status=$?
  browser_stop
  rm -rf "$work"
  exit "$status"
}
trap leave EXIT

# is WHAT EXPECTED SCRIPT: the script's answer.
is() {
  local got
  got=$(js "$3") || fail "$1"
  [ "$got" = "$2" ] || fail "$1: $got, not $2"
}
edit() {
  jq "${@:2}" "$1" >"$work/edited"
  mv "$work/edited" "$1"
}

# A measurement with marks of every weight, names that would like to be markup, and figures
# whose order is another one as text (13731 before 2132).
result="$work/results & <b>'more'"
mkdir "$result"
cp -r "$LAB_TESTDATA/cache/." "$result"
evil='</style></title><script>document.title="owned"</script><img src=http://127.0.0.1:1/x onerror="document.title=1">'
edit "$result/manifest.json" --arg evil "$evil" '.title = $evil | .conditions[$evil] = $evil'
edit "$result/plan.json" --arg evil "$evil" '.cells[1].test = $evil'
edit "$result/runs/0003-b1-writeback/run.json" --arg evil "$evil" \
  '.marks += [{weight: "invalid", code: "test", text: $evil}]'
printf '[job]\n# </pre>%s\n' "$evil" >"$result/job.fio"
for run in "$result"/runs/*-off; do edit "$run/fio.json" '.jobs[].write.total_ios *= 10'; done

status=0
printed=$("$LAB" report "$result" --html --pivot=cache) || status=$?
[ "$status" = 4 ] || fail "lab report: exit status $status, though a mark is invalid (4)"
[ "$printed" = "$result/report.html" ] || fail "lab report printed: $printed"

browser_start
# What the browser's own first page loads is not ours.
open_page about:blank
log_entries performance >/dev/null
page="file://$(jq -rn --arg path "$printed" '$path | split("/") | map(@uri) | join("/")')"
open_page "$page"

is "language" en 'return document.documentElement.lang'
is "elements made of hostile texts" '[0,1,1,0]' '
  return ["img", "script", "style", "pre b"].map(e => document.querySelectorAll(e).length)'
is "the hostile title, as text" true 'return document.title.startsWith("</style></title><script>")'
is "ids used twice" '[]' '
  const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
  return ids.filter((id, i) => ids.indexOf(id) !== i)'
is "links that lead nowhere" '[]' '
  return [...document.querySelectorAll("a")].map(a => a.getAttribute("href"))
    .filter(to => to[0] !== "#" || !document.getElementById(to.slice(1)))'
is "tables without caption or scopes" 0 '
  return document.querySelectorAll("table:not(:has(> caption)), th:not([scope])").length'
is "marks of every weight beside their rows" '[true,true,true]' '
  return ["note", "doubtful", "invalid"].map(weight =>
    document.querySelectorAll("#iops .mark." + weight).length > 0)'
is "the warning is the first thing in the answer" true '
  return document.querySelector(".answer > :first-child").matches(".warning.invalid")'

# ---------------------------------------------------------------- sorting
column='const head = [...document.querySelectorAll("#iops thead th")]
    .find(th => th.textContent === "w/r IOPS");'
order="$column"'
  return [...document.querySelectorAll("#iops tbody tr")]
    .map(row => parseInt(row.cells[head.cellIndex].textContent))'
sorted() { js "$column return head.getAttribute('aria-sort')"; }
as_planned=$(js "$order")
ascending=$(jq -c sort <<<"$as_planned")
descending=$(jq -c 'sort | reverse' <<<"$as_planned")
[ "$as_planned" != "$ascending" ] || fail "the test's own figures are sorted already"
[ "$(jq -c 'map(tostring) | sort | map(tonumber)' <<<"$as_planned")" != "$ascending" ] ||
  fail "the test's own figures can't tell numbers from text"
[ "$(sorted)" = none ] || fail "sorted before anybody asked"
click '#iops thead th:nth-child(3) button'
is "a click sorts, by number" "$ascending" "$order"
[ "$(sorted)" = ascending ] || fail "aria-sort is $(sorted) after a click"
press $'\uE007' # Enter, on the button that has the focus
is "the keyboard sorts the other way" "$descending" "$order"
[ "$(sorted)" = descending ] || fail "aria-sort is $(sorted) after Enter"
is "heads that say they are sorted" 1 '
  return document.querySelectorAll("#iops [aria-sort]:not([aria-sort=none])").length'
# A row of the failed run has no figures: it is last, whatever the order.
for _ in 1 2; do
  click '#points thead th:nth-child(6) button'
  is "missing figures sort last" - '
    return [...document.querySelectorAll("#points tbody tr")].at(-1).cells[5].textContent'
done

# The other views sort likewise: latencies by the mean behind a text such as "0.412/2.31", and the
# levels of the pivot stand side by side.
means='return [...document.querySelectorAll("#view-latency tbody tr")]
  .map(row => row.cells[3]).filter(cell => !cell.hasAttribute("data-missing"))
  .map(cell => Number(cell.dataset.key))'
as_planned=$(js "$means")
ascending=$(jq -c sort <<<"$as_planned")
[ "$(jq length <<<"$as_planned")" -ge 2 ] || fail "latencies: $as_planned"
click '#view-latency thead th:nth-child(4) button'
is "a view sorts by its figures" "$ascending" "$means"
click '#view-latency thead th:nth-child(4) button'
is "a view sorts the other way" "$(jq -c reverse <<<"$ascending")" "$means"
is "marks of a view lead to the legend" true '
  return document.querySelectorAll("#view-latency a.mark.invalid").length > 0'
is "levels side by side" '["off","writethrough","writeback"]' '
  return [...document.querySelectorAll("#pivot-iops thead th")].map(th => th.textContent)
    .filter(title => title.endsWith(": w/r IOPS")).map(title => title.split(":")[0])'

# ---------------------------------------------------------------- plots
# Drawn in its own size, or in its own proportions where the page is narrower.
unseen='
  return [...document.querySelectorAll("figure svg")].filter(svg => {
    const box = svg.getBoundingClientRect(), natural = svg.viewBox.baseVal;
    const room = svg.parentElement.clientWidth;
    return !(box.width > 0 && box.height > 0 && box.width > Math.min(natural.width, room) * 0.8 &&
      Math.abs(box.width / box.height / (natural.width / natural.height) - 1) < 0.02);
  }).length'
if command -v gnuplot >/dev/null; then
  is "there are plots" true 'return document.querySelectorAll("figure svg").length > 0'
fi
is "plots not seen" 0 "$unseen"
is "references of plots that lead nowhere" '[]' '
  return [...document.querySelectorAll("figure use")].map(use => use.getAttribute("xlink:href"))
    .filter(to => !document.getElementById(to.slice(1)))'

# ---------------------------------------------------------------- narrow, dark, paper
cdp Emulation.setDeviceMetricsOverride \
  '{"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": true}'
is "width of the page where there are 400 pixels" 400 'return document.documentElement.scrollWidth'
is "elements that stick out of it" '[]' '
  const scrolls = e => e.closest(".scroll, .plot, pre");
  return [...document.querySelectorAll("main *")].filter(e => !scrolls(e) &&
    e.getBoundingClientRect().right > 400).map(e => e.outerHTML.slice(0, 80))'
is "the wide table scrolls in its box" true '
  const box = document.querySelector("#iops").parentElement;
  return box.scrollWidth > box.clientWidth'
is "plots not seen at 400 pixels" 0 "$unseen"
cdp Emulation.clearDeviceMetricsOverride '{}'

# WCAG 2.1, 1.4.3: contrast of every text with what lies behind it, at least 4.5.
faint='
  const light = colour => {
    const parts = colour.match(/[\d.]+/g).map(Number);
    const [r, g, b] = parts.map(c => c / 255)
      .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = e => {
    for (; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (!/, 0\)$/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  return [...document.querySelectorAll("body *")].filter(e => !e.closest("svg, script") &&
    [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).map(e => {
      const [a, b] = [light(getComputedStyle(e).color), light(behind(e))];
      const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      return contrast < 4.5 ? contrast.toFixed(1) + " " + e.outerHTML.slice(0, 60) : "";
    }).filter(text => text)'
brightness='
  const sum = colour => colour.match(/\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0);
  const style = getComputedStyle(document.body);
  return [sum(style.backgroundColor), sum(style.color)].map(s => s < 150 ? "dark" : s > 600 ? "light" : s)'
is "light: background and text" '["light","dark"]' "$brightness"
is "light: texts too faint" '[]' "$faint"
cdp Emulation.setEmulatedMedia '{"features": [{"name": "prefers-color-scheme", "value": "dark"}]}'
is "dark: background and text" '["dark","light"]' "$brightness"
is "dark: texts too faint" '[]' "$faint"
is "dark: plots keep their paper" '[]' '
  return [...document.querySelectorAll(".plot")].map(e => getComputedStyle(e).backgroundColor)
    .filter(colour => colour !== "rgb(255, 255, 255)")'

cdp Emulation.setEmulatedMedia '{"media": "print"}'
is "paper: what is not printed of closed sections" '[true,0]' '
  const closed = [...document.querySelectorAll("details:not([open])")];
  return [closed.length > 0,
          closed.filter(e => e.lastElementChild.getBoundingClientRect().height === 0).length]'
is "paper: controls" none 'return getComputedStyle(document.querySelector("nav")).display'
# Chromium leaves buttons out of the heads that it repeats on the next page.
is "paper: buttons in heads" 0 '
  return [...document.querySelectorAll(".sort")]
    .filter(e => getComputedStyle(e).display !== "contents").length'
is "paper: boxes that cut their table off" 0 '
  return [...document.querySelectorAll(".scroll")]
    .filter(e => getComputedStyle(e).overflowX !== "visible").length'
cdp Emulation.setEmulatedMedia '{"media": ""}'
http POST "$session/print" <<<'{}' | jq -r .value | base64 -d >"$work/report.pdf"
[ "$(head -c 5 "$work/report.pdf")" = %PDF- ] || fail "printing made no PDF"
[ "$(wc -c <"$work/report.pdf")" -gt 20000 ] || fail "the printed PDF is nearly empty"

# ---------------------------------------------------------------- alone and harmless
[ -z "$(log_entries browser)" ] || fail "the console is not empty"
requests=$(log_entries performance | jq -r '.message | fromjson | .message |
  select(.method == "Network.requestWillBeSent") | .params.request.url' | sort -u)
[ "$requests" = "$page" ] || fail "requests beside the page itself: $requests"

cdp Emulation.setScriptExecutionDisabled '{"value": true}'
open_page "$page"
is "without scripts: heads as they are, no buttons" '["Test",0]' '
  return [document.querySelector("#iops th").textContent, document.querySelectorAll("button").length]'
cdp Emulation.setScriptExecutionDisabled '{"value": false}'

# The page's policy stops what would get into it all the same, and the console says so.
open_page "$page"
log_entries browser >/dev/null
is "a script that got into the page" undefined '
  const script = document.createElement("script");
  script.textContent = "window.owned = true";
  document.body.append(script);
  const image = document.createElement("img");
  image.src = "http://127.0.0.1:1/x";
  document.body.append(image);
  return String(window.owned)'
log_entries browser | grep -q 'Content Security Policy' || fail "the policy let it happen"
printf 'report.html: %s bytes, seen in %s\n' "$(wc -c <"$printed")" \
  "$(chromium --version 2>/dev/null || true)"
