#include "runner/sampling/http.h"

#include <gtest/gtest.h>

#include "runner/base/error.h"

namespace lab::sampling {
namespace {

std::string parts_of(std::string_view text) {
  const auto url = parse_http_url(text);
  return url ? fmt::format("{} {} {}", url->host, url->port, url->path) : "none";
}

TEST(HttpUrlOf, HostPortAndPath) {
  EXPECT_EQ(parts_of("http://localhost:9283/metrics?a=b"), "localhost 9283 /metrics?a=b");
  EXPECT_EQ(parts_of("http://10.0.0.1"), "10.0.0.1 80 /");
  EXPECT_EQ(parts_of("http://[::1]:80/m"), "::1 80 /m");
  EXPECT_EQ(parts_of("http://[::1]?x"), "::1 80 /?x");
  for (const char* none : {"https://a/", "localhost:9283", "http://", "http://:80/", "http://a:/",
                           "http://a:b/", "http://a/ b", "http://a/\r\nX: y", "http://u@a/"})
    EXPECT_EQ(parts_of(none), "none") << none;
}

TEST(HttpRequest, ClosesItsConnection) {
  const std::string request = http_request({"::1", "80", "/m"});
  EXPECT_TRUE(request.starts_with("GET /m HTTP/1.1\r\nHost: [::1]:80\r\n")) << request;
  EXPECT_TRUE(request.ends_with("\r\nConnection: close\r\n\r\n")) << request;
}

TEST(HttpAddresses, OfNumbersAndNames) {
  EXPECT_EQ(addresses_of({"127.0.0.1", "80", "/"}).size(), 1u);
  EXPECT_THROW(addresses_of({"no.such.host.invalid", "80", "/"}), Error);
}

const std::string kOk = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n";

TEST(HttpContent, EndsWithItsLengthOrTheConnection) {
  const std::string sized = kOk + "content-LENGTH: 3\r\n\r\nabc";
  EXPECT_EQ(http_content(sized, false), "abc");
  EXPECT_FALSE(http_content(sized.substr(0, sized.size() - 1), false));
  EXPECT_THROW(http_content(sized.substr(0, sized.size() - 1), true), Error);
  EXPECT_FALSE(http_content(kOk + "\r\nabc", false));
  EXPECT_EQ(http_content(kOk + "\r\nabc", true), "abc");
  EXPECT_FALSE(http_content("HTTP/1.1 20", false));
  EXPECT_THROW(http_content("HTTP/1.1 20", true), Error);
}

TEST(HttpContent, JoinsChunks) {
  const std::string chunked =
      kOk + "Transfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n";
  EXPECT_EQ(http_content(chunked, false), "abc0123456789");
  EXPECT_FALSE(http_content(chunked.substr(0, chunked.size() - 7), false));
  EXPECT_THROW(http_content(chunked.substr(0, chunked.size() - 7), true), Error);
  EXPECT_THROW(http_content(kOk + "Transfer-Encoding: chunked\r\n\r\nx\r\n", false), Error);
  EXPECT_THROW(
      http_content(kOk + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", false), Error);
}

TEST(HttpContent, AnotherStatusIsAnError) {
  EXPECT_THROW(http_content("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", false), Error);
  EXPECT_THROW(http_content("SSH-2.0-OpenSSH\r\n\r\n", true), Error);
}

}  // namespace
}  // namespace lab::sampling
