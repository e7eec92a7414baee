// SPDX-License-Identifier: MIT
#include "coworker/detail/boost_version.hpp"

namespace coworker::detail {

const char COWORKER_BUILT_WITH_BOOST = 0;

} // namespace coworker::detail
