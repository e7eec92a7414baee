// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/handler.hpp"
#include "coworker/many_handler.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace coworker {

/// The handlers of a managed queue's jobs, one for each kind of job (qless' `klass`).
///
///     coworker::handlers_by_kind handlers;
///     handlers.on<invoice>("Invoice", [](invoice job) -> asio::awaitable<void> { … });
///     handlers.on<reminder>("Reminder", [](reminder job, coworker::job_context& context) { … });
///     worker.handle(queue, std::move(handlers));
///
/// A job of a kind without a handler fails in the group "<kind>:no-handler". Once there is a handler,
/// `managed_queue::async_unfail` queues such jobs again.
class handlers_by_kind
{
public:
    /// Adds the handler of a kind, or replaces it.
    ///
    /// @param kind  the kind of job
    /// @param handler  as for `worker::handle`; called with the job's data as a `Job`. A job whose data do not decode
    ///   fails in the group "<kind>:not-decodable".
    template<class Job = raw_json, class Handler>
    handlers_by_kind& on(std::string kind, Handler handler)
    {
        handlers_[std::move(kind)] = make_handler<Job>(std::move(handler));
        return *this;
    }

    /// Adds the handler of a kind that gets many jobs at a time, or replaces it.
    ///
    /// @param kind  the kind of job: others do not gather with these
    /// @param handler  as for `worker::handle_many`
    /// @param many  how they gather. If `up_to` is more than the worker runs at the same time, a run waits for the time
    ///   that it says.
    template<class Job = raw_json, class Handler>
    handlers_by_kind& on_many(std::string kind, Handler handler, many_options many = {})
    {
        handlers_[std::move(kind)] = make_many_handler<Job>(std::move(handler), many);
        return *this;
    }

    /// Sets the handler for jobs of all other kinds; `job_context::kind` says which it is.
    template<class Job = raw_json, class Handler>
    handlers_by_kind& otherwise(Handler handler)
    {
        fallback_ = make_handler<Job>(std::move(handler));
        return *this;
    }

    /// One type-erased handler that chooses among these. `worker::handle` calls it.
    job_handler as_handler() &&;

private:
    std::map<std::string, job_handler, std::less<>> handlers_;
    job_handler fallback_;
};

} // namespace coworker
