// SPDX-License-Identifier: MIT
#include "conformance/conformance_test.hpp"

#include <iterator>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What every `job_source` does with leases: who no longer holds a job changes nothing.
BOOST_AUTO_TEST_SUITE(leases_and_fencing)

namespace {

/// Two workers, of which the first has lost its job to the second.
struct robbery
{
    member loser, winner;
    fetched_job lost, held;

    explicit robbery(source_kind& kind) : loser{kind}, winner{kind} {}

    asio::awaitable<void> open()
    {
        co_await loser.open();
        co_await winner.open();
    }

    asio::awaitable<void> happen(source_kind& kind)
    {
        kind.push("a");
        lost = co_await loser.take_one();
        kind.end_leases();
        held = co_await winner.take_over();
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_job_whose_lease_has_ended_is_handed_out_again_and_counted)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        robbery crime{kind};
        co_await crime.open();
        co_await crime.happen(kind);
        BOOST_TEST(crime.held.id() == "a");
        BOOST_TEST(crime.held.attempt == 2u);
    });
}

BOOST_AUTO_TEST_CASE(whoever_lost_a_lease_cannot_settle_the_job)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        robbery crime{kind};
        co_await crime.open();
        for (const auto& result : {success(), failure("no"), retry("no", 0ms), retry("no", 1h), release(),
                                   outcome{outcome::kind::broken, "no"}}) {
            co_await crime.happen(kind);
            BOOST_TEST(!(co_await crime.loser.settle(crime.lost, result)));
            BOOST_TEST(kind.running() == 1);
            BOOST_TEST(kind.waiting() == 0);
            BOOST_TEST(kind.scheduled() == 0);
            BOOST_TEST(kind.given_up() == 0);
            BOOST_TEST(co_await crime.winner.settle(crime.held, success()));
            BOOST_TEST(kind.running() == 0);
        }
    });
}

BOOST_AUTO_TEST_CASE(whoever_lost_a_lease_cannot_renew_it)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        robbery crime{kind};
        co_await crime.open();
        co_await crime.happen(kind);
        BOOST_TEST((co_await crime.loser.renew(&crime.lost)).size() == 1u);
        BOOST_TEST((co_await crime.winner.renew(&crime.held)).empty());
        BOOST_TEST(co_await crime.winner.settle(crime.held, success()));
    });
}

BOOST_AUTO_TEST_CASE(of_several_jobs_the_lost_one_is_told)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        robbery crime{kind};
        co_await crime.open();
        co_await crime.happen(kind);
        kind.push("b");
        kind.push("c");
        auto jobs = co_await crime.loser.take(2);
        BOOST_REQUIRE(jobs.size() == 2u);
        const std::vector<std::size_t> second{1};
        BOOST_TEST((co_await crime.loser.renew(&jobs[0], &crime.lost, &jobs[1])) == second,
                   boost::test_tools::per_element());
        const auto done = success();
        std::vector<acknowledgement> all;
        for (const auto* job : {&jobs[0], &crime.lost, &jobs[1]})
            all.push_back({job, &done});
        const auto answer = co_await crime.loser.source->ack_and_fetch(all, 0);
        BOOST_TEST(answer.lost == second, boost::test_tools::per_element());
        BOOST_TEST(kind.running() == 1); // the winner's
    });
}

BOOST_AUTO_TEST_CASE(a_renewed_lease_has_not_ended)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member one{kind}, other{kind};
        co_await one.open();
        co_await other.open();
        kind.push("a");
        auto job = co_await one.take_one();
        for (int i = 0; i != 3; ++i)
            BOOST_TEST((co_await one.renew(&job)).empty());
        co_await other.recover();
        BOOST_TEST((co_await other.take(1)).empty());
        BOOST_TEST(co_await one.settle(job, success()));
    });
}

BOOST_AUTO_TEST_CASE(a_job_whose_renewal_was_not_answered_can_be_renewed_with_the_token_before)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member one{kind};
        co_await one.open();
        kind.push("a");
        auto job = co_await one.take_one();
        auto before = job;
        BOOST_TEST((co_await one.renew(&job)).empty());
        before.in_doubt = true; // as if that answer had not come
        BOOST_TEST((co_await one.renew(&before)).empty());
        before.in_doubt = false;
        BOOST_TEST(co_await one.settle(before, success()));
        BOOST_TEST(kind.running() == 0);
    });
}

