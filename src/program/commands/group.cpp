// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/queue_name.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/text_functions.hpp"
#include "json/limit_text.hpp"

#include <coworker/managed_queue.hpp>

#include <charconv>

/// coworker group
namespace coworker::program {
namespace {

struct group_arguments
{
    std::string queue, group;
    std::optional<double> weight;
};

std::string weight_text(double weight)
{
    char text[32];
    return {text, std::to_chars(text, text + sizeof text, weight).ptr};
}

void write(surroundings& here, const queue_ref& queue, const std::vector<group_weight>& weights)
{
    if (here.json) {
        for (const auto& each : weights) {
            auto line = detail::describe(each, detail::json_for::terminals);
            here.out.line(line.text("queue", shown_name(queue)).str());
        }
        return;
    }
    table rows{{{"GROUP"}, {"WEIGHT", true}}};
    for (const auto& [group, weight] : weights)
        rows.add({group, weight_text(weight)});
    if (rows.empty())
        here.out.line("All groups of " + escaped(shown_name(queue)) + " have the weight 1.");
    else
        rows.write(here.out);
}

void check(const group_arguments& given, const queue_ref& queue)
{
    constexpr double least = 0.001, most = 1000;
    if (!queue.is_managed())
        refuse("groups belong to managed queues: managed:" + escaped(queue.name()));
    if (given.weight && given.group.empty())
        refuse("--weight needs a GROUP");
    if (given.weight && !(*given.weight >= least && *given.weight <= most))
        refuse("--weight is a number from 0.001 to 1000");
}

exit_code show_or_set(const group_arguments& given, surroundings& here)
{
    const auto queue = parse_queue_name(given.queue);
    check(given, queue);
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        const managed_queue jobs{redis, queue.name(), here.server.managed()};
        if (given.weight)
            co_await jobs.async_set_group_weight(given.group, *given.weight);
        auto weights = co_await jobs.async_group_weights();
        if (!given.group.empty()) {
            std::erase_if(weights, [&](const auto& each) { return each.group != given.group; });
            if (weights.empty())
                weights.push_back({given.group, 1});
        }
        write(here, queue, weights);
        co_return exit_code::done;
    });
}

} // namespace

void add_group(command_line& line)
{
    const auto given = std::make_shared<group_arguments>();
    auto command =
        line.add_with_json("group", "Show the weights of the groups of a managed queue, or set one.",
                           "  coworker group managed:mail\n"
                           "  coworker group managed:mail tenant-42\n"
                           "  coworker group managed:mail tenant-42 --weight 3",
                           [given](surroundings& here) { return show_or_set(*given, here); });
    command.add_option("QUEUE", given->queue, "managed:NAME").required();
    command.add_option("GROUP", given->group, "The group. Default: all whose weight is not 1").not_empty();
    command
        .add_option(
            "--weight", given->weight,
            "How many jobs it has in its turn, beside those of groups of weight 1; from 0.001 to 1000")
        .value_name("NUMBER");
}

} // namespace coworker::program
