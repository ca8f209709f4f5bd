#pragma once

// Catch2 under one include: version 3 has many headers, version 2 one.

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#else
#include <string>

#include <catch2/catch.hpp>

namespace Catch::Matchers {

/// The name that version 3 gives to `Contains` for strings.
inline auto ContainsSubstring(const std::string& text) { return Contains(text); }

}  // namespace Catch::Matchers
#endif
