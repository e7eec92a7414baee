// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/handler.hpp"
#include "coworker/many_handler.hpp"
#include "coworker/option_list.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace coworker {

class job_source;

/// Which jobs of a kind a handler is for.
struct kind_options
{
    /// The versions of jobs (`managed_push_options::version`) that it takes. Default: 1, which jobs without one have.
    option_list<unsigned> versions{};
};

/// The handlers of a managed queue's jobs, one for each kind of job (qless' `klass`).
///
///     coworker::handlers_by_kind handlers;
///     handlers.on<invoice>("Invoice", [](invoice job) -> asio::awaitable<void> { … });
///     handlers.on<reminder>("Reminder", [](reminder job, coworker::job_context& context) { … });
///     worker.handle(queue, std::move(handlers));
///
/// Jobs of other kinds are left waiting for a worker that has a handler for them, unless `otherwise` takes them all:
/// docs/deploys.md. Of a queue that does not do so, such as one of your own, they fail in the group "<kind>:no-handler".
class handlers_by_kind
{
public:
    /// Adds the handler of a kind, or replaces it.
    ///
    /// @param kind  the kind of job
    /// @param handler  as for `worker::handle`; called with the job's data as a `Job`. A job whose data do not decode
    ///   fails in the group "<kind>:not-decodable".
    /// @param options  for which versions of its jobs
    template<class Job = raw_json, class Handler>
    handlers_by_kind& on(std::string kind, Handler handler, kind_options options = {})
    {
        add(std::move(kind), make_handler<Job>(std::move(handler)), options);
        return *this;
    }

    /// Adds the handler of a kind that gets many jobs at a time, or replaces it.
    ///
    /// @param kind  the kind of job: others do not gather with these
    /// @param handler  as for `worker::handle_many`
    /// @param many  how they gather. If `up_to` is more than the worker runs at the same time, a run waits for the time
    ///   that it says.
    /// @param options  for which versions of its jobs; all of them gather together
    template<class Job = raw_json, class Handler>
    handlers_by_kind& on_many(std::string kind, Handler handler, many_options many = {},
                              kind_options options = {})
    {
        add(std::move(kind), make_many_handler<Job>(std::move(handler), many), options);
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

    /// Tells a source which jobs there are handlers for; nothing if they take all. `worker::handle` calls it.
    void limit(job_source& source) const;

private:
    void add(std::string kind, job_handler handler, const kind_options& options);

    std::map<std::pair<std::string, unsigned>, job_handler> handlers_; ///< by kind and version
    job_handler fallback_;
};

} // namespace coworker
