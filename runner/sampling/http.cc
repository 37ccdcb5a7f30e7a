#include "runner/sampling/http.h"

#include <netdb.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <memory>

#include "runner/base/error.h"
#include "runner/base/text.h"

namespace lab::sampling {
namespace {

constexpr std::string_view kEnd = "\r\n";

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// The value of a header, without blanks; `name` in lower case.
std::optional<std::string> header(std::string_view headers, std::string_view name) {
  while (!headers.empty()) {
    const std::string_view line = take_line(headers);
    const size_t colon = line.find(':');
    if (colon != std::string_view::npos && lower(line.substr(0, colon)) == name)
      return std::string(trim(line.substr(colon + 1)));
  }
  return {};
}

// None while some of it is missing.
std::optional<std::string> join_chunks(std::string_view body) {
  std::string content;
  for (;;) {
    const size_t end = body.find(kEnd);
    if (end == std::string_view::npos) return {};
    size_t size = 0;
    if (std::from_chars(body.data(), body.data() + end, size, 16).ec != std::errc{})
      throw environment_error("the answer has a chunk without a size");
    body.remove_prefix(end + kEnd.size());
    if (size == 0) return content;
    if (body.size() < size || body.size() - size < kEnd.size()) return {};
    content += body.substr(0, size);
    body.remove_prefix(size + kEnd.size());
  }
}

}  // namespace

std::optional<HttpUrl> parse_http_url(std::string_view text) {
  constexpr std::string_view scheme = "http://";
  if (!text.starts_with(scheme)) return {};
  for (const char c : text)
    if (static_cast<unsigned char>(c) <= 0x20) return {};  // would end a line of the request
  text.remove_prefix(scheme.size());
  const size_t slash = text.find_first_of("/?");
  HttpUrl url;
  url.path = slash == std::string_view::npos ? "/" : std::string(text.substr(slash));
  if (url.path[0] == '?') url.path.insert(0, 1, '/');
  std::string_view place = text.substr(0, slash);
  const size_t bracket = place.find(']');
  const size_t colon = place.find(':', bracket == std::string_view::npos ? 0 : bracket);
  url.port = colon == std::string_view::npos ? "80" : std::string(place.substr(colon + 1));
  place = place.substr(0, colon);
  if (place.starts_with('[') && place.ends_with(']')) place = place.substr(1, place.size() - 2);
  url.host = place;
  if (url.host.empty() || !is_number(url.port) || url.host.find('@') != std::string::npos)
    return {};
  return url;
}

std::vector<SocketAddress> addresses_of(const HttpUrl& url) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int status = getaddrinfo(url.host.c_str(), url.port.c_str(), &hints, &found);
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  if (status != 0 || !found)
    throw environment_error("{}: no address: {}", url.host, gai_strerror(status));
  std::vector<SocketAddress> addresses;
  for (const addrinfo* each = found; each; each = each->ai_next) {
    SocketAddress address;
    if (each->ai_addrlen > sizeof address.bytes) continue;
    memcpy(&address.bytes, each->ai_addr, each->ai_addrlen);
    address.size = each->ai_addrlen;
    addresses.push_back(address);
  }
  return addresses;
}

std::string http_request(const HttpUrl& url) {
  const bool is_ipv6 = url.host.find(':') != std::string::npos;
  return fmt::format(
      "GET {} HTTP/1.1\r\nHost: {}{}{}:{}\r\nAccept: text/plain\r\nUser-Agent: lab\r\n"
      "Connection: close\r\n\r\n",
      url.path, is_ipv6 ? "[" : "", url.host, is_ipv6 ? "]" : "", url.port);
}

std::optional<std::string> http_content(std::string_view received, bool closed) {
  constexpr std::string_view blank_line = "\r\n\r\n";
  const size_t end = received.find(blank_line);
  if (end == std::string_view::npos) {
    if (closed) throw environment_error("the answer broke off");
    return {};
  }
  std::string_view headers = received.substr(0, end);
  const std::string_view body = received.substr(end + blank_line.size());
  const std::string_view status = trim(take_line(headers));
  if (!status.starts_with("HTTP/1.") ||
      status.substr(std::min<size_t>(status.size(), 8), 4) != " 200")
    throw environment_error("the answer is \"{}\"", status.substr(0, 80));
  std::optional<std::string> content;
  if (lower(header(headers, "transfer-encoding").value_or("")) == "chunked") {
    content = join_chunks(body);
  } else if (const auto length = header(headers, "content-length")) {
    size_t bytes = 0;
    if (std::from_chars(length->data(), length->data() + length->size(), bytes).ec != std::errc{})
      throw environment_error("the answer's length is \"{}\"", *length);
    if (body.size() >= bytes) content = body.substr(0, bytes);
  } else if (closed) {
    content = body;
  }
  if (!content && closed) throw environment_error("the answer broke off");
  return content;
}

}  // namespace lab::sampling
