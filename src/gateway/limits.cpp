// SPDX-License-Identifier: MIT
#include "coworker/managed_client.hpp"
#include "coworker/managed_queue.hpp"
#include "gateway/api.hpp"
#include "gateway/page.hpp"
#include "json/limit_text.hpp"
#include "json/members.hpp"

/// Limits, and the weights of groups, through the gateway.
namespace coworker::detail {
namespace {

struct limit_submission
{
    limit_settings settings{};
    bool has_period_or_burst = false;
};

const member_readers<limit_submission>& limit_members()
{
    using item = limit_submission&;
    static const member_readers<limit_submission> readers{
        {"max_running", [](item into, member_name name,
                           json_text json) { into.settings.max_running = member_count(name, json); }},
        {"rate",
         [](item into, member_name name, json_text json) { into.settings.rate = member_count(name, json); }},
        {"period",
         [](item into, member_name name, json_text json) {
             into.settings.period = member_time(name, json);
             into.has_period_or_burst = true;
         }},
        {"burst",
         [](item into, member_name name, json_text json) {
             into.settings.burst = member_count(name, json);
             into.has_period_or_burst = true;
         }},
    };
    return readers;
}

limit_settings read_settings(const std::string& body)
{
    const auto given = read_object(body, "a limit", limit_members());
    if (!given.settings.max_running && !given.settings.rate)
        refuse_body("A limit needs 'max_running' or 'rate'; POST to …/delete removes it.");
    if (given.has_period_or_burst && !given.settings.rate)
        refuse_body("The members 'period' and 'burst' belong to 'rate', which is missing.");
    return given.settings;
}

struct weight_submission
{
    std::string group{};
    std::optional<double> weight{};
};

const member_readers<weight_submission>& weight_members()
{
    using item = weight_submission&;
    static const member_readers<weight_submission> readers{
        {"group", [](item into, member_name name, json_text json) { into.group = member_text(name, json); }},
        {"weight",
         [](item into, member_name name, json_text json) {
             into.weight = member_number<double>(name, json, "a number from 0.001 to 1000");
         }},
    };
    return readers;
}

struct limits_submission
{
    limit_list limits{};
};

const member_readers<limits_submission>& limits_members()
{
    static const member_readers<limits_submission> readers{
        {"limits", [](limits_submission& into, const std::string& name,
                      std::string_view json) { into.limits = member_limits(name, json); }},
    };
    return readers;
}

/// Runs what may refuse its arguments.
template<class Work>
asio::awaitable<void> refusing(Work work)
{
    try {
        co_await work();
    } catch (const system_error& error) {
        refuse_unusable(error);
    }
}

asio::awaitable<answer> tell_limit(managed_client jobs, std::string name)
{
    const auto state = co_await jobs.async_limit(name, awaited);
    co_return answer{.body = detail::describe(state).str() + '\n'};
}

asio::awaitable<answer> tell_queue_limits(managed_queue queue)
{
    const auto limits = co_await queue.async_limits(awaited);
    co_return answer{
        .body = json_object{}
                    .objects("limits", limits, [](const auto& each) { return detail::describe(each); })
                    .str() +
                '\n'};
}

/// @throws refusal  for the name of a limit that no job can name
void check_limit(const std::string& name)
{
    if (!can_name_limit(name))
        refuse_body("Names of limits have at most 256 bytes, do not begin with 'order:', which is for order "
                    "keys, and have no '&' at an end and no '&&'.");
}

} // namespace

asio::awaitable<answer> api::all_limits(const routed&)
{
    const managed_client jobs{redis_, {.prefix = options_.managed_prefix}};
    const auto limits = co_await jobs.async_limits(awaited);
    json_object out;
    out.objects("limits", limits, [](const auto& each) { return detail::describe(each); });
    co_return answer{.body = out.str() + '\n'};
}

asio::awaitable<answer> api::limit(const routed& where)
{
    check_limit(where.name);
    const managed_client jobs{redis_, {.prefix = options_.managed_prefix}};
    co_return co_await tell_limit(jobs, where.name);
}

asio::awaitable<answer> api::set_limit(const routed& where)
{
    check_limit(where.name);
    const auto settings = read_settings(where.request.body);
    const managed_client jobs{redis_, {.prefix = options_.managed_prefix}};
    const auto set = [&] { return jobs.async_set_limit(where.name, settings, awaited); };
    co_await refusing(set);
    co_return co_await tell_limit(jobs, where.name);
}

asio::awaitable<answer> api::remove_limit(const routed& where)
{
    check_limit(where.name);
    const managed_client jobs{redis_, {.prefix = options_.managed_prefix}};
    co_await jobs.async_remove_limit(where.name, awaited);
    co_return co_await tell_limit(jobs, where.name);
}

asio::awaitable<answer> api::queue_limits(const routed& where)
{
    const managed_queue queue{redis_, where.queue.name(), {.prefix = options_.managed_prefix}};
    co_return co_await tell_queue_limits(queue);
}

asio::awaitable<answer> api::set_queue_limits(const routed& where)
{
    const auto given = read_object(where.request.body, "the limits of a queue", limits_members());
    if (!given.limits.is_given())
        refuse_body(R"(The member 'limits' is missing; {"limits": []} removes those of the queue.)");
    const managed_queue queue{redis_, where.queue.name(), {.prefix = options_.managed_prefix}};
    const auto set = [&] { return queue.async_set_limits(given.limits, awaited); };
    co_await refusing(set);
    co_return co_await tell_queue_limits(queue);
}

asio::awaitable<answer> api::group_weights(const routed& where)
{
    const managed_queue queue{redis_, where.queue.name(), {.prefix = options_.managed_prefix}};
    const auto weights = co_await queue.async_group_weights(awaited);
    co_return answer{
        .body = json_object{}
                    .objects("groups", weights, [](const auto& each) { return detail::describe(each); })
                    .str() +
                '\n'};
}

asio::awaitable<answer> api::set_group_weight(const routed& where)
{
    const auto given = read_object(where.request.body, "a group with its weight", weight_members());
    if (given.group.empty() || !given.weight)
        refuse_body("The members 'group' and 'weight' have to be there.");
    const managed_queue queue{redis_, where.queue.name(), {.prefix = options_.managed_prefix}};
    const auto set = [&] { return queue.async_set_group_weight(given.group, *given.weight, awaited); };
    co_await refusing(set);
    const group_weight now{given.group, *given.weight};
    co_return answer{.body = detail::describe(now).str() + '\n'};
}

} // namespace coworker::detail
