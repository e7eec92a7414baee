// SPDX-License-Identifier: MIT
#include "coworker/managed_client.hpp"
#include "managed/checks.hpp"
#include "managed/managed_call.hpp"
#include "managed/read_job.hpp"
#include "managed/read_look.hpp"

/// Recurring jobs by their id.
namespace coworker {

using namespace detail;

namespace {

std::optional<recurring_job> read_if_any(const reply::answer& answer)
{
    if (answer.is_null())
        return std::nullopt;
    return read_recurring_job(answer.text());
}

asio::awaitable<result<recurring_job>> get_recurring(kept_connection redis, managed_call call)
{
    auto job = co_await tell(redis, std::move(call), read_if_any);
    if (!job)
        co_return errc::recurring_job_not_found;
    co_return std::move(*job);
}

managed_call tags_call(const std::string& prefix, std::string_view script, std::string_view jid,
                       const text_list& tags)
{
    check_jid(jid);
    check_names(tags, "a tag");
    managed_call call{prefix, script};
    call.add(jid).add_each(tags);
    return call;
}

asio::awaitable<result<std::vector<std::string>>> change_tags(kept_connection redis, managed_call call)
{
    const auto answer = co_await try_managed(redis, std::move(call));
    if (answer)
        co_return read_texts(answer->back().text());
    // The script says the same as that for the tags of a job.
    if (answer.error() == errc::job_not_found)
        co_return errc::recurring_job_not_found;
    co_return answer.error();
}

} // namespace

asio::awaitable<result<recurring_job>> managed_client::recurring(std::string_view jid) const
{
    check_jid(jid);
    managed_call call{options_.prefix, "recur_get"};
    call.add(jid);
    return get_recurring(*redis_, std::move(call));
}

asio::awaitable<result<void>> managed_client::update_recurring(std::string_view jid,
                                                               recurring_changes changes) const
{
    check_jid(jid);
    managed_call call{options_.prefix, "recur_update"};
    call.add(jid);
    if (changes.kind) {
        check_name(*changes.kind, "the kind");
        call.add("klass").add(*changes.kind);
    }
    if (changes.data) {
        check_data(*changes.data, options_.max_job_size);
        call.add("data").add(*changes.data);
    }
    if (changes.queue) {
        check_queue_name(*changes.queue);
        call.add("queue").add(*changes.queue);
    }
    if (changes.interval) {
        check_interval(*changes.interval);
        call.add("interval").add_seconds(*changes.interval);
    }
    if (changes.priority) {
        check_priority(*changes.priority);
        call.add("priority").add_number(*changes.priority);
    }
    if (changes.retries)
        call.add("retries").add_number(*changes.retries);
    if (changes.backlog)
        call.add("backlog").add_number(*changes.backlog);
    return ask(*redis_, std::move(call));
}

asio::awaitable<result<std::vector<std::string>>> managed_client::tag_recurring(std::string_view jid,
                                                                                text_list tags) const
{
    return change_tags(*redis_, tags_call(options_.prefix, "recur_tag", jid, tags));
}

asio::awaitable<result<std::vector<std::string>>> managed_client::untag_recurring(std::string_view jid,
                                                                                  text_list tags) const
{
    return change_tags(*redis_, tags_call(options_.prefix, "recur_untag", jid, tags));
}

asio::awaitable<void> managed_client::unrecur(std::string_view jid) const
{
    check_jid(jid);
    managed_call call{options_.prefix, "unrecur"};
    call.add(jid);
    return tell(*redis_, std::move(call));
}

} // namespace coworker
