// Ladders and the DRAM budget.

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "support.h"

using sweep::Decimal;
using sweep::expand::dram_budget_gb;
using sweep::expand::ladder;

namespace {

using Steps = std::vector<std::int64_t>;

constexpr auto largest = std::numeric_limits<std::int64_t>::max();

// floor(min(mib, 2861022) × 1048576 × digits / 10^scale × gpus / per_node / 10^9), digit by digit
// as in school, with no number wider than it must be.
std::int64_t budget_by_hand(std::int64_t mib, Decimal share, std::int64_t gpus,
                            std::int64_t per_node) {
  std::vector<std::uint32_t> big = {1};  // little end first, base 10^4
  const auto times = [&](std::uint64_t factor) {
    std::uint64_t carry = 0;
    for (auto& digit : big) {
      carry += digit * factor;
      digit = static_cast<std::uint32_t>(carry % 10'000);
      carry /= 10'000;
    }
    for (; carry != 0; carry /= 10'000) big.push_back(static_cast<std::uint32_t>(carry % 10'000));
  };
  const auto over = [&](std::uint64_t divisor) {
    std::uint64_t rest = 0;
    for (std::size_t i = big.size(); i-- > 0;) {
      rest = rest * 10'000 + big[i];
      big[i] = static_cast<std::uint32_t>(rest / divisor);
      rest %= divisor;
    }
  };
  times(static_cast<std::uint64_t>(mib < 2'861'022 ? mib : 2'861'022));
  times(1'048'576);
  times(static_cast<std::uint64_t>(share.digits / 1'000'000'000));
  auto high = big;
  big = {1};
  times(static_cast<std::uint64_t>(mib < 2'861'022 ? mib : 2'861'022));
  times(1'048'576);
  times(static_cast<std::uint64_t>(share.digits % 1'000'000'000));
  auto low = big;
  big = high;
  times(1'000'000'000);
  big.resize(std::max(big.size(), low.size()) + 1);
  low.resize(big.size());
  std::uint32_t carry = 0;
  for (std::size_t i = 0; i < big.size(); ++i) {
    carry += big[i] + low[i];
    big[i] = carry % 10'000;
    carry /= 10'000;
  }
  times(static_cast<std::uint64_t>(gpus));
  // Floors of floors are the floor of the whole.
  over(static_cast<std::uint64_t>(per_node));
  over(1'000'000'000);
  for (int i = 0; i < share.scale; ++i) over(10);
  std::int64_t value = 0;
  for (std::size_t i = big.size(); i-- > 0;) value = value * 10'000 + big[i];
  return value;
}

std::int64_t budget(std::int64_t mib, const char* share, std::int64_t gpus, std::int64_t per_node) {
  return dram_budget_gb({mib, per_node}, *sweep::parse_decimal(share), gpus);
}

}  // namespace

TEST_CASE("a ladder climbs by its factor and ends at the end", "[numbers]") {
  CHECK(ladder(4, 64, 2) == Steps{4, 8, 16, 32, 64});
  CHECK(ladder(4, 33, 2) == Steps{4, 8, 16, 32, 33});
  CHECK(ladder(4, 31, 2) == Steps{4, 8, 16, 31});
  CHECK(ladder(1, 100, 3) == Steps{1, 3, 9, 27, 81, 100});
  CHECK(ladder(8, 8, 2) == Steps{8});
  CHECK(ladder(8, 9, 2) == Steps{8, 9});
  CHECK(ladder(1, 2, 1000) == Steps{1, 2});
}

TEST_CASE("a ladder does not leave 64 bits", "[numbers]") {
  const auto steps = ladder(1, largest, 2);
  REQUIRE(steps.size() == 64);
  CHECK(steps[62] == std::int64_t{1} << 62);
  CHECK(steps[63] == largest);
  CHECK(ladder(largest - 1, largest, 2) == Steps{largest - 1, largest});
  CHECK(ladder(largest, largest, 2) == Steps{largest});
  CHECK(ladder(1, largest, largest) == Steps{1, largest});
  CHECK(ladder(2, largest, largest) == Steps{2, largest});
  CHECK(ladder(3, largest, largest - 1) == Steps{3, largest});
  CHECK(ladder(1, std::int64_t{1} << 62, 2).size() == 63);
  CHECK(ladder(largest / 2, largest, 2) == Steps{largest / 2, largest - 1, largest});
}

TEST_CASE("the DRAM budget is exact in decimal", "[numbers]") {
  // 1,000,000 MiB are 1048.576 GB.
  CHECK(budget(1'000'000, "1", 8, 8) == 1048);
  CHECK(budget(1'000'000, "0.5", 8, 8) == 524);
  CHECK(budget(1'000'000, "0.5", 1, 8) == 65);
  // 1953125 × 2^20 bytes are 2048 GB, so these shares are whole numbers of GB.
  CHECK(budget(1'953'125, "1", 8, 8) == 2048);
  CHECK(budget(1'953'125, "0.125", 8, 8) == 256);
  CHECK(budget(1'953'125, "0.124999999999999999", 8, 8) == 255);
  CHECK(budget(1'953'125, "1", 1, 8) == 256);
  // 0.1 and 0.3 have no binary form: 2500000 MiB are 2621.44 GB.
  CHECK(budget(2'500'000, "0.1", 8, 8) == 262);
  CHECK(budget(2'500'000, "0.3", 8, 8) == 786);
  // A third of 3 GB in 3 GPUs: 2 × 1953125 / 2048 is no whole number, 0.6 × 5 × … is.
  CHECK(budget(1'953'125, "0.3", 5, 6) == 512);
  CHECK(budget(1'953'125, "0.7", 5, 7) == 1024);
  CHECK(budget(1'953'125, "0.1", 5, 8) == 128);
}

TEST_CASE("no node gives more than 2861022 MiB", "[numbers]") {
  CHECK(budget(2'861'022, "1", 8, 8) == 2999);
  CHECK(budget(2'861'023, "1", 8, 8) == 2999);
  CHECK(budget(3'095'781, "1", 8, 8) == 2999);
  CHECK(budget(largest, "1", 8, 8) == 2999);
  CHECK(budget(2'861'000, "1", 8, 8) == 2999);
  CHECK(budget(2'860'000, "1", 8, 8) == 2998);
}

TEST_CASE("tiny shares give nothing", "[numbers]") {
  CHECK(budget(2'861'022, "0.0003", 8, 8) == 0);
  CHECK(budget(2'861'022, "0.0004", 8, 8) == 1);
  CHECK(budget(2'861'022, "0.000000000000000000000000000001", 8, 8) == 0);
  CHECK(budget(2'861'022, "1.0e-300", 8, 8) == 0);
  CHECK(budget(1, "1", 1, 8) == 0);
}

TEST_CASE("the DRAM budget is the formula's", "[numbers]") {
  std::mt19937_64 random(20260822);
  const auto between = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  for (int i = 0; i < 20'000; ++i) {
    const auto mib = between(0, 3) == 0 ? between(1, 4'000'000) : 15'625 * between(1, 250);
    const auto per_node = between(1, 16);
    const auto gpus = between(1, per_node);
    const auto scale = static_cast<std::int32_t>(between(0, 18));
    std::int64_t one = 1;
    for (int k = 0; k < scale; ++k) one *= 10;
    const Decimal share{between(1, one), scale};
    INFO(mib << " MiB, " << share.digits << "e-" << share.scale << ", " << gpus << "/" << per_node);
    REQUIRE(dram_budget_gb({mib, per_node}, share, gpus) ==
            budget_by_hand(mib, share, gpus, per_node));
  }
}

TEST_CASE("a huge node does not overflow", "[numbers]") {
  CHECK(budget(1'953'125, "1", largest, largest) == 2048);
  CHECK(budget(1'953'125, "0.5", largest - 1, largest) == 1023);
  CHECK(budget(1'953'125, "0.999999999999999999", largest - 1, largest) == 2047);
  CHECK(budget(1'953'125, "0.999999999999999999", 1, largest) == 0);
}
