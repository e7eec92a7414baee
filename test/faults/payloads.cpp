// SPDX-License-Identifier: MIT
#include "fault_test.hpp"

#include "coworker/list_queue.hpp"
#include "coworker/worker.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <map>
#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// No payload harms a worker process or another job, whatever its bytes.
BOOST_AUTO_TEST_SUITE(payloads)

namespace {

using namespace std::string_literals;

constexpr std::size_t megabyte = 1024 * 1024;

std::string repeat(std::string_view text, std::size_t count)
{
    std::string result;
    while (count-- != 0)
        result += text;
    return result;
}

/// Payloads that are no job, by what is wrong with them.
const std::map<std::string, std::string> broken_payloads{
    {"nothing", ""},
    {"blanks", " \t\r\n"},
    {"what hworker leaves", "false"},
    {"null", "null"},
    {"not JSON", "hello"},
    {"cut short", R"(["a",1)"},
    {"cut inside of an escape", R"(["a","\u00)"},
    {"one element", R"(["a"])"},
    {"three elements", R"(["a",1,2])"},
    {"an id that is a number", "[1,2]"},
    {"an object", R"({"id":"a","job":1})"},
    {"a NUL", "\0"s},
    {"NULs around", "\0[\"a\",1]\0"s},
    {"a NUL in a string", "[\"a\",\"x\0y\"]"s},
    {"a NUL in the id", "[\"a\0b\",1]"s},
    {"bytes that are not UTF-8", "\xff\xfe\xfd"},
    {"a job that is not UTF-8", "[\"a\",\"\xff\xfe\"]"},
    {"an id that is not UTF-8", "[\"\xc3\x28\",1]"},
    {"an overlong form", "[\"a\",\"\xc0\xaf\"]"},
    {"a lone half of a pair", R"(["a","\ud800"])"},
    {"deep arrays", "[\"a\"," + repeat("[", 100'000) + repeat("]", 100'000) + "]"},
    {"deep arrays without an end", repeat("[", megabyte)},
    {"deep objects", "[\"a\"," + repeat(R"({"a":)", 50'000) + "1" + repeat("}", 50'000) + "]"},
    {"a number that is no JSON", R"(["a",NaN])"},
    {"a megabyte of no JSON", std::string(megabyte, 'x')},
    {"a megabyte of NULs", std::string(megabyte, '\0')},
    {"a megabyte without an end", "[\"a\",\"" + std::string(megabyte, 'x')},
};

/// Jobs that are unusual and good. With what the worker writes down.
const std::map<std::string, std::string> good_payloads{
    {R"(["",2000001])", "2000001"},
    {"  [ \"a\" , 2000002 ] \n", "2000002"},
    {R"(["a",2000003] and more)", "2000003"},
    {R"(["c","\u0000"])", "s1"},
    {R"(["f",1e99999999999999999999])", "JSON of 7"}, // becomes infinite
    {"[\"d\",\"" + std::string(megabyte, 'x') + "\"]", 's' + std::to_string(megabyte)},
    {"[\"e\"," + repeat("[", 200) + repeat("]", 200) + "]", "JSON of 400"},
};

struct payload_test : fault_test
{
    std::map<std::string, std::string> broken() { return server("HGETALL", "hworker-broken-q").pairs(); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(hostile_payloads_are_kept_byte_for_byte_and_good_jobs_run, payload_test)
{
    std::size_t number = 0;
    for (const auto& [what, payload] : broken_payloads) {
        push_numbers(number, number + 5);
        number += 5;
        server("LPUSH", "hworker-jobs-q", payload);
    }
    for (const auto& [payload, trace] : good_payloads)
        server("LPUSH", "hworker-jobs-q", payload);
    push_numbers(number, number + 5);
    number += 5;

    auto worker = start_worker();
    wait_for_jobs(number);
    const auto found = broken();
    for (const auto& [what, payload] : broken_payloads)
        BOOST_TEST(found.contains(payload), "not found among the broken: " << what);
    BOOST_TEST(found.size() == broken_payloads.size());
    for (const auto& [payload, trace] : good_payloads)
        BOOST_TEST(record.refresh().runs_of(trace) == 1U, "has not run: " << payload.substr(0, 50));
    BOOST_TEST(record.runs() == number + good_payloads.size());
    BOOST_TEST(worker_log().find("disconnected") == std::string::npos);
    worker.signal(SIGTERM);
    BOOST_TEST(worker.wait() == 0);
}

BOOST_FIXTURE_TEST_CASE(hostile_payloads_survive_a_killed_worker, payload_test)
{
    // Leased to a worker that is gone, of which nothing but its leases is left.
    for (const auto& [what, payload] : broken_payloads)
        if (payload != "false") // there it is no job but hworker's trace of an empty queue
            server("HSET", "hworker-progress-q", payload, "\"2026-01-02T03:04:05.000000000042Z\"");
    push_numbers(0, 50);
    const auto worker = start_worker();
    wait_for_jobs(50);
    wait_until("all are found broken", [&] {
        return server("HLEN", "hworker-broken-q").integer ==
               static_cast<std::int64_t>(broken_payloads.size()) - 1;
    });
    for (const auto& [payload, time] : broken())
        BOOST_TEST(std::any_of(broken_payloads.begin(), broken_payloads.end(),
                               [&](const auto& known) { return known.second == payload; }));
    BOOST_TEST(in_progress() == 0);
}

BOOST_FIXTURE_TEST_CASE(fifty_jobs_of_a_megabyte_run_at_once, payload_test)
{
    constexpr std::size_t count = is_sanitized ? 20 : 50;
    for (std::size_t i = 0; i != count; ++i) {
        const auto id = std::to_string(i);
        server("LPUSH", "hworker-jobs-q", "[\"" + id + "\",\"" + std::string(megabyte + i, 'x') + "\"]");
    }
    auto worker = start_worker({.concurrency = 50, .handler = 300ms});
    wait_for_runs(count);
    wait_until("nothing is left", [&] { return is_idle(); });
    for (std::size_t i = 0; i != count; ++i)
        BOOST_TEST(record.runs_of('s' + std::to_string(megabyte + i)) == 1U);
    check_all_done(count);
    BOOST_TEST(worker_log().find("disconnected") == std::string::npos);
    worker.signal(SIGTERM);
    BOOST_TEST(worker.wait() == 0);
}

BOOST_FIXTURE_TEST_CASE(numbers_that_do_not_fit_are_broken, payload_test)
{
    const std::set<std::string> too_large{
        R"(["a",99999999999999999999999999])",
        R"(["a",-99999999999999999999999999])",
        R"(["a",2147483648])",
        R"(["a",5.5])",
        R"(["a",1e400])",
        "[\"a\"," + repeat("9", 100'000) + "]",
    };
    for (const auto& payload : too_large)
        server("LPUSH", "hworker-jobs-q", payload);
    push_numbers(0, 10);
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        list_queue<int> queue{redis, "q"};
        worker subject{redis, {.observers = {events.observe()}}};
        std::set<int> seen;
        subject.handle(queue, [&](int job) { seen.insert(job); });
        background working{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await eventually("all have ended", [&] { return is_idle(); });
        subject.stop();
        co_await working.join();
        BOOST_TEST(seen.size() == 10U);
        BOOST_TEST(*seen.rbegin() == 9);
        co_await redis.async_stop();
    });
    std::set<std::string> found;
    for (const auto& [payload, time] : broken())
        found.insert(payload);
    BOOST_TEST(found == too_large);
}

BOOST_AUTO_TEST_SUITE_END()
