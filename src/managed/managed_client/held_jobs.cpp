// SPDX-License-Identifier: MIT
#include "bounds.hpp"
#include "coworker/managed_client.hpp"
#include "managed/checks.hpp"
#include "managed/managed_call.hpp"

#include <array>

/// Ending, or prolonging, that a job is held.
namespace coworker {

using namespace detail;

namespace {

void check(const held_job& job)
{
    check_jid(job.jid);
    check_name(job.worker, "the worker's name");
}

void add_complete(managed_call& call, const held_job& job, const complete_options& options,
                  std::size_t max_job_size)
{
    check(job);
    check_queue_name(job.queue);
    if (options.data)
        check_data(*options.data, max_job_size);
    call.add(job.jid).add(job.worker).add(job.queue).add(options.data ? *options.data : job.data);
    if (options.next) {
        check_queue_name(*options.next);
        check_jids(options.depends);
        call.add("next").add(*options.next).add("delay").add_seconds(options.delay);
        call.add("depends").add_list(options.depends);
    } else if (options.delay.count() > 0 || !options.depends.empty()) {
        throw explained_error{errc::invalid_option,
                              "a delay and dependencies are for the next queue; name it"};
    }
    if (options.result) {
        check_data(*options.result, max_result_size);
        if (options.next || options.result_retention.count() <= 0)
            throw explained_error{errc::invalid_option,
                                  "a result is kept for longer than no time, of a job that goes nowhere"};
        call.add("result").add(*options.result).add("keep").add_number(options.result_retention.count());
    }
}

managed_state read_new_state(const reply::answer& answer)
{
    for (const auto state :
         {managed_state::complete, managed_state::waiting, managed_state::scheduled, managed_state::depends})
        if (answer.text() == to_string(state))
            return state;
    throw system_error{errc::not_decodable, "complete answered '" + std::string{answer.text()} + "'"};
}

void add_fail(managed_call& call, const held_job& job, std::string_view group, std::string_view message,
              const std::optional<std::string_view>& data, std::size_t max_job_size)
{
    check(job);
    check_name(group, "the group");
    check_utf8(message, "the message");
    call.add(job.jid).add(job.worker).add(group).add(message);
    if (data) {
        check_data(*data, max_job_size);
        call.add(*data);
    }
}

bool read_done(const reply::answer&)
{
    return true;
}

asio::awaitable<std::vector<result<void>>> send_failed(kept_connection redis, managed_batches batches)
{
    std::vector<result<void>> results;
    for (const auto& done : co_await managed_batches::send(redis, std::move(batches), read_done))
        results.push_back(done ? result<void>{} : result<void>{done.error()});
    co_return results;
}

void add_retry(managed_call& call, const held_job& job, const retry_options& options)
{
    check(job);
    const std::string_view queue = options.queue ? *options.queue : job.queue;
    check_queue_name(queue);
    if (options.group.has_value() != options.message.has_value())
        throw explained_error{errc::invalid_option, "give a failure's group and message together"};
    call.add(job.jid).add(queue).add(job.worker).add_seconds(options.delay);
    if (options.group) {
        check_name(*options.group, "the group");
        check_utf8(*options.message, "the message");
        call.add(*options.group).add(*options.message);
    }
}

int read_remaining(const reply::answer& answer)
{
    return static_cast<int>(answer.integer());
}

void add_heartbeat(managed_call& call, const held_job& job)
{
    check(job);
    call.add(job.jid).add(job.worker);
}

timestamp read_expiry(const reply::answer& answer)
{
    return timestamp{std::chrono::seconds{answer.integer()}};
}

} // namespace

asio::awaitable<result<managed_state>> managed_client::complete(held_job job, complete_options options) const
{
    managed_call call{options_.prefix, "complete"};
    add_complete(call, job, options, options_.max_job_size);
    return ask(*redis_, std::move(call), read_new_state);
}

asio::awaitable<std::vector<result<managed_state>>>
managed_client::complete_many(std::span<const completion> jobs) const
{
    managed_batches batches{options_.prefix, "complete_many"};
    for (const auto& each : jobs)
        batches.add(
            [&](managed_call& call) { add_complete(call, each.job, each.options, options_.max_job_size); });
    return managed_batches::send(*redis_, std::move(batches), read_new_state);
}

asio::awaitable<result<void>> managed_client::fail(held_job job, std::string_view group,
                                                   std::string_view message,
                                                   std::optional<std::string_view> data) const
{
    managed_call call{options_.prefix, "fail"};
    add_fail(call, job, group, message, data, options_.max_job_size);
    return ask(*redis_, std::move(call));
}

asio::awaitable<std::vector<result<void>>> managed_client::fail_many(std::span<const failing> jobs) const
{
    managed_batches batches{options_.prefix, "fail_many"};
    for (const auto& each : jobs)
        batches.add([&](managed_call& call) {
            add_fail(call, each.job, each.group, each.message, each.data, options_.max_job_size);
        });
    return send_failed(*redis_, std::move(batches));
}

asio::awaitable<result<int>> managed_client::retry(held_job job, retry_options options) const
{
    managed_call call{options_.prefix, "retry"};
    add_retry(call, job, options);
    return ask(*redis_, std::move(call), read_remaining);
}

asio::awaitable<std::vector<result<int>>> managed_client::retry_many(std::span<const retrying> jobs) const
{
    managed_batches batches{options_.prefix, "retry_many"};
    for (const auto& each : jobs)
        batches.add([&](managed_call& call) { add_retry(call, each.job, each.options); });
    return managed_batches::send(*redis_, std::move(batches), read_remaining);
}

asio::awaitable<result<timestamp>> managed_client::heartbeat(held_job job,
                                                             std::optional<std::string_view> data) const
{
    managed_call call{options_.prefix, "heartbeat"};
    add_heartbeat(call, job);
    if (data) {
        check_data(*data, options_.max_job_size);
        call.add(*data);
    }
    return ask(*redis_, std::move(call), read_expiry);
}

asio::awaitable<std::vector<result<timestamp>>>
managed_client::heartbeat_many(std::span<const held_job> jobs) const
{
    managed_batches batches{options_.prefix, "heartbeat_many"};
    for (const auto& job : jobs)
        batches.add([&](managed_call& call) { add_heartbeat(call, job); });
    return managed_batches::send(*redis_, std::move(batches), read_expiry);
}

} // namespace coworker
