#include "text/phone_table.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace timbre::text {
namespace {

nlohmann::json ReadJson(const std::string& name) {
  std::ifstream file(std::string(TIMBRE_SOURCE_DIR "/tests/golden/text/") + name);
  return nlohmann::json::parse(file);
}

TEST(PhoneTable, EqualsTheOfficialSymbolList) {
  const auto names = ReadJson("symbols.json").at("v2").get<std::vector<std::string>>();
  ASSERT_EQ(names.size(), static_cast<std::size_t>(kPhoneCount));
  for (int id = 0; id < kPhoneCount; ++id) {
    EXPECT_EQ(PhoneName(id), names[static_cast<std::size_t>(id)]);
    EXPECT_EQ(PhoneId(names[static_cast<std::size_t>(id)]), id);
  }
  EXPECT_EQ(PhoneId("AE3"), std::nullopt);
  EXPECT_EQ(PhoneId(""), std::nullopt);
  EXPECT_EQ(PhoneName(-1), std::nullopt);
  EXPECT_EQ(PhoneName(kPhoneCount), std::nullopt);
}

TEST(PhoneTable, GivesTheGoldenIdsOfEveryGoldenPhone) {
  for (const auto& golden : ReadJson("clean_text_v2.json")) {
    const auto phones = golden.at("phones").get<std::vector<std::string>>();
    const auto ids = golden.at("ids").get<std::vector<int>>();
    ASSERT_EQ(phones.size(), ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) EXPECT_EQ(PhoneId(phones[i]), ids[i]) << phones[i];
  }
}

}  // namespace
}  // namespace timbre::text
