// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/queue_list.hpp"
#include "program/terminal/table.hpp"
#include "json/queue_text.hpp"

#include <algorithm>
#include <tuple>

/// coworker workers
namespace coworker::program {
namespace {

/// A worker as it is shown, once for each list queue, and once for all managed ones.
struct worker_line
{
    std::string name;
    queue_ref queue; ///< of managed queues without a name
    std::uint64_t running = 0, stalled = 0;
};

/// Whether a line says anything of a worker that has gone and still holds jobs: of the queues without them it does not.
bool is_worth_a_line(const worker_info& worker, const worker_load& load)
{
    const auto holds_jobs = [](const worker_load& each) { return each.running + each.stalled != 0; };
    return worker.connected || holds_jobs(load) ||
           std::none_of(worker.loads.begin(), worker.loads.end(), holds_jobs);
}

std::vector<worker_line> lines_of(const std::vector<worker_info>& workers)
{
    std::vector<worker_line> lines;
    for (const auto& worker : workers)
        for (const auto& load : worker.loads)
            if (is_worth_a_line(worker, load))
                lines.push_back({worker.name, load.queue, load.running, load.stalled});
    std::sort(lines.begin(), lines.end(), [](const worker_line& a, const worker_line& b) {
        return std::tie(a.queue, a.name) < std::tie(b.queue, b.name);
    });
    return lines;
}

void write_table(output& out, const std::vector<worker_line>& workers)
{
    table rows{{{"WORKER"}, {"QUEUE"}, {"RUNNING", true}, {"STALLED", true}}};
    for (const auto& worker : workers)
        rows.add({worker.name.empty() ? "(others)" : worker.name,
                  worker.queue.is_managed() ? "(managed queues)" : shown_name(worker.queue),
                  std::to_string(worker.running),
                  cell{worker.queue.is_managed() ? std::to_string(worker.stalled) : "-",
                       worker.stalled != 0 ? tone::bad : tone::plain}});
    if (rows.empty())
        out.line("No workers.");
    else
        rows.write(out);
}

exit_code show_workers(surroundings& here)
{
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        const auto all = inspect(redis, here.server);
        node_set missing;
        co_await list_queue_names(all, missing); // workers of queues nobody has told Redis of are found, too
        const auto found = co_await all.async_workers();
        missing.insert(found.missing_nodes.begin(), found.missing_nodes.end());
        if (!here.json)
            write_table(here.out, lines_of(found.workers));
        for (const auto& worker : found.workers)
            if (here.json && !worker.loads.empty())
                here.out.line(detail::describe(worker, detail::json_for::terminals).str());
        co_return judge_missing(missing);
    });
}

} // namespace

void add_workers(command_line& line)
{
    line.add_with_json(
        "workers",
        "Show the workers and how many jobs each holds: those of list queues under the names of their "
        "connections, those of managed queues if they have done something within a day.",
        "  coworker workers\n"
        "  coworker workers --json | jq 'select(.stalled > 0)'",
        show_workers);
}

} // namespace coworker::program
