// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/whole_number.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"
#include "json/limit_text.hpp"

#include <coworker/managed_client.hpp>

/// coworker limits and coworker limit
namespace coworker::program {
namespace {

struct limit_arguments
{
    std::string name, period;
    std::optional<double> max_running, rate, burst;
    bool remove = false;
};

std::string rate_text(const limit_settings& settings)
{
    if (!settings.rate)
        return "-";
    return std::to_string(*settings.rate) + " in " + format_span(settings.period) +
           (settings.burst == 1 ? "" : ", " + std::to_string(settings.burst) + " at once");
}

void write(surroundings& here, const std::vector<limit_state>& limits)
{
    if (here.json) {
        for (const auto& limit : limits)
            here.out.line(detail::describe(limit, detail::json_for::terminals).str());
        return;
    }
    table rows{{{"LIMIT"}, {"MAX RUNNING", true}, {"RATE"}, {"USED", true}, {"HELD BACK", true}}};
    for (const auto& limit : limits)
        rows.add({limit.name,
                  limit.settings.max_running ? std::to_string(*limit.settings.max_running) : std::string{"-"},
                  rate_text(limit.settings), std::to_string(limit.used), std::to_string(limit.waiting)});
    if (rows.empty())
        here.out.line("No limits are set.");
    else
        rows.write(here.out);
}

exit_code show_limits(const std::vector<std::string>& names, surroundings& here)
{
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        const managed_client jobs{redis, here.server.managed()};
        std::vector<limit_state> limits;
        if (names.empty())
            limits = co_await jobs.async_limits();
        for (const auto& name : names)
            limits.push_back(co_await jobs.async_limit(name));
        write(here, limits);
        co_return exit_code::done;
    });
}

[[noreturn]] void refuse_limit(const std::string& why)
{
    throw failure{exit_code::usage, why + "; see coworker limit --help"};
}

std::uint64_t read_units(double value, const std::string& option)
{
    const auto number = whole_number(value);
    if (!number)
        refuse_limit(option + " is a whole number from 0 to a billion");
    return *number;
}

limit_settings read_settings(const limit_arguments& given)
{
    limit_settings settings;
    if (!given.max_running && !given.rate)
        refuse_limit("a limit needs --max-running or --rate, or --remove");
    if (!given.rate && (given.burst || !given.period.empty()))
        refuse_limit("--period and --burst belong to --rate");
    if (given.max_running)
        settings.max_running = read_units(*given.max_running, "--max-running");
    if (given.rate)
        settings.rate = read_units(*given.rate, "--rate");
    if (given.burst)
        settings.burst = read_units(*given.burst, "--burst");
    if (!given.period.empty()) {
        const auto period = parse_duration(given.period);
        if (!period)
            refuse_limit("--period is a time such as 1s, 5m or 1h, not '" + given.period + "'");
        settings.period = *period;
    }
    return settings;
}

exit_code set_limit(const limit_arguments& given, surroundings& here)
{
    if (given.remove && (given.max_running || given.rate || given.burst || !given.period.empty()))
        refuse_limit("--remove stands alone");
    const auto settings = given.remove ? limit_settings{} : read_settings(given);
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        const managed_client jobs{redis, here.server.managed()};
        if (given.remove)
            co_await jobs.async_remove_limit(given.name);
        else
            co_await jobs.async_set_limit(given.name, settings);
        const auto now = co_await jobs.async_limit(given.name);
        write(here, {now});
        co_return exit_code::done;
    });
}

} // namespace

void add_limits(command_line& line)
{
    const auto names = std::make_shared<std::vector<std::string>>();
    auto command = line.add_with_json(
        "limits", "Show limits of managed queues, what is in use of them and how many jobs they hold back.",
        "  coworker limits\n"
        "  coworker limits tenant:42 --json",
        [names](surroundings& here) { return show_limits(*names, here); });
    command.add_option("LIMIT", *names, "Names. Default: all that are set");
}

void add_limit(command_line& line)
{
    const auto given = std::make_shared<limit_arguments>();
    auto command =
        line.add_with_json("limit",
                           "Set a limit of managed queues, or remove it. What is given replaces all "
                           "that was set: a limit with a rate that is set with --max-running alone "
                           "has no rate any more. It is shown as it is then.",
                           "  coworker limit gpu --max-running 16\n"
                           "  coworker limit 'tenant:*' --max-running 2\n"
                           "  coworker limit api --rate 100 --period 1m --burst 10\n"
                           "  coworker limit api --rate 100 --period 1m --max-running 5\n"
                           "  coworker limit api --remove",
                           [given](surroundings& here) { return set_limit(*given, here); });
    command.add_option("LIMIT", given->name, "Its name; 'tenant:*' is for each that begins with tenant:")
        .required();
    command.add_option("--max-running", given->max_running, "How many units jobs may hold at the same time")
        .value_name("NUMBER");
    command.add_option("--rate", given->rate, "How many units may begin in a period").value_name("NUMBER");
    command.add_option("--period", given->period, "The period, such as 1s (default), 5m or 1h")
        .value_name("TIME")
        .not_empty();
    command.add_option("--burst", given->burst, "How many units may begin at once after a pause. Default: 1")
        .value_name("NUMBER");
    command.add_flag("--remove", given->remove, "Remove the limit");
}

} // namespace coworker::program
