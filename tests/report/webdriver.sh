# A headless Chromium driven over WebDriver (HTTP and JSON): sourced. Expects $work, a directory
# of the test's own. After browser_start the functions below act on the one page.

# Starts both on a free port. browser_stop ends them, also after a failure in between.
browser_start() {
  local port answer
  # Below $work: also what the browser keeps in its user's home and in /tmp.
  HOME=$work TMPDIR=$work XDG_CONFIG_HOME=$work XDG_CACHE_HOME=$work \
    chromedriver --port=0 >"$work/chromedriver.log" 2>&1 &
  driver=$!
  port=
  for _ in {1..100}; do
    port=$(sed -n 's/.*started successfully on port \([0-9]*\).*/\1/p' "$work/chromedriver.log")
    [ -z "$port" ] || break
    kill -0 "$driver" 2>/dev/null || break
    sleep 0.1
  done
  [ -n "$port" ] || fail "chromedriver did not start: $(cat "$work/chromedriver.log")"
  webdriver=http://127.0.0.1:$port
  # Chromium's own sandbox does not work for root. /dev/shm is small in containers.
  answer=$(jq -n --arg profile "$work/profile" '{capabilities: {alwaysMatch: {
      browserName: "chrome",
      "goog:loggingPrefs": {browser: "ALL", performance: "ALL"},
      "goog:chromeOptions": {args: ["--headless=new", "--no-sandbox", "--disable-gpu",
        "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run",
        "--window-size=1200,900", "--user-data-dir=\($profile)"]}}}}' |
    http POST "$webdriver/session") || fail "no browser: $(cat "$work/chromedriver.log")"
  browser=$(jq -r '.value.capabilities["goog:processID"] // empty' <<<"$answer")
  session=$webdriver/session/$(jq -r .value.sessionId <<<"$answer")
}

browser_stop() {
  [ -n "${driver:-}" ] || return 0
  [ -z "${session:-}" ] || curl -s --max-time 10 -X DELETE "$session" >/dev/null || true
  # The browser has gone with its session, unless it hangs.
  if [ -n "${browser:-}" ]; then
    for _ in {1..50}; do
      kill -0 "$browser" 2>/dev/null || break
      sleep 0.1
    done
    kill -KILL "$browser" 2>/dev/null || true
  fi
  kill "$driver" 2>/dev/null || true
  wait "$driver" 2>/dev/null || true
  driver=
}

# http METHOD URL: JSON from stdin to stdout; what WebDriver calls an error fails the test.
http() {
  local answer
  answer=$(curl -sS --noproxy '*' --max-time 30 -X "$1" -H 'Content-Type: application/json' \
    --data-binary @- "$2") || return
  if jq -e '.value | objects | has("error")' <<<"$answer" >/dev/null; then
    jq -r '"WebDriver: \(.value.error): \(.value.message)"' <<<"$answer" >&2
    return 1
  fi
  printf '%s\n' "$answer"
}

open_page() { jq -n --arg url "$1" '{url: $url}' | http POST "$session/url" >/dev/null; }

# js SCRIPT: what the function body returns, as compact JSON; strings as they are.
js() {
  jq -n --arg script "$1" '{script: $script, args: []}' | http POST "$session/execute/sync" |
    jq -rc .value
}

# cdp COMMAND PARAMETERS: a command of the Chrome DevTools Protocol.
cdp() {
  jq -n --arg cmd "$1" --argjson params "$2" '{cmd: $cmd, params: $params}' |
    http POST "$session/goog/cdp/execute" >/dev/null
}

# log_entries browser|performance: what came since the last call, an entry a line.
log_entries() {
  jq -n --arg type "$1" '{type: $type}' | http POST "$session/se/log" | jq -c '.value[]'
}

# press KEY: down and up, where the focus is. KEY is a WebDriver code point.
press() {
  jq -n --arg key "$1" '{actions: [{type: "key", id: "keyboard", actions: [
      {type: "keyDown", value: $key}, {type: "keyUp", value: $key}]}]}' |
    http POST "$session/actions" >/dev/null
}

# click CSS: as with a pointer, so not if something lies above it.
click() {
  local element
  element=$(jq -n --arg css "$1" '{using: "css selector", value: $css}' |
    http POST "$session/element" | jq -r '.value[]')
  http POST "$session/element/$element/click" <<<'{}' >/dev/null
}
