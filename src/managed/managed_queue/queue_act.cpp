// SPDX-License-Identifier: MIT
#include "coworker/managed_queue.hpp"
#include "managed/checks.hpp"
#include "managed/managed_call.hpp"
#include "managed/managed_queue/put_request.hpp"
#include "text/bounded_time.hpp"
#include "text/numbers.hpp"

#include <algorithm>
#include <cmath>

/// What can be done to a managed queue.
namespace coworker {

using namespace detail;

namespace {

constexpr std::string_view heartbeat_option = "-heartbeat", concurrency_option = "-max-concurrency";

/// As the scripts have it.
constexpr std::uint64_t most_waiting = 1'000'000'000;
constexpr std::chrono::seconds longest_ageing{30LL * 365 * 86'400};

/// An option's value as a number; empty if it is not set, or makes no sense.
std::optional<double> option_value(const reply& answer)
{
    const auto value = to_number<double>(answer.back().text());
    return value && !std::isnan(*value) ? value : std::nullopt;
}

asio::awaitable<managed_queue_settings> read_settings(kept_connection redis, managed_call heartbeat,
                                                      managed_call concurrency, managed_call bound,
                                                      managed_call ageing, managed_call hold)
{
    managed_queue_settings settings;
    constexpr double longest = 1e9, most = 1e18; // what is set may be anything
    if (const auto seconds = option_value(co_await call_managed(redis, std::move(heartbeat))))
        settings.heartbeat = std::chrono::round<std::chrono::milliseconds>(
            std::chrono::duration<double>{std::clamp(*seconds, -longest, longest)});
    if (const auto limit = option_value(co_await call_managed(redis, std::move(concurrency))))
        settings.max_concurrency = *limit >= 1 ? static_cast<std::uint64_t>(std::min(*limit, most)) : 0;
    if (const auto waiting = option_value(co_await call_managed(redis, std::move(bound))))
        settings.max_waiting = static_cast<std::uint64_t>(std::clamp(*waiting, 0.0, most));
    if (const auto seconds = option_value(co_await call_managed(redis, std::move(ageing))))
        settings.ageing = bounded_span_of_seconds(*seconds);
    if (const auto seconds = option_value(co_await call_managed(redis, std::move(hold))))
        settings.held_for = bounded_span_of_seconds(std::ceil(*seconds * 1000) / 1000);
    co_return settings;
}

/// The script moves jobs one by one, so it is asked for some at a time.
asio::awaitable<std::size_t> unfail_in_steps(kept_connection redis, std::string prefix, std::string queue,
                                             std::string group, std::size_t count)
{
    constexpr std::size_t most = 500;
    std::size_t total = 0;
    while (total < count) {
        const auto wanted = std::min(count - total, most);
        managed_call call{prefix, "unfail"};
        call.add(queue).add(group).add_number(wanted);
        const reply answer = co_await call_managed(redis, std::move(call));
        const auto moved = static_cast<std::size_t>(answer.back().integer());
        total += moved;
        if (moved == 0)
            break;
    }
    co_return total;
}

} // namespace

asio::awaitable<void> managed_queue::pause() const
{
    managed_call call{options_.prefix, "pause"};
    call.add(name_);
    return tell(*redis_, std::move(call));
}

asio::awaitable<void> managed_queue::pause_delays() const
{
    managed_call call{options_.prefix, "pause_delays"};
    call.add(name_);
    return tell_in_steps(*redis_, std::move(call));
}

asio::awaitable<void> managed_queue::resume() const
{
    managed_call call{options_.prefix, "unpause"};
    call.add(name_);
    return tell_in_steps(*redis_, std::move(call));
}

asio::awaitable<void> managed_queue::forget() const
{
    managed_call call{options_.prefix, "queue_forget"};
    call.add(name_);
    return tell(*redis_, std::move(call));
}

asio::awaitable<std::size_t> managed_queue::unfail(std::string_view group, std::size_t count) const
{
    check_name(group, "the group");
    return unfail_in_steps(*redis_, options_.prefix, name_, std::string{group}, count);
}

asio::awaitable<std::string> managed_queue::recur_encoded(std::string_view kind, std::string data,
                                                          std::chrono::seconds interval,
                                                          recur_options options) const
{
    const auto jid = options.jid ? std::string{*options.jid} : make_jid();
    check_name(kind, "the kind");
    check_data(data, options_.max_job_size);
    check_new_jid(jid);
    check_priority(options.priority);
    check_names(options.tags, "a tag");
    check_interval(interval);
    if (options.offset.count() < 0)
        throw explained_error{errc::invalid_option, "the offset of a recurring job is zero or more"};
    if (auto stored = push_codecs{around_.get()}.stored(kind, data, options_.max_job_size); !stored.empty())
        data = std::move(stored);
    managed_call call{options_.prefix, "recur"};
    call.add(name_).add(jid).add(kind).add(data);
    call.add("interval").add_seconds(interval).add_seconds(options.offset);
    call.add("tags").add_list(options.tags);
    call.add("priority").add_number(options.priority);
    call.add("retries").add_number(options.retries);
    call.add("backlog").add_number(options.backlog);
    return tell(*redis_, std::move(call), read_text);
}

asio::awaitable<managed_queue_settings> managed_queue::settings() const
{
    managed_call heartbeat{options_.prefix, "config_get"}, concurrency{options_.prefix, "config_get"};
    managed_call bound{options_.prefix, "queue_bound"}, ageing{options_.prefix, "queue_ageing"};
    bound.add(name_);
    ageing.add(name_);
    managed_call hold{options_.prefix, "hold"};
    hold.add("queue").add(name_).add("");
    heartbeat.add(name_ + std::string{heartbeat_option});
    concurrency.add(name_ + std::string{concurrency_option});
    return read_settings(*redis_, std::move(heartbeat), std::move(concurrency), std::move(bound),
                         std::move(ageing), std::move(hold));
}

asio::awaitable<void> managed_queue::set_heartbeat(std::optional<std::chrono::milliseconds> heartbeat) const
{
    if (heartbeat && heartbeat->count() <= 0)
        throw explained_error{errc::invalid_option, "a heartbeat is greater than zero"};
    managed_call call{options_.prefix, heartbeat ? "config_set" : "config_unset"};
    call.add(name_ + std::string{heartbeat_option});
    if (heartbeat)
        call.add_seconds(*heartbeat);
    return tell(*redis_, std::move(call));
}

asio::awaitable<void> managed_queue::set_max_waiting(std::uint64_t count) const
{
    if (count > most_waiting)
        throw explained_error{errc::invalid_option, "at most a billion jobs may wait"};
    managed_call call{options_.prefix, "queue_bound"};
    call.add(name_).add_number(count);
    return tell(*redis_, std::move(call));
}

asio::awaitable<void> managed_queue::set_ageing(std::chrono::milliseconds time_for_one) const
{
    if (time_for_one.count() < 0 || time_for_one > longest_ageing)
        throw explained_error{errc::invalid_option, "a job gains one priority in a time of zero to 30 years"};
    managed_call call{options_.prefix, "queue_ageing"};
    call.add(name_).add_seconds(time_for_one);
    return tell(*redis_, std::move(call));
}

asio::awaitable<void> managed_queue::set_max_concurrency(std::uint64_t count) const
{
    managed_call call{options_.prefix, count != 0 ? "config_set" : "config_unset"};
    call.add(name_ + std::string{concurrency_option});
    if (count != 0)
        call.add_number(count);
    return tell(*redis_, std::move(call));
}

} // namespace coworker
