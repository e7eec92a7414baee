// SPDX-License-Identifier: MIT

// Compiled when coworker is configured: is this Boost new enough?
#include <boost/version.hpp>

#if BOOST_VERSION < 108600
#error coworker needs Boost 1.86 or newer.
#elif !__has_include(<boost/redis/impl/sentinel_utils.hpp>)
#error coworker needs Boost.Redis of Boost 1.92: install that Boost, or give its boost/redis folder with COWORKER_BOOST_REDIS_INCLUDE (docs/building.md).
#endif
