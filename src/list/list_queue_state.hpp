#pragma once

#include "coworker/list_queue.hpp"
#include "list/keys.hpp"
#include "redis/client.hpp"

#include <boost/redis/request.hpp>
#include <boost/uuid/time_generator_v7.hpp>

namespace coworker {

struct raw_list_queue::state
{
    explicit state(const std::string& name) : keys{name} {}

    detail::list_keys keys;
    boost::uuids::time_generator_v7 new_id;
    bool is_known = false; ///< a push has told Redis the queue's name

    std::string make_id();
};

} // namespace coworker

namespace coworker::detail {

/// Sends a request and returns the answers; throws if one of them is an error.
asio::awaitable<reply> ask(client& redis, const boost::redis::request& what);

} // namespace coworker::detail
