// SPDX-License-Identifier: MIT
#include "support/cluster_client_test.hpp"

#include "coworker/managed_queue.hpp"

#include <boost/test/unit_test.hpp>

/// Workers that wait for jobs while the slot of their queue moves, of which the old node does not tell them.
BOOST_AUTO_TEST_SUITE(cluster_idle_workers)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

/// The client asks every 30 s who serves what, without a reason.
constexpr auto well_before_the_next_question = 10s;

/// A monitor asks now and then, or watches keys of its own.
handle_options without_monitor()
{
    handle_options how;
    how.monitor = false;
    return how;
}

struct idle_worker_test : cluster_client_test
{
    using clock = std::chrono::steady_clock;

    /// Until the worker has asked to be told of something in this slot.
    asio::awaitable<void> until_it_sleeps(std::string tag, unsigned long watched)
    {
        co_await eventually("the worker sleeps", [&] {
            return std::stoul(home_of(tag).raw().info("stats", "tracking_total_items")) >= watched;
        });
        co_await let_pass(500ms); // a client may ask twice when it begins who serves what
    }

    /// Moves the slot, pushes by a client that has never seen the old node, and waits for the job.
    template<class Push>
    asio::awaitable<void> move_and_push(std::string tag, Push push)
    {
        move(tag, servers.first_owner(detail::slot_of(high)));
        client other{io.get_executor(), cluster_options()};
        const auto pushed = clock::now();
        co_await push(other);
        co_await wait_for_ends(events.count(event_kind::succeeded) + 1);
        BOOST_TEST_MESSAGE("noticed after " << std::chrono::duration<double>(clock::now() - pushed).count()
                                            << " s");
        BOOST_TEST((clock::now() - pushed < well_before_the_next_question));
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
        co_await other.async_stop();
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(of_a_list_queue_notice_it, idle_worker_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        worker subject{redis, observed()};
        list_queue<int> queue{redis, tagged(low)};
        subject.handle(
            queue, [](int) {}, without_monitor());
        background working{io.get_executor(), subject.async_run()};
        co_await until_it_sleeps(low, 3);
        co_await move_and_push(low, [](client& other) -> asio::awaitable<void> {
            list_queue<int> same{other, tagged(low)};
            co_await same.async_push(1);
        });
        subject.stop();
        co_await working.join();
    });
}

BOOST_FIXTURE_TEST_CASE(of_a_managed_queue_notice_it, idle_worker_test)
{
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const managed_options options{.prefix = tagged(low) + "ql:"};
        worker subject{redis, observed()};
        managed_queue queue{redis, "mail", options};
        handlers_by_kind handlers;
        handlers.on<int>("Ignore", [](int) {});
        subject.handle(queue, std::move(handlers), without_monitor());
        co_await queue.async_push("Ignore", 1);
        background working{io.get_executor(), subject.async_run()};
        co_await wait_for_ends(1);
        co_await until_it_sleeps(low, 5);
        co_await move_and_push(low, [&](client& other) -> asio::awaitable<void> {
            managed_queue same{other, "mail", options};
            co_await same.async_push("Ignore", 2);
        });
        subject.stop();
        co_await working.join();
    });
}

BOOST_AUTO_TEST_SUITE_END()
