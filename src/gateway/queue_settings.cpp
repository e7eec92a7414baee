// SPDX-License-Identifier: MIT
#include "coworker/managed_queue.hpp"
#include "gateway/api.hpp"
#include "gateway/page.hpp"
#include "json/limit_text.hpp"
#include "json/members.hpp"

/// The settings of managed queues through the gateway.
namespace coworker::detail {
namespace {

struct settings_submission
{
    bool has_heartbeat = false;
    std::optional<std::chrono::milliseconds> heartbeat{};
    std::optional<std::uint64_t> max_concurrency{}, max_waiting{};
    std::optional<std::chrono::milliseconds> ageing{};
};

std::optional<std::chrono::milliseconds> read_heartbeat(const std::string& name, std::string_view json)
{
    if (json == "null")
        return std::nullopt;
    const auto time = member_time(name, json);
    if (time.count() == 0)
        refuse_member(name, "a time greater than zero, or null");
    return time;
}

const member_readers<settings_submission>& settings_members()
{
    using item = settings_submission&;
    static const member_readers<settings_submission> readers{
        {"heartbeat",
         [](item into, member_name name, std::string_view json) {
             into.has_heartbeat = true;
             into.heartbeat = read_heartbeat(name, json);
         }},
        {"max_concurrency", [](item into, member_name name,
                               std::string_view json) { into.max_concurrency = member_count(name, json); }},
        {"max_waiting", [](item into, member_name name,
                           std::string_view json) { into.max_waiting = member_count(name, json); }},
        {"ageing",
         [](item into, member_name name, std::string_view json) { into.ageing = member_time(name, json); }},
    };
    return readers;
}

asio::awaitable<answer> tell_settings(managed_queue queue)
{
    const auto settings = co_await queue.async_settings(awaited);
    co_return answer{.body = detail::describe(settings).str() + '\n'};
}

} // namespace

asio::awaitable<answer> api::settings(const routed& where)
{
    const managed_queue queue{redis_, where.queue.name(), {.prefix = options_.managed_prefix}};
    co_return co_await tell_settings(queue);
}

asio::awaitable<answer> api::set_settings(const routed& where)
{
    const auto given = read_object(where.request.body, "the settings of a queue", settings_members());
    if (!given.has_heartbeat && !given.max_concurrency && !given.max_waiting && !given.ageing)
        refuse_body(
            "The members 'heartbeat', 'max_concurrency', 'max_waiting' and 'ageing' are missing; one has "
            "to be there.");
    const managed_queue queue{redis_, where.queue.name(), {.prefix = options_.managed_prefix}};
    if (given.has_heartbeat)
        co_await queue.async_set_heartbeat(given.heartbeat, awaited);
    if (given.max_concurrency)
        co_await queue.async_set_max_concurrency(*given.max_concurrency, awaited);
    if (given.max_waiting)
        co_await queue.async_set_max_waiting(*given.max_waiting, awaited);
    if (given.ageing)
        co_await queue.async_set_ageing(*given.ageing, awaited);
    co_return co_await tell_settings(queue);
}

} // namespace coworker::detail
