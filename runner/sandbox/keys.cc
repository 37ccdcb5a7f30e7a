#include "runner/sandbox/keys.h"

#include <sys/random.h>

#include <cerrno>
#include <cstring>
#include <ctime>

#include "runner/base/error.h"

namespace lab::sandbox {
namespace {

void append_little_endian(std::string& out, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8 * i)) & 0xff);
}

}  // namespace

std::string random_bytes(size_t count) {
  std::string bytes(count, '\0');
  size_t done = 0;
  while (done < count) {
    ssize_t n = getrandom(bytes.data() + done, count - done, 0);
    if (n < 0 && errno != EINTR)
      throw environment_error("no random numbers from the kernel: {}", strerror(errno));
    if (n > 0) done += static_cast<size_t>(n);
  }
  return bytes;
}

std::string random_uuid() {
  std::string bytes = random_bytes(16);
  bytes[6] = static_cast<char>((bytes[6] & 0x0f) | 0x40);
  bytes[8] = static_cast<char>((bytes[8] & 0x3f) | 0x80);
  std::string uuid;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) uuid += '-';
    uuid += fmt::format("{:02x}", static_cast<unsigned char>(bytes[i]));
  }
  return uuid;
}

std::string base64(std::string_view bytes) {
  constexpr const char* alphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    size_t have = std::min<size_t>(3, bytes.size() - i);
    for (size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < have ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    for (size_t j = 0; j < 4; ++j) out += j <= have ? alphabet[(group >> (18 - 6 * j)) & 63] : '=';
  }
  return out;
}

std::string cephx_key(uint32_t seconds, std::string_view secret) {
  std::string bytes;
  append_little_endian(bytes, 1, 2);
  append_little_endian(bytes, seconds, 4);
  append_little_endian(bytes, 0, 4);
  append_little_endian(bytes, static_cast<uint32_t>(secret.size()), 2);
  bytes += secret;
  return base64(bytes);
}

std::string random_cephx_key() {
  return cephx_key(static_cast<uint32_t>(time(nullptr)), random_bytes(16));
}

std::string keyring_text(const std::vector<KeyringEntry>& entries) {
  std::string text;
  for (const KeyringEntry& entry : entries) {
    text += fmt::format("[{}]\n\tkey = {}\n", entry.entity, entry.key);
    for (const auto& [service, cap] : entry.caps)
      text += fmt::format("\tcaps {} = \"{}\"\n", service, cap);
  }
  return text;
}

}  // namespace lab::sandbox
