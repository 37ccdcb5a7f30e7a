#include "runner/sandbox/keys.h"

#include <gtest/gtest.h>

#include <regex>

namespace lab::sandbox {
namespace {

TEST(Base64, TheExamplesOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xff\xfe\x00", 3)), "//4A");
}

TEST(CephxKey, HasTypeTimeLengthAndSecret) {
  // 01 00 | 04 03 02 01 | 00 00 00 00 | 02 00 | 'h' 'i'
  EXPECT_EQ(cephx_key(0x01020304, "hi"), "AQAEAwIBAAAAAAIAaGk=");
  EXPECT_EQ(random_cephx_key().size(), 40u);
  EXPECT_NE(random_cephx_key(), random_cephx_key());
}

TEST(Uuid, IsOfVersion4) {
  std::regex form("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  for (int i = 0; i < 50; ++i) EXPECT_TRUE(std::regex_match(random_uuid(), form));
}

TEST(Keyring, OneSectionAnEntity) {
  EXPECT_EQ(keyring_text({{"osd.0", "K", {{"mon", "allow profile osd"}, {"osd", "allow *"}}},
                          {"client.x", "L", {}}}),
            "[osd.0]\n\tkey = K\n\tcaps mon = \"allow profile osd\"\n\tcaps osd = \"allow *\"\n"
            "[client.x]\n\tkey = L\n");
}

}  // namespace
}  // namespace lab::sandbox
