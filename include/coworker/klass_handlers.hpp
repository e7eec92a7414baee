#pragma once

#include "coworker/handler.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace coworker {

/// The handlers of a managed queue's jobs, by the kind of job: qless' `klass`.
///
///     coworker::klass_handlers handlers;
///     handlers.on<invoice>("Invoice", [](invoice job) -> asio::awaitable<void> { … });
///     handlers.on<reminder>("Reminder", [](reminder job, coworker::job_context& context) { … });
///     worker.handle(queue, std::move(handlers));
///
/// A job of a klass without a handler fails, in the group "<klass>:no-handler", where it can be found and, once
/// there is a handler, be put back with `managed_queue::unfail`.
class klass_handlers
{
public:
    /// Adds a handler, or replaces the one for the same klass.
    ///
    /// @param handler  as for `worker::handle`; called with the job's data as a `Job`. Data that do not decode
    ///   fail the job, in the group "<klass>:not-decodable".
    template<class Job = raw_json, class Handler>
    klass_handlers& on(std::string klass, Handler handler)
    {
        handlers_[std::move(klass)] = make_handler<Job>(std::move(handler));
        return *this;
    }

    /// For jobs of every other klass, which `job_context::klass` tells.
    template<class Job = raw_json, class Handler>
    klass_handlers& otherwise(Handler handler)
    {
        fallback_ = make_handler<Job>(std::move(handler));
        return *this;
    }

    /// For `worker`: one handler that chooses among these.
    job_handler as_handler() &&;

private:
    std::map<std::string, job_handler, std::less<>> handlers_;
    job_handler fallback_;
};

} // namespace coworker
