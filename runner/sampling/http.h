// As much of HTTP/1.1 as it takes to read a metrics endpoint, without waiting: the bytes to be
// sent, and what is to be found in those received.
#pragma once

#include <sys/socket.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lab::sampling {

struct HttpUrl {
  std::string host;
  std::string port;  // number
  std::string path;  // with query
};

// "http://HOST[:PORT][/PATH]"; a host may be a name, an address, or "[" an address of IPv6 "]".
// None if it is something else.
std::optional<HttpUrl> parse_http_url(std::string_view text);

struct SocketAddress {
  sockaddr_storage bytes{};
  socklen_t size = 0;
};
// At least one. Throws lab::Error (Exit::environment) if the host has no address. May take as long
// as name servers do.
std::vector<SocketAddress> addresses_of(const HttpUrl& url);

// A GET after which the server closes the connection.
std::string http_request(const HttpUrl& url);

// The content of an answer; none while some of it is missing. `closed`: nothing more will come.
// Throws lab::Error (Exit::environment) if it is not HTTP, not whole at the end, or has another
// status than 200.
std::optional<std::string> http_content(std::string_view received, bool closed);

}  // namespace lab::sampling
