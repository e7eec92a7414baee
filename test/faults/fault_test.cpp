// SPDX-License-Identifier: MIT
#include "fault_test.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <utility>

namespace coworker::test {

using namespace std::chrono_literals;

fault_test::fault_test(redis_server_options options, std::string queue)
    : redis_test{std::move(options)}, fault_scene{std::move(queue)}
{}

process fault_test::start_worker(fault_worker_options options) const
{
    std::vector<std::string> command{FAULT_WORKER,
                                     server.url(),
                                     works_on,
                                     std::to_string(options.concurrency),
                                     std::to_string(options.lease.count()),
                                     std::to_string(options.handler.count()),
                                     std::to_string(options.drain.count()),
                                     record.path()};
    if (options.effects)
        command.emplace_back("effects");
    if (options.results)
        command.emplace_back("results");
    if (options.batches)
        command.emplace_back("batches");
    if (options.threads)
        command.emplace_back("threads");
    if (options.many)
        command.emplace_back("many");
    return process{std::move(command), records.file("workers.log")};
}

std::vector<process> fault_test::start_workers(int count, fault_worker_options options) const
{
    std::vector<process> workers;
    for (int i = 0; i != count; ++i)
        workers.push_back(start_worker(options));
    return workers;
}

std::vector<process> fault_test::kill_workers(std::size_t times, std::size_t jobs,
                                              fault_worker_options options)
{
    auto workers = start_workers(3, options);
    for (std::size_t kills = 0; kills != times; ++kills) {
        wait_for_some_runs(jobs / (2 * times), jobs);
        auto& victim = workers[random_between(0, workers.size() - 1)];
        victim.kill();
        victim = start_worker(options);
    }
    return workers;
}

void fault_test::kill_all_workers(std::size_t times, std::size_t jobs, fault_worker_options options)
{
    for (std::size_t rounds = 0; rounds != times; ++rounds) {
        auto workers = start_workers(3, options);
        wait_for_some_runs(jobs / (2 * times), jobs);
        for (auto& worker : workers)
            worker.signal(SIGKILL);
    }
}

void fault_test::work_and_stop(fault_worker_options options, std::size_t most, std::size_t jobs)
{
    auto workers = start_workers(2, options);
    wait_for_some_runs(most, jobs);
    for (auto& worker : workers)
        wait_until_it_listens(worker);
    for (auto& worker : workers)
        worker.signal(SIGTERM);
    for (auto& worker : workers)
        BOOST_TEST(worker.wait() == 0);
}

void fault_test::push_numbers(std::size_t begin, std::size_t end)
{
    while (begin < end) {
        std::vector<std::string> words{"LPUSH", "hworker-jobs-q"};
        for (const auto part = std::min(end, begin + 1000); begin != part; ++begin) {
            const auto number = std::to_string(begin);
            words.push_back("[\"job-" + number + "\"," + number + ']');
        }
        server.raw().command(words);
    }
}

void fault_test::wait_until_it_listens(const process& worker)
{
    const auto line = std::to_string(worker.id()) + " connected";
    wait_until("a worker is connected", [&] { return worker_log().find(line) != std::string::npos; });
}

void fault_test::wait_for_some_runs(std::size_t most, std::size_t jobs)
{
    wait_for_runs(std::min(record.refresh().runs() + random_between(1, most), jobs));
}

void fault_test::wait_for_runs(std::size_t count)
{
    wait_until(std::to_string(count) + " runs have ended", [&] { return record.refresh().runs() >= count; });
}

void fault_test::wait_for_jobs(std::size_t count)
{
    wait_until(std::to_string(count) + " jobs have run",
               [&] { return record.refresh().jobs() >= count && record.missing(count) == 0; });
    wait_until("nothing is left to do", [&] { return is_idle(); });
}

void fault_test::check_all_done(std::size_t acknowledged_once)
{
    record.refresh();
    BOOST_TEST_MESSAGE(record.runs() << " runs of " << record.jobs() << " jobs, " << record.repeated()
                                     << " jobs ran more than once");
    for (const char* part : {"jobs", "progress", "scheduled", "duplicates", "failed", "broken", "attempts"})
        BOOST_TEST(server("EXISTS", "hworker-" + std::string{part} + "-q").integer == 0,
                   "something is left in " << part);
    BOOST_TEST(acknowledged() == static_cast<std::int64_t>(acknowledged_once));
    BOOST_TEST(worker_log().find("fallback_poll") == std::string::npos);
}

std::int64_t fault_test::acknowledged()
{
    const auto count = server("HGET", "hworker-counters-q", "success");
    return count.is_nil() ? 0 : std::stoll(count.text);
}

std::string fault_test::situation()
{
    return std::to_string(waiting()) + " waiting and " + std::to_string(in_progress()) +
           " in progress in the list queue\n" + server("CLIENT", "LIST").text;
}

} // namespace coworker::test
