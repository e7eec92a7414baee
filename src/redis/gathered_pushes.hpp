// SPDX-License-Identifier: MIT
#pragma once

#include "waiting_operation.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace coworker::detail {

class connection;

/// One LPUSH takes no more values: short commands keep Redis' other clients from waiting.
constexpr std::size_t pushes_per_command = 256;

/// How much goes to Redis in one round trip: thousands of values, but not more than a few megabytes.
constexpr bool is_full_push(std::size_t values, std::size_t bytes) noexcept
{
    return values >= 8192 || bytes >= 4 * 1024 * 1024;
}

/// A member of a set that Redis is told together with pushes, until that has once been done.
struct told_name
{
    told_name(std::string whole, std::string member) : set{std::move(whole)}, name{std::move(member)} {}

    std::string set;
    std::string name;
    bool is_told = false;
};

/// A push of one value, under way together with others. Completes with `id`.
struct waiting_push final : waiting_operation<std::string>
{
    using waiting_operation::waiting_operation;

    std::string id;
    std::string key;
    std::string value;
    std::size_t number = 0; ///< its place in the batch
    std::shared_ptr<told_name> name;
    std::weak_ptr<struct push_batch> batch;

    void cancelled() override;
};

/// Makes few requests of many concurrent pushes. A push that begins while none is under way is sent at once. The others
/// wait for those that begin in the same turn of the executor, whatever their keys.
class gathered_pushes
{
public:
    /// The pushes to one key are carried out in the order in which they were added.
    void add(const std::shared_ptr<connection>& redis, std::shared_ptr<waiting_push> push);

    /// Sends what has been added, so that it comes before what the caller is about to send.
    void send(const std::shared_ptr<connection>& redis);

private:
    friend struct push_batch;

    void send(const std::shared_ptr<connection>& redis, const std::shared_ptr<push_batch>& batch);

    /// What is to be sent next. The handler that will send it owns it: so it is destroyed with the context.
    std::weak_ptr<push_batch> gathering_;
    std::size_t under_way_ = 0; ///< batches that wait for their answers
};

} // namespace coworker::detail
