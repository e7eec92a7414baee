// SPDX-License-Identifier: MIT
#include "storm_account.hpp"

#include "record_lines.hpp"

#include <array>
#include <sstream>
#include <utility>

namespace coworker::test {

namespace {

constexpr unsigned first_attempt = 1;

} // namespace

const std::vector<std::string>& storm_account::check()
{
    read();
    jobs.check_ends();
    if (ask_) {
        jobs.check_effects();
        jobs.check_counts();
    }
    return jobs.violations();
}

void storm_account::read()
{
    std::vector<std::string> heard;
    for (const auto& line : read_lines(path_)) {
        std::istringstream words{line};
        std::string what;
        words >> what;
        if (what == "pushed")
            feed_push(words);
        else if (what == "ended")
            feed_run(line, words);
        else if (!what.empty())
            heard.push_back(line);
    }
    for (const auto& line : heard) {
        std::istringstream words{line};
        std::string what;
        words >> what;
        feed_event(what, words);
    }
}

job_record& storm_account::job_of(const std::string& queue, const std::string& id)
{
    auto& job = jobs.of(queue, id);
    job.is_managed = is_managed_;
    return job;
}

void storm_account::feed_push(std::istream& words)
{
    std::string queue, id;
    nanoseconds not_before = 0;
    words >> queue >> id >> not_before;
    auto& job = job_of(queue, id);
    job.not_before = not_before;
    jobs.acknowledge_push(job);
}

void storm_account::feed_run(const std::string& line, std::istream& words)
{
    std::string queue, id;
    nanoseconds began = 0;
    bool has_effect = false;
    words >> queue >> id >> began >> has_effect;
    auto& job = job_of(queue, id);
    job.has_effect = has_effect;
    auto& run = runs_[line];
    if (run == 0) {
        wall_time_ = began;
        run = jobs.begin(job, first_attempt);
        wall_time_ = 0;
    }
    jobs.conclude(job, run, true);
}

void storm_account::feed_event(const std::string& kind, std::istream& words)
{
    using enum event_kind;
    constexpr std::array of_interest{
        succeeded, retried, lease_lost, in_doubt, recovered, broken, fallback_poll_found_work};
    std::string queue, id;
    event what{}; // its attempt is zero, of which no run is known
    words >> queue >> id >> what.count;
    what.queue = queue;
    what.job_id = id;
    for (const auto each : of_interest)
        if (to_string(each) == kind) {
            what.kind = each;
            jobs.hear(what, nullptr);
        }
}

} // namespace coworker::test
