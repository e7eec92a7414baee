#pragma once

#include "coworker/managed_queue.hpp"

#include <boost/uuid/time_generator_v7.hpp>

namespace coworker {

struct managed_queue::state
{
    boost::uuids::time_generator_v7 new_id;
};

} // namespace coworker
