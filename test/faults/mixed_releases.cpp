// SPDX-License-Identifier: MIT
#include "fault_test.hpp"
#include "record_lines.hpp"
#include "support/kept_scripts.hpp"
#include "support/qless_client.hpp"
#include "support/short_answer.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <map>
#include <optional>
#include <unistd.h>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Workers of this release, which are killed, beside calls of the last release's scripts on the same jobs: each pushes for
/// the other and runs what the other has pushed. scripts/mixed-releases does it with programs of both.
BOOST_AUTO_TEST_SUITE(mixed_releases)

namespace {

constexpr std::size_t jobs = is_sanitized ? 800 : 2'000;
using strings = std::vector<std::string>;

strings operator+(strings words, const strings& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// A producer and worker of the last release, as Redis sees it.
class last_release
{
public:
    explicit last_release(redis_server& server) : server_{server} {}

    redis_value call(const std::string& script, const strings& keys, const strings& arguments)
    {
        auto& sum = sums_[script];
        if (sum.empty())
            sum = server_("SCRIPT", "LOAD", kept_scripts().at(script)).text;
        return server_.raw().command(strings{"EVALSHA", sum, std::to_string(keys.size())} + keys + arguments);
    }

private:
    redis_server& server_;
    std::map<std::string, std::string> sums_;
};

/// What both kinds of queue have in common: numbers that one release or the other queues and runs.
struct mixed_test : fault_test
{
    last_release last{server};
    int lines = open_record(record.path().c_str());
    std::size_t by_last = 0; ///< runs

    explicit mixed_test(std::string queue) : fault_test{{}, std::move(queue)} {}
    ~mixed_test() override { ::close(lines); }

    virtual void push_by_last(std::size_t number) = 0;
    virtual void push_by_present(std::size_t number) = 0;
    struct held_job
    {
        std::string number, id, taken_at; ///< the id is a payload in lists, without a time in managed queues
    };
    virtual std::optional<held_job> take_by_last() = 0;
    /// Returns whether it was still its own.
    virtual bool acknowledge_by_last(const held_job& job) = 0;
    virtual bool is_over() = 0;

    /// Takes a job, if there is one, and ends the runs of all but the last few that were taken.
    bool run_by_last(std::size_t at_once)
    {
        auto job = take_by_last();
        const bool has_taken = job.has_value();
        if (has_taken)
            held_.push_back(std::move(*job));
        for (; held_.size() > at_once; held_.pop_front()) {
            const auto& oldest = held_.front();
            write_down(lines, oldest.number + ' ' + std::to_string(::getpid()));
            ++by_last;
            BOOST_TEST(acknowledge_by_last(oldest), oldest.number << " was taken away while its lease held");
        }
        return has_taken;
    }

    void work_together()
    {
        auto workers = start_workers(2, {.handler = 1ms});
        std::size_t kills = 0;
        for (std::size_t number = 0; number != jobs; ++number) {
            if (number % 2 == 0)
                push_by_last(number);
            else
                push_by_present(number);
            if (number % 3 == 0)
                run_by_last(10);
            if (number * 5 / jobs > kills) {
                workers[++kills % 2].kill();
                workers[kills % 2] = start_worker({.handler = 1ms});
            }
        }
        wait_until("all jobs have ended", [&] {
            while (run_by_last(0)) {
            }
            return is_over();
        });
        record.refresh();
        BOOST_TEST(record.missing(jobs) == 0u);
        BOOST_TEST(by_last > 0u);
        BOOST_TEST(record.runs() > by_last);
        BOOST_TEST(record.repeated() <= 20 * kills, "more than the killed workers had");
    }

private:
    std::deque<held_job> held_;
};

struct mixed_lists : mixed_test
{
    mixed_lists() : mixed_test{"q"} {}

    static strings keys(const strings& parts)
    {
        strings result;
        for (const auto& part : parts)
            result.push_back("hworker-" + part + "-q");
        return result;
    }

    void push_by_last(std::size_t number) override
    {
        const auto text = std::to_string(number);
        last.call("list/submit", keys({"jobs", "scheduled", "counters", "ids", "ready"}),
                  {"60000", "1", "job-" + text, "[\"job-" + text + "\"," + text + ']'});
    }

    void push_by_present(std::size_t number) override { push_numbers(number, number + 1); }

    redis_value ack_and_fetch(const std::string& count, const strings& groups)
    {
        return last.call(
            "list/ack_and_fetch",
            keys({"jobs", "progress", "scheduled", "attempts", "duplicates", "paused", "workers", "counters",
                  "failed", "failures", "broken", "reasons", "found", "shared", "ready", "cancelled"}),
            strings{count, "0", "", "1000 1000 25165824 16 60000"} + groups);
    }

    std::optional<held_job> take_by_last() override
    {
        const auto answer = ack_and_fetch("1", {"0"});
        const auto& parts = answer.elements;
        const auto taken = parts.size() > 2    ? parts.at(4).texts()
                           : parts.size() == 2 ? strings{parts.at(1).text}
                                               : strings{};
        if (taken.empty())
            return std::nullopt;
        const auto& payload = taken.front(); // ["job-7",7]
        const auto begin = payload.find(',') + 1;
        return held_job{payload.substr(begin, payload.size() - 1 - begin), payload, parts.front().text};
    }

    bool acknowledge_by_last(const held_job& job) override
    {
        return ack_and_fetch("0", {"1", job.taken_at, "1", job.id}).elements.at(3).elements.empty();
    }

    bool is_over() override { return is_idle(); }
};

struct mixed_managed : mixed_test, qless_client
{
    mixed_managed() : mixed_test{"managed:q"}, qless_client{server} {}

    void push_by_last(std::size_t number) override
    {
        const auto text = std::to_string(number);
        last.call("managed/put", {"ql:"},
                  {"server", "", "q", "job-" + text, "Job", text, "0", "retries", "1000"});
    }

    void push_by_present(std::size_t number) override
    {
        const auto text = std::to_string(number);
        qless("put", "", "q", "job-" + text, "Job", text, "0", "retries", "1000");
    }

    redis_value ack_and_fetch(const std::string& count, const strings& groups)
    {
        return in_full("ack_and_fetch", last.call("managed/ack_and_fetch", {"ql:"},
                                                  strings{"server", "q", "last-release", count} + groups));
    }

    std::optional<held_job> take_by_last() override
    {
        const auto taken = ack_and_fetch("1", {}).elements.at(4).texts();
        if (taken.empty())
            return std::nullopt;
        return held_job{taken.at(2), taken.front(), {}};
    }

    bool acknowledge_by_last(const held_job& job) override
    {
        return ack_and_fetch("0", {"2", "done", job.id}).elements.at(0).elements.empty();
    }

    bool is_over() override { return server("ZCARD", "ql:completed").integer == static_cast<int>(jobs); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(list_jobs_are_run_once_by_either, mixed_lists)
{
    work_together();
    check_all_done(jobs);
}

BOOST_FIXTURE_TEST_CASE(managed_jobs_are_run_once_by_either, mixed_managed)
{
    work_together();
    BOOST_TEST(server.has_none("ql:q:q-work", "ql:q:q-locks", "ql:q:q-scheduled", "ql:failures"));
    BOOST_TEST(qless_client::broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
