// SPDX-License-Identifier: MIT
#include <boost/redis/src.hpp>
