// SPDX-License-Identifier: MIT
#pragma once

#include <boost/version.hpp>

/// @file
/// A program and the library are compiled with one Boost: both contain its code, and hand its objects to each other.

/// @cond
#define COWORKER_BUILT_WITH_BOOST_2(number) built_with_boost_##number
#define COWORKER_BUILT_WITH_BOOST_1(number) COWORKER_BUILT_WITH_BOOST_2(number)
#define COWORKER_BUILT_WITH_BOOST COWORKER_BUILT_WITH_BOOST_1(BOOST_VERSION)

namespace coworker::detail {

/// Defined in the library. If the linker does not find it, this program is compiled with another Boost.
extern const char COWORKER_BUILT_WITH_BOOST;

[[gnu::used, maybe_unused]] static const char* const needs_the_boost_of_the_library =
    &COWORKER_BUILT_WITH_BOOST;

} // namespace coworker::detail
/// @endcond
