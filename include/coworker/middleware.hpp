// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/handler.hpp"
#include "coworker/job_context.hpp"
#include "coworker/outcome.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace coworker {

namespace detail {
struct handler_chain;
}

/// What a middleware surrounds: the next middleware, or the handler. Valid until the middleware has ended.
class next_handler
{
public:
    /// The job's JSON text, as the next one gets it.
    std::string_view job() const noexcept { return job_; }

    /// Goes on with the job as it is: `co_await next()`. Returns the outcome; exceptions of a handler pass through. A
    /// middleware that calls this more than once runs the handler more than once.
    asio::awaitable<outcome> operator()() const { return (*this)(job_); }

    /// Goes on with another text, which has to live until this has ended.
    asio::awaitable<outcome> operator()(std::string_view job) const;

private:
    friend struct detail::handler_chain;

    next_handler(const detail::handler_chain& chain, std::size_t place, std::string_view job,
                 job_context& context) noexcept
        : chain_{&chain}, place_{place}, job_{job}, context_{&context}
    {}

    const detail::handler_chain* chain_;
    std::size_t place_; ///< of the one that this calls
    std::string_view job_;
    job_context* context_;
};

/// Code around handlers: a coroutine that is called with a job's context, and awaits `next`.
///
///     asio::awaitable<coworker::outcome> log(coworker::job_context& context, coworker::next_handler next)
///     {
///         auto result = co_await next();
///         std::clog << context.id() << ": " << result.reason() << '\n';
///         co_return result;
///     }
///
/// It may change the job (`next(text)`), return another outcome, catch exceptions, or not call the handler at all. What
/// it throws counts as if the handler had thrown it. If the handler is told to end, so is the middleware: they are one
/// coroutine for Asio. A job whose text does not decode gets an outcome of the kind `broken`.
///
/// Given to `worker_options::middleware` or `handle_options::middleware`. One that is a lambda may have captures: it
/// lives as long as the worker.
using middleware = std::function<asio::awaitable<outcome>(job_context&, next_handler)>;

/// A handler with middleware around it, the first one outermost. Without middleware it is the handler itself.
/// `worker::handle` calls this.
job_handler with_middleware(job_handler handler, std::vector<middleware> chain);

} // namespace coworker
