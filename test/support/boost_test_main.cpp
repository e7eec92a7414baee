// SPDX-License-Identifier: MIT

// The one file that compiles Boost.Test, and with it `main`. Tests include
// boost/test/unit_test.hpp, which only declares.
#define BOOST_TEST_MODULE coworker
#include <boost/test/included/unit_test.hpp>
