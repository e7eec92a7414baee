// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/whole_number.hpp"
#include "program/queue_name.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"
#include "json/limit_text.hpp"

#include <coworker/managed_queue.hpp>

/// coworker queue-settings
namespace coworker::program {
namespace {

struct queue_settings_arguments
{
    std::string queue, heartbeat, ageing;
    std::optional<double> max_concurrency, max_waiting;
};

constexpr std::string_view of_all_queues = "default";

void write(surroundings& here, const queue_ref& queue, const managed_queue_settings& settings)
{
    if (here.json) {
        auto line = detail::describe(settings, detail::json_for::terminals);
        here.out.line(line.text("queue", shown_name(queue)).str());
        return;
    }
    table rows{{{"HEARTBEAT", true}, {"MAX CONCURRENCY", true}, {"MAX WAITING", true}, {"AGEING", true}}};
    const auto shown = [](std::uint64_t most) { return most != 0 ? std::to_string(most) : std::string{"-"}; };
    rows.add({settings.heartbeat ? format_span(*settings.heartbeat) : std::string{of_all_queues},
              shown(settings.max_concurrency), shown(settings.max_waiting),
              settings.ageing.count() != 0 ? format_span(settings.ageing) : "-"});
    rows.write(here.out);
}

/// What is to be set. Each is empty if it stays as it is.
struct new_settings
{
    std::optional<std::optional<std::chrono::milliseconds>> heartbeat{};
    std::optional<std::uint64_t> max_concurrency{}, max_waiting{};
    std::optional<std::chrono::milliseconds> ageing{};
};

std::optional<std::uint64_t> read_number(std::string_view flag, const std::optional<double>& given)
{
    if (!given)
        return std::nullopt;
    const auto number = whole_number(*given);
    if (!number)
        refuse(std::string{flag} + " is a whole number from 0 to a billion");
    return number;
}

new_settings read_settings(const queue_settings_arguments& given)
{
    new_settings settings;
    if (given.heartbeat == of_all_queues) {
        settings.heartbeat.emplace();
    } else if (!given.heartbeat.empty()) {
        const auto time = parse_duration(given.heartbeat);
        if (!time || time->count() == 0)
            refuse("--heartbeat is a time such as 30s or 5m, or 'default', not '" + escaped(given.heartbeat) +
                   "'");
        settings.heartbeat = time;
    }
    settings.max_concurrency = read_number("--max-concurrency", given.max_concurrency);
    settings.max_waiting = read_number("--max-waiting", given.max_waiting);
    if (!given.ageing.empty()) {
        settings.ageing = given.ageing == "0" ? std::chrono::milliseconds{} : parse_duration(given.ageing);
        if (!settings.ageing)
            refuse("--ageing is a time such as 10m, or 0, not '" + escaped(given.ageing) + "'");
    }
    return settings;
}

exit_code show_or_set(const queue_settings_arguments& given, surroundings& here)
{
    const auto queue = parse_queue_name(given.queue);
    if (!queue.is_managed())
        refuse("settings belong to managed queues: managed:" + escaped(queue.name()));
    const auto settings = read_settings(given);
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        const managed_queue jobs{redis, queue.name(), here.server.managed()};
        if (settings.heartbeat)
            co_await jobs.async_set_heartbeat(*settings.heartbeat);
        if (settings.max_concurrency)
            co_await jobs.async_set_max_concurrency(*settings.max_concurrency);
        if (settings.max_waiting)
            co_await jobs.async_set_max_waiting(*settings.max_waiting);
        if (settings.ageing)
            co_await jobs.async_set_ageing(*settings.ageing);
        const auto now = co_await jobs.async_settings();
        write(here, queue, now);
        co_return exit_code::done;
    });
}

} // namespace

void add_queue_settings(command_line& line)
{
    const auto given = std::make_shared<queue_settings_arguments>();
    auto command = line.add_with_json(
        "queue-settings",
        "Show or change the settings of a managed queue. The first two hold for all its workers, also those "
        "in "
        "Ruby and Python, the others for what coworker pushes. What is not given stays as it is.",
        "  coworker queue-settings managed:mail\n"
        "  coworker queue-settings managed:mail --heartbeat 30s --max-concurrency 8\n"
        "  coworker queue-settings managed:mail --heartbeat default --max-concurrency 0",
        [given](surroundings& here) { return show_or_set(*given, here); });
    command.add_option("QUEUE", given->queue, "managed:NAME").required();
    command
        .add_option("--heartbeat", given->heartbeat,
                    "For how long a job stays reserved for a worker that does not renew its lease; "
                    "'default': as in other queues, 60s if nothing is set for them")
        .value_name("TIME")
        .not_empty();
    command
        .add_option("--max-concurrency", given->max_concurrency,
                    "How many jobs of the queue may run at the same time, in all workers together; 0: any "
                    "number")
        .value_name("NUMBER");
    command
        .add_option("--max-waiting", given->max_waiting,
                    "How many jobs may wait; pushes of more are refused, or wait for room; 0: any number")
        .value_name("NUMBER");
    command.add_option("--ageing", given->ageing, "In which time a waiting job gains one priority; 0: never")
        .value_name("TIME")
        .not_empty();
}

} // namespace coworker::program
