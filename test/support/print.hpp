// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"

#include <boost/json/error.hpp>

#include <ostream>

/// How Boost.Test shows values that have no operator<<.
namespace coworker {

inline std::ostream& boost_test_print_type(std::ostream& stream, errc code)
{
    return stream << make_error_code(code).message();
}

} // namespace coworker

namespace boost::json {

inline std::ostream& boost_test_print_type(std::ostream& stream, error code)
{
    return stream << make_error_code(code).message();
}

} // namespace boost::json
