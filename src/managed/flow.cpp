// SPDX-License-Identifier: MIT
#include "coworker/flow.hpp"

#include "managed/managed_call.hpp"
#include "managed/managed_queue/put_request.hpp"
#include "managed/unique_key.hpp"
#include "operation.hpp"

/// Jobs that wait for each other, as users see them.
namespace coworker {

using namespace detail;

namespace {

asio::awaitable<void> push_all(kept_connection redis, managed_batches batches)
{
    const auto answers = co_await managed_batches::send(redis, std::move(batches), read_put);
    for (const auto& each : answers)
        if (!each)
            throw system_error{each.error(), "a job of the flow was refused"};
}

} // namespace

flow::flow(const client& redis, flow_options options)
    : redis_{connection_of(redis).shared_from_this()}, options_{options}
{
    if (options_.result_retention.count() <= 0)
        throw explained_error{errc::invalid_option,
                              "results of a flow are kept for a time greater than zero"};
}

flow::executor_type flow::get_executor() const
{
    return redis_->get_executor();
}

void flow::prepare(managed_push_options& options, const text_list& after) const
{
    if (!options.depends.empty())
        throw explained_error{errc::invalid_option,
                              "give the jobs that a job of a flow waits for as `after`"};
    if (is_given(options.unique))
        throw explained_error{errc::invalid_option,
                              "a job of a flow is not unique: others would wait for one that was not pushed"};
    if (!options.result_retention)
        options.result_retention = options_.result_retention;
    if (after.empty())
        return;
    options.depends = after;
    options.reads_parents = true;
    if (!options.on_parent_failure)
        options.on_parent_failure = options_.on_parent_failure;
}

std::string flow::keep(effect job)
{
    if (job.connection != redis_->for_prefix(job.prefix)) // in a cluster the part with that slot
        throw explained_error{errc::invalid_option, "the queues of a flow are those of its client"};
    if (!ids_.empty() && job.prefix != prefix_)
        throw explained_error{errc::invalid_option, "the queues of a flow have the same prefix"};
    prefix_ = std::move(job.prefix);
    job.words.insert(job.words.end(), {"once", "1"}); // a repeated push changes nothing
    job.words.erase(job.words.begin());               // `put` itself
    puts_.push_back(std::move(job.words));
    ids_.push_back(std::move(job.pushed->id));
    return ids_.back();
}

asio::awaitable<void> flow::push() const
{
    managed_batches batches{prefix_, "put_many"};
    for (const auto& words : puts_)
        batches.add([&](managed_call& call) {
            for (const auto& word : words)
                call.add(word);
        });
    return push_all(*redis_, std::move(batches));
}

} // namespace coworker
