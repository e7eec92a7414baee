// SPDX-License-Identifier: MIT
#include <boost/json/src.hpp>
