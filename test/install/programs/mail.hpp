// SPDX-License-Identifier: MIT

// The job of all six programs.
#pragma once

#include <boost/describe/class.hpp>

#include <string>

struct mail
{
    std::string to;
};
BOOST_DESCRIBE_STRUCT(mail, (), (to))
