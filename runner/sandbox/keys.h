// Secrets and identifiers of a new cluster.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab::sandbox {

// Bytes from the kernel's random number generator.
std::string random_bytes(size_t count);

// A random UUID (version 4), lower case.
std::string random_uuid();

std::string base64(std::string_view bytes);

// A cephx key as keyrings have it: little-endian type (1: AES), time of making in
// seconds and nanoseconds, length, and 16 secret bytes; base64.
std::string cephx_key(uint32_t seconds, std::string_view secret);
std::string random_cephx_key();

struct KeyringEntry {
  std::string entity;  // "mon.", "client.admin"
  std::string key;
  std::vector<std::pair<std::string, std::string>> caps;  // {"mon", "allow *"}
};
std::string keyring_text(const std::vector<KeyringEntry>& entries);

}  // namespace lab::sandbox
