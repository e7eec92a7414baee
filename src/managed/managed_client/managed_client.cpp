// SPDX-License-Identifier: MIT
#include "coworker/managed_client.hpp"

#include "bounds.hpp"
#include "managed/checks.hpp"
#include "managed/managed_call.hpp"
#include "managed/read_job.hpp"

#include <iterator>

/// Jobs by their id, whatever queue they are in.
namespace coworker {

using namespace detail;

namespace {

std::optional<managed_job> read_job_if_any(const reply::answer& answer)
{
    if (answer.is_null())
        return std::nullopt;
    return read_job(answer.text());
}

asio::awaitable<result<managed_job>> get_job(kept_connection redis, managed_call call)
{
    auto job = co_await ask(redis, std::move(call), read_job_if_any);
    if (!job) // too large to be sent
        co_return job.error();
    if (!*job)
        co_return errc::job_not_found;
    co_return std::move(**job);
}

asio::awaitable<std::vector<managed_job>> get_jobs(kept_connection redis, std::vector<managed_call> calls)
{
    std::vector<managed_job> jobs;
    for (auto& call : calls) {
        const reply answer = co_await call_managed(redis, std::move(call));
        auto some = read_jobs(answer.back().text());
        jobs.insert(jobs.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
    }
    co_return jobs;
}

} // namespace

managed_client::managed_client(const client& redis, managed_options options)
    : redis_{connection_of(redis).for_prefix(options.prefix)}, options_{std::move(options)}
{
    check_options(options_);
}

managed_client::executor_type managed_client::get_executor() const
{
    return redis_->get_executor();
}

asio::awaitable<result<managed_job>> managed_client::get(std::string_view jid) const
{
    check_jid(jid);
    managed_call call{options_.prefix, "get"};
    call.add(jid);
    return get_job(*redis_, std::move(call));
}

asio::awaitable<std::vector<managed_job>> managed_client::multiget(text_list jids) const
{
    check_jids(jids);
    std::vector<managed_call> calls;
    for (std::size_t i = 0; i != jids.size(); ++i) {
        if (i % max_batch == 0)
            calls.emplace_back(options_.prefix, "multiget");
        calls.back().add(jids[i]);
    }
    return get_jobs(*redis_, std::move(calls));
}

asio::awaitable<result<void>> managed_client::cancel(text_list jids) const
{
    check_jids(jids);
    managed_call call{options_.prefix, "cancel"};
    call.add_each(jids);
    return ask(*redis_, std::move(call));
}

asio::awaitable<result<void>> managed_client::timeout(text_list jids) const
{
    check_jids(jids);
    managed_call call{options_.prefix, "timeout"};
    call.add_each(jids);
    return ask(*redis_, std::move(call));
}

asio::awaitable<result<void>> managed_client::set_priority(std::string_view jid, double priority) const
{
    check_jid(jid);
    check_priority(priority);
    managed_call call{options_.prefix, "priority"};
    call.add(jid).add_number(priority);
    return ask(*redis_, std::move(call));
}

asio::awaitable<result<void>> managed_client::log(std::string_view jid, std::string_view message,
                                                  std::string_view details) const
{
    check_jid(jid);
    check_name(message, "the message");
    managed_call call{options_.prefix, "log"};
    call.add(jid).add(message);
    if (!details.empty()) {
        check_object(details, "the details");
        call.add(details);
    }
    return ask(*redis_, std::move(call));
}

} // namespace coworker