BOOST_AUTO_TEST_CASE(another_worker_cannot_renew_a_job_by_being_unsure)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        robbery crime{kind};
        co_await crime.open();
        co_await crime.happen(kind);
        crime.lost.in_doubt = true;
        BOOST_TEST((co_await crime.loser.renew(&crime.lost)).size() == 1u);
        BOOST_TEST(co_await crime.winner.settle(crime.held, success()));
    });
}

BOOST_AUTO_TEST_CASE(reconciling_puts_back_what_the_worker_does_not_know_of)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member one{kind}, other{kind};
        co_await one.open();
        co_await other.open();
        for (const auto* id : {"a", "b", "c", "d"})
            kind.push(id);
        const auto jobs = co_await one.take(3);
        BOOST_REQUIRE(jobs.size() == 3u);
        const auto others = co_await other.take_one();
        const std::vector<const fetched_job*> held{&jobs[1]};
        co_await one.source->reconcile(held);
        const auto again = co_await one.take(5);
        auto names = ids(again);
        std::sort(names.begin(), names.end());
        BOOST_TEST(names == (std::vector<std::string>{"a", "c"}), boost::test_tools::per_element());
        for (const auto& each : again)
            BOOST_TEST(each.attempt == 1u);
        BOOST_TEST(co_await one.settle(jobs[1], success()));
        BOOST_TEST(co_await other.settle(others, success()));
    });
}

BOOST_AUTO_TEST_CASE(reconciling_knows_a_job_by_the_token_before_while_its_renewal_is_in_doubt)
{
    with_jobs({"a", "b"}, [](source_kind& kind, member& one) -> asio::awaitable<void> {
        auto jobs = co_await one.take(2);
        BOOST_REQUIRE(jobs.size() == 2u);
        auto before = jobs[1];
        BOOST_TEST((co_await one.renew(&jobs[0], &jobs[1])).empty());
        before.in_doubt = true; // as if that answer had not come
        const std::vector<const fetched_job*> held{&jobs[0], &before};
        co_await one.source->reconcile(held);
        BOOST_TEST(kind.waiting() == 0);
        BOOST_TEST(kind.running() == 2);
        BOOST_TEST((co_await one.renew(&before)).empty());
        BOOST_TEST(co_await one.settle(jobs[0], success()));
        BOOST_TEST(co_await one.settle(before, success()));
    });
}

/// More than a script does in one step, and more than a scan shows at once.
BOOST_AUTO_TEST_CASE(reconciling_tells_many_jobs_apart)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member one{kind};
        co_await one.open();
        constexpr std::size_t count = 1'300;
        for (std::size_t i = 0; i != count; ++i)
            kind.push(std::to_string(i));
        std::vector<fetched_job> jobs;
        for (auto some = co_await one.take(100); !some.empty(); some = co_await one.take(100))
            std::move(some.begin(), some.end(), std::back_inserter(jobs));
        BOOST_REQUIRE(jobs.size() == count);
        std::vector<const fetched_job*> held;
        for (std::size_t i = 0; i < count; i += 13)
            held.push_back(&jobs[i]);
        co_await one.source->reconcile(held);
        BOOST_TEST(kind.running() == 100);
        BOOST_TEST(kind.waiting() == 1'200);
        for (const auto* job : held)
            BOOST_TEST(co_await one.settle(*job, success()));
    });
}

BOOST_AUTO_TEST_CASE(a_lease_that_goes_on_is_left_alone_by_the_monitor)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member one{kind}, other{kind};
        co_await one.open();
        co_await other.open();
        kind.push("a");
        const auto job = co_await one.take_one();
        const auto found = co_await other.source->recover(2min, 1h);
        BOOST_TEST(found.recovered == 0u);
        BOOST_TEST(kind.running() == 1);
        BOOST_TEST(co_await one.settle(job, success()));
    });
}

BOOST_AUTO_TEST_SUITE_END()
