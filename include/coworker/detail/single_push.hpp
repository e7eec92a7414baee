// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/completion.hpp"

#include <memory>
#include <string>

/// @file
/// The work behind `async_push` of all queues.
namespace coworker::detail {

class connection;
struct waiting_push;

/// The work of pushing one job. It needs no coroutine: what is pushed at about the same time goes to Redis together.
class single_push
{
public:
    /// What it completes with: the job's id.
    using value_type = std::string;

    /// One that fails.
    single_push(asio::awaitable<std::string> failure) : failure_{std::move(failure)} {}
    /// One that is sent.
    single_push(std::shared_ptr<connection> redis, std::shared_ptr<waiting_push> push)
        : redis_{std::move(redis)}, push_{std::move(push)}
    {}

    /// Begins it.
    void launch(asio::any_io_executor executor, asio::cancellation_type obeyed,
                operation<std::string>::handler handler) &&;

private:
    asio::awaitable<std::string> failure_;
    std::shared_ptr<connection> redis_;
    std::shared_ptr<waiting_push> push_;
};

} // namespace coworker::detail
