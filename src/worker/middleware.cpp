// SPDX-License-Identifier: MIT
#include "coworker/middleware.hpp"

namespace coworker {
namespace detail {

/// The middleware of a queue and its handler. All runs share it.
struct handler_chain
{
    std::vector<middleware> around;
    job_handler handler;

    asio::awaitable<outcome> call(std::string_view job, job_context& context) const
    {
        return next_handler{*this, 0, job, context}();
    }
};

} // namespace detail

namespace {

/// For handlers that are no coroutines.
asio::awaitable<outcome> known_outcome(outcome result)
{
    co_return result;
}

} // namespace

/// No coroutine of its own: what it calls makes one, and what that throws at once reaches who awaits this.
asio::awaitable<outcome> next_handler::operator()(std::string_view job) const
{
    if (place_ != chain_->around.size())
        return chain_->around[place_](*context_, next_handler{*chain_, place_ + 1, job, *context_});
    auto answer = chain_->handler(job, *context_);
    if (auto* running = std::get_if<asio::awaitable<outcome>>(&answer))
        return std::move(*running);
    return known_outcome(std::get<outcome>(std::move(answer)));
}

job_handler with_middleware(job_handler handler, std::vector<middleware> chain)
{
    if (chain.empty())
        return handler;
    const auto shared =
        std::make_shared<detail::handler_chain>(detail::handler_chain{std::move(chain), std::move(handler)});
    return [shared](std::string_view job, job_context& context) -> handler_answer {
        return shared->call(job, context);
    };
}

} // namespace coworker
