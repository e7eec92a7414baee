// SPDX-License-Identifier: MIT
#include "hworker.hpp"
#include "support/side_by_side.hpp"

#include <boost/test/unit_test.hpp>

#include <list>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Two jobs of the same text: coworker runs one while an hworker takes the other.
BOOST_AUTO_TEST_SUITE(equal_jobs)

namespace {

/// When the peer is done with its job, and how.
enum class peers_end
{
    first,
    first_and_a_renewal_later,
    last,
    last_and_a_renewal_before,
    last_with_a_retry,
    never // it dies
};
constexpr peers_end all_ends[] = {peers_end::first,
                                  peers_end::first_and_a_renewal_later,
                                  peers_end::last,
                                  peers_end::last_and_a_renewal_before,
                                  peers_end::last_with_a_retry,
                                  peers_end::never};

/// Long, but for tests that wait for renewals, or for the end of the peer's.
std::chrono::milliseconds lease_for(peers_end end)
{
    switch (end) {
    case peers_end::first_and_a_renewal_later:
    case peers_end::last_and_a_renewal_before:
        return 5s;
    case peers_end::never:
        return 3s;
    default:
        return 6s;
    }
}

/// Two jobs of the same text: coworker runs one while the peer takes the other. Each is completed.
struct equal_test : fleet_test
{
    asio::awaitable<void> complete_both(outcome first, peers_end end)
    {
        push_raw(same);
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(numbers, hold(first), {.lease = lease_for(end)});
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        push_raw(same); // the worker is busy
        BOOST_TEST(peer.take() == same);
        std::size_t completed_by_peer = 0;
        if (end == peers_end::first || end == peers_end::first_and_a_renewal_later)
            completed_by_peer += peer.succeed(same);
        if (end == peers_end::first_and_a_renewal_later || end == peers_end::last_and_a_renewal_before)
            co_await renewal();
        open();
        co_await outcomes(1);
        if (end == peers_end::last || end == peers_end::last_and_a_renewal_before) {
            co_await eventually("the outcome is stored", [&] { return is_stored(); });
            completed_by_peer += peer.succeed(same);
        }
        if (end == peers_end::last_with_a_retry) {
            co_await eventually("the outcome is stored", [&] { return is_stored(); });
            peer.retry(same);
        }
        co_await eventually("nothing is left", [&] { return left() == 0; });
        co_await eventually("both are completed", [&] {
            return completed_by_peer + events.count(event_kind::succeeded) +
                       events.count(event_kind::failed) ==
                   2;
        });
        co_await stop(subject, running);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        co_await redis.async_stop();
    }

    bool is_stored()
    {
        return server("HMGET", "hworker-counters-numbers", "success", "retry", "failure", "release")
                   .texts() != std::vector<std::string>(4);
    }
};

/// Whatever the peer does, and whenever.
void check_that_both_are_completed(const outcome& first)
{
    std::list<equal_test> tests;
    side_by_side all;
    for (const auto end : all_ends) {
        auto& each = tests.emplace_back();
        all.add("end " + std::to_string(static_cast<int>(end)), each.io, each.complete_both(first, end));
    }
    all.run();
}

} // namespace

BOOST_AUTO_TEST_CASE(equal_jobs_are_both_completed_when_the_one_here_succeeds)
{
    check_that_both_are_completed(success());
}

BOOST_AUTO_TEST_CASE(equal_jobs_are_both_completed_when_the_one_here_is_retried)
{
    check_that_both_are_completed(retry("again", 0ms));
}

BOOST_AUTO_TEST_CASE(equal_jobs_are_both_completed_when_the_one_here_fails)
{
    check_that_both_are_completed(failure("no"));
}

BOOST_AUTO_TEST_CASE(equal_jobs_are_both_completed_when_the_one_here_is_given_back)
{
    check_that_both_are_completed(release());
}

BOOST_FIXTURE_TEST_CASE(a_lease_beside_a_peers_returns_when_its_worker_dies, fleet_test)
{
    // As a worker leaves it that was killed after a renewal.
    push_raw(same);
    BOOST_TEST(peer.take() == same);
    server("HSET", "hworker-workers-numbers", "42", "coworker:gone");
    server("HSET", "hworker-shared-numbers", same, R"("2026-11-21T09:54:29.612715000042Z")");
    gate.expires_after(0s);
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(numbers, hold(success()));
        auto running = start(subject);
        co_await events.wait_for(event_kind::recovered);
        BOOST_TEST(peer.succeed(same));
        co_await events.wait_for(event_kind::succeeded);
        co_await eventually("nothing is left", [&] { return left() == 0; });
        co_await stop(subject, running);
        BOOST_TEST(attempts.at(0) == 2u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
