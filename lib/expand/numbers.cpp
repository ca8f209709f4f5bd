#include <algorithm>

#include "sweep/expand.h"

namespace sweep::expand {

std::vector<std::int64_t> ladder(std::int64_t start, std::int64_t end, std::int64_t factor) {
  std::vector<std::int64_t> steps;
  for (std::int64_t step = start; step < end; step *= factor) {
    steps.push_back(step);
    if (step > end / factor) break;  // the next step would pass the end, or 64 bits
  }
  steps.push_back(end);
  return steps;
}

std::int64_t dram_budget_gb(const config::Hardware& hardware, const Decimal& utilization,
                            std::int64_t gpus) {
  // 1 MiB = 2^20 bytes and 1 GB = 10^9 bytes, so MiB to GB is 2^11 / 5^9 without rounding.
  constexpr std::int64_t usable_mib = 2'861'022;
  constexpr std::int64_t mib_to_gb_up = 1 << 11;
  constexpr std::int64_t mib_to_gb_down = 1'953'125;
  // A share below 10^-4 of at most 3000 GB is less than 1 GB; it also bounds the arithmetic.
  constexpr std::int32_t largest_scale = 22;
  if (utilization.scale > largest_scale) return 0;
  __extension__ using Wide = unsigned __int128;
  const auto wide = [](std::int64_t value) { return static_cast<Wide>(value); };
  const Wide full = wide(std::min(hardware.available_cpu_dram_mib, usable_mib)) *
                    wide(mib_to_gb_up) * wide(utilization.digits);
  // full × gpus may pass 128 bits, so whole multiples of gpus_per_node are taken out first.
  const Wide node = wide(hardware.gpus_per_node);
  const Wide share = full / node * wide(gpus) + full % node * wide(gpus) / node;
  Wide down = wide(mib_to_gb_down);
  for (std::int32_t i = 0; i < utilization.scale; ++i) down *= 10;
  return static_cast<std::int64_t>(share / down);
}

}  // namespace sweep::expand
