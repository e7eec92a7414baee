#include "program/demo/report.hpp"

#include "program/demo/progress.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace coworker::demo {
namespace {

/// The dead worker's jobs are expected back after about two seconds; a loaded machine gets some more.
constexpr std::int64_t rerun_limit = 10'000'000;

void line(const std::string& name, const std::string& value, const std::string& remark = {})
{
    std::printf("  %-24s %12s   %s\n", name.c_str(), value.c_str(), remark.c_str());
}

std::string seconds(std::int64_t microseconds)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2f s", static_cast<double>(microseconds) / 1e6);
    return text;
}

std::uint64_t per_second(std::size_t jobs, std::int64_t microseconds)
{
    return microseconds <= 0 ? 0 : jobs * 1'000'000 / static_cast<std::uint64_t>(microseconds);
}

std::size_t lost(const findings& found)
{
    const auto accounted = found.results.distinct() + found.failed.size() + found.vanished;
    return found.results.files() - std::min(found.results.files(), accounted);
}

void print_crash(const findings& found)
{
    const auto& killed = found.killed;
    if (killed.worker == 0) {
        line("jobs run twice", grouped(found.results.run_twice()),
             "no worker was killed: everything was done before");
        return;
    }
    line("jobs run twice", grouped(found.results.run_twice()),
         "the killed worker held " + grouped(killed.held.size()));
    const auto again = found.results.started_again(killed.held, killed.moment);
    if (again.jobs == 0)
        line("ran again after", "-", "the killed worker held no job");
    else
        line("ran again after", seconds(again.last),
             "from the kill; the first after " + seconds(again.first));
}

std::vector<std::string> problems(const findings& found)
{
    std::vector<std::string> list;
    const auto check = [&](bool good, const std::string& problem) {
        if (!good)
            list.push_back(problem);
    };
    check(lost(found) == 0, "jobs were lost");
    check(found.results.strange() == 0, "results arrived for files that nobody asked about");
    check(found.jobs.total_broken == 0, "jobs did not decode");
    check(found.survivor_ended_well, "the other worker did not end well when it was told to stop");
    const auto again = found.results.started_again(found.killed.held, found.killed.moment);
    check(again.last < rerun_limit, "the killed worker's jobs ran again too late");
    for (const auto& failure : found.failed)
        check(false, "a job failed: " + failure);
    for (const auto& path : found.sample.wrong)
        check(false, "sha256sum says something else of " + encode_path(path));
    return list;
}

} // namespace

bool report(const findings& found)
{
    const auto& results = found.results;
    std::printf("\n");
    line("files", grouped(results.files()), grouped(results.bytes() / 1'000'000) + " MB");
    line("distinct results", grouped(results.distinct()),
         found.vanished == 0 ? "" : grouped(found.vanished) + " files have changed or gone meanwhile");
    line("jobs lost", grouped(lost(found)));
    print_crash(found);
    line("jobs per second", grouped(per_second(results.distinct(), found.ended - found.began)),
         found.killed.worker == 0
             ? ""
             : "over all; " + grouped(per_second(found.killed.results, found.killed.moment - found.began)) +
                   " with both workers, before the kill");
    line("checked by sha256sum", grouped(found.sample.checked),
         found.sample.wrong.empty() ? "all agree" : grouped(found.sample.wrong.size()) + " do not agree");

    const auto list = problems(found);
    std::printf("\n%s\n", list.empty() ? "Nothing was lost." : "Something is off:");
    for (const auto& problem : list)
        std::printf("  %s\n", problem.c_str());
    std::fflush(stdout);
    return list.empty();
}

} // namespace coworker::demo
