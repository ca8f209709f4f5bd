// Random valid configs: the text of the files, and what a test must know of them.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace test {

struct RandomRow {
  std::string text;  ///< a flow mapping
  bool range = false;
  std::vector<std::int64_t> conc;  ///< start and end of a range, or the list
  std::int64_t tp = 0;             ///< single-node
  std::int64_t ep = 1;             ///< single-node
};

struct RandomItem {
  bool agentic = false;
  std::int64_t isl = 0;
  std::int64_t osl = 0;
  std::vector<RandomRow> rows;
};

struct RandomEntry {
  std::string key;
  std::string runner;
  bool multinode = false;
  std::vector<RandomItem> items;  ///< fixed ones first
};

struct RandomConfig {
  std::vector<std::vector<RandomEntry>> files;
  std::vector<std::string> texts;
};

/// The same seed gives the same config.
RandomConfig random_config(std::uint32_t seed);

}  // namespace test
