// SPDX-License-Identifier: MIT
#include "job_ids.hpp"

#include <boost/uuid/time_generator_v7.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <mutex>

namespace coworker::detail {
namespace {

boost::uuids::uuid draw()
{
    static std::mutex mutex;
    // One for all: to make one takes as long as hundreds of ids, since it asks the system for random numbers.
    static boost::uuids::time_generator_v7 generate;
    const std::lock_guard lock{mutex};
    return generate();
}

} // namespace

std::string new_job_id()
{
    char text[36];
    boost::uuids::to_chars(draw(), text, text + sizeof text);
    return {text, sizeof text};
}

} // namespace coworker::detail
