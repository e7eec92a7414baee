// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_options.hpp"
#include "list/find_queues.hpp"
#include "redis/cluster/key_slot.hpp"
#include "redis/survey.hpp"

#include <boost/redis/request.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace coworker::detail {

/// What all calls of an inspector share. They keep it: the inspector may be gone when they begin.
struct inspection
{
    std::shared_ptr<connection> redis;
    managed_options managed;
    queue_finder finder;
    /// How many partitions queues have, as was seen last: for those whose number is at a node that is missing.
    std::map<std::string, unsigned> partitions{};

    const std::string& prefix() const noexcept { return managed.prefix; }
    /// In a cluster there are no managed queues whose prefix has no hash tag.
    bool may_have_managed() const noexcept { return !redis->in_cluster() || has_hash_tag(prefix()); }
};

using shared_inspection = std::shared_ptr<inspection>;

/// Sends a request and returns the answers; throws if one of them is an error.
asio::awaitable<reply> answers_of(connection& redis, const boost::redis::request& what);

/// Throws if the nodes that are missing are all there are.
asio::awaitable<void> expect_some_node(survey& nodes);

/// Reads a cursor that is a number; empty stands for 0. Throws `errc::invalid_option`.
std::uint64_t read_cursor_number(std::string_view cursor);

/// A cursor that is a number; 0, which is the end, is empty.
std::string make_cursor(std::uint64_t number);

[[noreturn]] void throw_bad_cursor();

} // namespace coworker::detail
