#include "program/command_line.hpp"
#include "program/commands/queue_list.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/table.hpp"

#include "list/keys.hpp"
#include "managed/browse.hpp"
#include "redis/connection.hpp"
#include "redis/connection_names.hpp"

#include <boost/redis/request.hpp>

#include <map>

/// coworker workers
namespace coworker::program {
namespace {

/// A worker as it is shown.
struct worker_line
{
    std::string name;
    std::string queue; ///< of a list queue; empty: it works on managed ones
    std::uint64_t running = 0, stalled = 0;
};

/// The workers that a list queue knows, by name, and how many jobs each holds. Nameless: peers, and workers
/// that are gone.
asio::awaitable<std::map<std::string, std::uint64_t>> list_workers(client& redis, const std::string& queue)
{
    std::map<std::string, std::uint64_t> workers;
    boost::redis::request all;
    all.push("HVALS", detail::list_keys{queue}.workers);
    detail::reply answers;
    co_await detail::connection_of(redis).exec(all, answers);
    answers.throw_if_error();
    const auto names = answers[0];
    for (std::size_t i = 0; i != names.size(); ++i)
        workers.emplace(names[i], 0);

    constexpr std::size_t jobs_at_a_time = 20; // payloads come along
    raw_list_queue list{redis, queue};
    std::uint64_t cursor = 0;
    do {
        const auto jobs = co_await list.async_in_progress(cursor, jobs_at_a_time);
        for (const auto& job : jobs.items)
            ++workers[job.holder];
        cursor = jobs.next;
    } while (cursor != 0);
    co_return workers;
}

void write_json(output& out, const worker_line& worker)
{
    json_line line;
    if (worker.name.empty())
        line.null("worker");
    else
        line.text("worker", worker.name);
    line.text("kind", worker.queue.empty() ? "managed" : "list");
    if (worker.queue.empty())
        line.number("running", worker.running).number("stalled", worker.stalled);
    else
        line.text("queue", worker.queue).number("running", worker.running);
    out.line(line.str());
}

void write_table(output& out, const std::vector<worker_line>& workers)
{
    table rows{{{"WORKER"}, {"QUEUE"}, {"RUNNING", true}, {"STALLED", true}}};
    for (const auto& worker : workers)
        rows.add({worker.name.empty() ? "(others)" : worker.name,
                  worker.queue.empty() ? "(managed queues)" : worker.queue, std::to_string(worker.running),
                  cell{worker.queue.empty() ? std::to_string(worker.stalled) : "-",
                       worker.stalled != 0 ? tone::bad : tone::plain}});
    if (rows.empty())
        out.line("No workers.");
    else
        rows.write(out);
}

exit_code show_workers(surroundings& here)
{
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        std::vector<worker_line> lines;
        const auto queues = co_await list_queue_names(redis);
        for (const auto& queue : queues) {
            const auto workers = co_await list_workers(redis, queue);
            const queue_name shown{false, queue};
            for (const auto& [name, running] : workers)
                lines.push_back({name, shown.str(), running, 0});
        }
        // After the registries: who is in one of them must be in the list. Those that hold jobs are shown until the
        // monitor has returned these.
        const auto connected = co_await detail::connected_names(detail::connection_of(redis));
        if (connected)
            std::erase_if(lines, [&](const worker_line& line) {
                return line.running == 0 && !connected->contains(line.name);
            });
        const auto managed =
            co_await detail::present_workers(detail::connection_of(redis), here.server.managed().prefix);
        for (const auto& counts : managed)
            lines.push_back({counts.name, {}, counts.running, counts.stalled});
        if (here.json)
            for (const auto& line : lines)
                write_json(here.out, line);
        else
            write_table(here.out, lines);
        co_return exit_code::done;
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
