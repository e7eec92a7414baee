// SPDX-License-Identifier: MIT
#include "coworker/managed_queue.hpp"
#include "managed/checks.hpp"
#include "managed/gathered_put.hpp"
#include "managed/limit_words.hpp"
#include "managed/managed_call.hpp"

/// How jobs get into a managed queue.
namespace coworker {

using namespace detail;

namespace {

/// What is to be put, whichever way it was said.
struct put_request
{
    std::string_view kind, data, jid;
    const std::optional<double>& priority;
    std::chrono::milliseconds delay;
    const std::optional<unsigned>& retries;
    const text_list& tags;
    const text_list& depends;
    const managed_push_options* more = nullptr;
};

void check_choices(const put_request& job)
{
    if (job.priority)
        check_priority(*job.priority);
    check_names(job.tags, "a tag");
    check_jids(job.depends);
    if (job.more)
        check_limit_options(*job.more);
}

void check(const put_request& job, std::size_t max_job_size)
{
    check_name(job.kind, "the kind");
    check_data(job.data, max_job_size);
    check_new_jid(job.jid);
    check_choices(job);
}

/// Adds the arguments of `put`.
void add_put(managed_call& call, const std::string& worker, const std::string& queue, const put_request& job)
{
    call.add(worker).add(queue).add(job.jid).add(job.kind).add(job.data).add_seconds(job.delay);
    if (job.priority)
        call.add("priority").add_number(*job.priority);
    if (job.retries)
        call.add("retries").add_number(*job.retries);
    if (job.tags.is_given())
        call.add("tags").add_list(job.tags);
    if (!job.depends.empty())
        call.add("depends").add_list(job.depends);
    if (job.more)
        add_limit_options(call, *job.more);
}

asio::awaitable<std::vector<std::string>> put_batches(kept_connection redis, managed_batches batches)
{
    std::vector<std::string> jids;
    for (auto& jid : co_await managed_batches::send(redis, std::move(batches), read_text))
        jids.push_back(std::move(jid).value());
    co_return jids;
}

/// Empty means not given.
text_list list_if_any(const std::vector<std::string>& texts)
{
    return texts.empty() ? text_list{} : text_list{texts};
}

} // namespace

single_push managed_queue::push_encoded(std::string_view kind, const std::string& data,
                                        const managed_push_options& options) const
{
    auto jid = options.jid ? std::string{*options.jid} : make_jid();
    const put_request job{
        kind,    data, jid, options.priority, options.delay, options.retries, options.tags, options.depends,
        &options};
    check(job, options_.max_job_size);
    managed_call call{options_.prefix, "put"};
    add_put(call, redis_->name(), name_, job);
    return {redis_, make_put(std::move(jid), std::move(call))};
}

asio::awaitable<std::vector<std::string>>
managed_queue::push_many(std::span<const new_managed_job> jobs) const
{
    managed_batches batches{options_.prefix, "put_many"};
    for (const auto& job : jobs) {
        const auto jid = job.jid ? *job.jid : make_jid();
        const auto tags = list_if_any(job.tags), depends = list_if_any(job.depends);
        const put_request request{job.kind,  job.data,    jid,  job.priority,
                                  job.delay, job.retries, tags, depends};
        check(request, options_.max_job_size);
        batches.add([&](managed_call& call) { add_put(call, redis_->name(), name_, request); });
    }
    return put_batches(*redis_, std::move(batches));
}

asio::awaitable<std::vector<std::string>>
managed_queue::push_many_encoded(std::string_view kind, const std::vector<std::string>& texts,
                                 managed_push_options options) const
{
    if (options.jid)
        throw system_error{errc::invalid_option, "one jid cannot be given to many jobs"};
    managed_batches batches{options_.prefix, "put_many"};
    for (const auto& data : texts) {
        const auto jid = make_jid();
        const put_request request{kind,          data,
                                  jid,           options.priority,
                                  options.delay, options.retries,
                                  options.tags,  options.depends,
                                  &options};
        check(request, options_.max_job_size);
        batches.add([&](managed_call& call) { add_put(call, redis_->name(), name_, request); });
    }
    return put_batches(*redis_, std::move(batches));
}

asio::awaitable<result<void>> managed_queue::requeue(const managed_job& job,
                                                     managed_push_options options) const
{
    if (options.jid && *options.jid != job.jid)
        throw system_error{errc::invalid_job_id, "a job is requeued under its own jid; leave it out"};
    const put_request request{job.kind,        job.data,     job.jid,         options.priority, options.delay,
                              options.retries, options.tags, options.depends, &options};
    check_jid(job.jid);
    check_choices(request); // kind and data are as they were found
    managed_call call{options_.prefix, "requeue"};
    add_put(call, redis_->name(), name_, request);
    return ask(*redis_, std::move(call));
}

} // namespace coworker
