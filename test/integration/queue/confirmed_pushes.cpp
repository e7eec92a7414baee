// SPDX-License-Identifier: MIT
#include "integration/queue/replicated_test.hpp"
#include "support/client_list.hpp"

#include "coworker/worker.hpp"
#include "redis/script.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(confirmed_pushes)

namespace {

/// How many connections have a name that says so.
std::ptrdiff_t confirming_connections(redis_server& server)
{
    const auto clients = client_list(server);
    return std::count_if(clients.begin(), clients.end(), [](const auto& fields) {
        return fields.at("name").find(":confirmed:") != std::string::npos;
    });
}

struct frozen_replica : replicated_test
{
    ~frozen_replica() { replica.thaw(); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(what_a_replica_has_is_confirmed, replicated_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto safe = numbers.with(durability::replicated(1, 10s));
        // A call that finds no script is confirmed like any other, and repeated.
        server("SCRIPT", "LOAD", detail::find_script("list/submit").text());
        BOOST_TEST(confirming_connections(server) == 0); // it is made by the first push
        (void)co_await safe.async_push(1);
        BOOST_TEST(replica("LLEN", "hworker-jobs-numbers").integer == 1);
        (void)co_await safe.async_push(2, {.delay = 1h});
        BOOST_TEST(replica("ZCARD", "hworker-scheduled-numbers").integer == 1);
        const std::vector<int> more{3, 4, 5};
        BOOST_TEST((co_await safe.async_push_many(more)).size() == 3u);
        BOOST_TEST(replica("LLEN", "hworker-jobs-numbers").integer == 4);
        BOOST_TEST(calls_of("wait") == 3);
        BOOST_TEST(confirming_connections(server) == 1);
    });
}

/// The server is silent: the second push waits for the end of the first, and then for its own answer.
BOOST_FIXTURE_TEST_CASE(pushes_have_their_time_once, replicated_test)
{
    using clock = std::chrono::steady_clock;
    auto hurried = options();
    hurried.command_timeout = 4s;
    run([&]() -> asio::awaitable<void> {
        client other{io.get_executor(), hurried};
        const auto safe = list_queue<int>{other, "numbers"}.with(durability::replicated(1, 500ms));
        (void)co_await error_of([&] { return safe.async_push(1); }); // so that it has asked how to confirm
        server.freeze();
        const auto began = clock::now();
        const auto push = [](const list_queue<int>& to) -> asio::awaitable<void> {
            co_await to.async_push(2);
        };
        const auto push_with_delay = [](const list_queue<int>& to) -> asio::awaitable<void> {
            co_await to.async_push(3, {.delay = 1h});
        };
        const auto push_many = [](const list_queue<int>& to) -> asio::awaitable<void> {
            const std::vector<int> more{4, 5};
            co_await to.async_push_many(more);
        };
        std::vector<background> pushes;
        pushes.emplace_back(io.get_executor(), push(safe));
        co_await let_pass(20ms); // until it has been sent
        pushes.emplace_back(io.get_executor(), push(safe));
        pushes.emplace_back(io.get_executor(), push_with_delay(safe));
        pushes.emplace_back(io.get_executor(), push_many(safe));
        for (auto& each : pushes) {
            const auto error = co_await error_of([&] { return each.join(); });
            BOOST_TEST((error == errc::timed_out || error == errc::unavailable), error);
        }
        BOOST_TEST((clock::now() - began < 3 * hurried.command_timeout)); // not once more for each step
        server.thaw();
        co_await other.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_push_that_is_cancelled_before_it_is_sent_is_not_carried_out, frozen_replica)
{
    run([&]() -> asio::awaitable<void> {
        const auto safe = numbers.with(durability::replicated(1, 2s));
        const auto push_two = [](const list_queue<int>& to, int first) -> asio::awaitable<void> {
            const std::vector<int> both{first, first + 1};
            co_await to.async_push_many(both);
        };
        co_await push_two(numbers.with(durability::replicated(1, 20s)), 1);
        replica.freeze();
        background first{io.get_executor(), push_two(safe, 3)};
        co_await eventually("it waits for the replica", [&] { return length() == 4; });
        background second{io.get_executor(), push_two(safe, 5)}, third{io.get_executor(), push_two(safe, 7)};
        co_await let_pass(20ms); // until they wait for it
        second.cancel();
        BOOST_TEST(co_await error_of([&] { return first.join(); }) == errc::unconfirmed);
        const auto cancelled = co_await error_of([&] { return second.join(); });
        BOOST_TEST((cancelled.code == asio::error::operation_aborted), cancelled);
        BOOST_TEST(co_await error_of([&] { return third.join(); }) == errc::unconfirmed);
        BOOST_TEST(length() == 6);
    });
}

BOOST_FIXTURE_TEST_CASE(pushes_without_a_wish_wait_for_nothing, replicated_test)
{
    run([&]() -> asio::awaitable<void> {
        (void)co_await numbers.async_push(1);
        const auto same = numbers.with(durability::replicated(1)).with(durability::memory());
        (void)co_await same.async_push(2);
        BOOST_TEST(calls_of("wait") == 0);
        BOOST_TEST(confirming_connections(server) == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(what_no_replica_has_in_time_is_queued_and_not_confirmed, frozen_replica)
{
    run([&]() -> asio::awaitable<void> {
        const auto safe = numbers.with(durability::replicated(1, 100ms));
        replica.freeze();
        const auto error = co_await error_of(safe.async_push(1));
        BOOST_TEST(error == errc::unconfirmed, error);
        BOOST_TEST(error.says("0 of 1 replicas"), error);
        BOOST_TEST(length() == 1);
        const std::vector<int> more{2, 3};
        BOOST_TEST((co_await error_of(safe.async_push_many(more))) == errc::unconfirmed);
        BOOST_TEST((co_await error_of(safe.async_push(4, {.delay = 1h}))) == errc::unconfirmed);
        BOOST_TEST(length() == 3);
        BOOST_TEST(server("ZCARD", "hworker-scheduled-numbers").integer == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(all_parts_of_an_unconfirmed_push_are_queued, frozen_replica)
{
    run([&]() -> asio::awaitable<void> {
        const auto safe = numbers.with(durability::replicated(1, 20ms));
        replica.freeze();
        const std::vector<int> many(20000, 7); // several requests
        BOOST_TEST((co_await error_of(safe.async_push_many(many))) == errc::unconfirmed);
        BOOST_TEST(length() == 20000);
        std::vector<raw_push> each;
        for (int i = 0; i != 300; ++i)
            each.emplace_back(raw_json{"1"}, push_options{.delay = 1h});
        for (const auto& result : co_await safe.async_push_each_json(std::move(each)))
            BOOST_TEST(result.unconfirmed == "0 of 1 replicas had it within 20 ms");
        BOOST_TEST(server("ZCARD", "hworker-scheduled-numbers").integer == 300);
    });
}

BOOST_FIXTURE_TEST_CASE(results_say_what_became_of_jobs_that_are_not_confirmed, frozen_replica)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<raw_push> both;
        both.emplace_back(raw_json{"1"}, push_options{.id = "one", .unique_for = 1h});
        both.emplace_back(raw_json{"2"}, push_options{});
        const auto good = co_await numbers.with(durability::replicated(1, 10s)).async_push_each_json(both);
        BOOST_TEST((good[0].pushed && good[0].unconfirmed.empty() && good[1].unconfirmed.empty()));
        replica.freeze();
        const auto safe = numbers.with(durability::replicated(1, 20ms));
        const auto kept = co_await safe.async_push_each_json(both);
        BOOST_TEST((!kept[0].pushed && kept[0].id == "one" && !kept[0].unconfirmed.empty()));
        BOOST_TEST((kept[1].pushed && !kept[1].unconfirmed.empty()));
        const std::vector<raw_push> first{both[0]};
        const auto alone = co_await safe.async_push_each_json(first);
        BOOST_TEST((!alone[0].pushed && alone[0].id == "one" && !alone[0].unconfirmed.empty()));
        const std::vector<raw_push> plain{both[1], both[1]};
        const auto two = co_await safe.async_push_each_json(plain);
        BOOST_TEST((two[1].pushed && !two[1].unconfirmed.empty()));
        BOOST_TEST(length() == 5);
    });
}

BOOST_FIXTURE_TEST_CASE(a_push_with_the_same_id_asks_again, frozen_replica)
{
    run([&]() -> asio::awaitable<void> {
        const push_options once{.id = "one", .unique_for = 1h};
        replica.freeze();
        const auto hasty = numbers.with(durability::replicated(1, 50ms));
        BOOST_TEST((co_await error_of(hasty.async_push(1, once))) == errc::unconfirmed);
        BOOST_TEST((co_await error_of(hasty.async_push(1, once))) ==
                   errc::unconfirmed); // nothing is written now
        replica.thaw();
        BOOST_TEST((co_await numbers.with(durability::replicated(1, 10s)).async_push(1, once)) == "one");
        BOOST_TEST(length() == 1);
        BOOST_TEST(replica("LLEN", "hworker-jobs-numbers").integer == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(a_connection_that_is_lost_while_it_waits_leaves_the_push_in_doubt, frozen_replica)
{
    run([&]() -> asio::awaitable<void> {
        const auto safe = numbers.with(durability::replicated(1, 60s));
        replica.freeze();
        auto& one = begin([&](auto token) { safe.async_push(1, std::move(token)); });
        co_await eventually("the push waits", [&] {
            return length() == 1 && server.raw().info("clients", "blocked_clients") == "1";
        });
        for (auto& fields : client_list(server))
            if (fields["name"].find(":confirmed:") != std::string::npos)
                server("CLIENT", "KILL", "ID", fields["id"]);
        co_await wait_for(one);
        BOOST_TEST(one.error == errc::in_doubt);
        BOOST_TEST(length() == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(concurrent_pushes_share_few_confirmations, replicated_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto safe = numbers.with(durability::replicated(1, 10s));
        (void)co_await safe.async_push(0);
        for (int i = 0; i != 200; ++i)
            begin([&](auto token) {
                numbers.with(durability::replicated(1, 10s)).async_push(i, std::move(token));
            });
        co_await wait_for_all();
        for (const auto& each : outcomes)
            BOOST_TEST(!each->error);
        BOOST_TEST(replica("LLEN", "hworker-jobs-numbers").integer == 201);
        BOOST_TEST(calls_of("wait") <= 3); // the one above, the first of these, the rest
        BOOST_TEST(confirming_connections(server) == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(pushes_that_wait_together_are_unconfirmed_together, frozen_replica)
{
    run([&]() -> asio::awaitable<void> {
        const auto safe = numbers.with(durability::replicated(1, 100ms));
        replica.freeze();
        for (int i = 0; i != 200; ++i)
            begin([&](auto token) { safe.async_push(i, std::move(token)); });
        co_await wait_for_all();
        std::set<std::string> ids;
        for (const auto& each : outcomes) {
            BOOST_TEST(each->error == errc::unconfirmed);
            ids.insert(each->id); // told beside the error
        }
        BOOST_TEST(ids.size() == 200u);
        BOOST_TEST(length() == 200);
        BOOST_TEST(calls_of("wait") == 2);
    });
}

BOOST_FIXTURE_TEST_CASE(workers_do_not_stand_behind_a_push_that_waits, frozen_replica)
{
    run([&]() -> asio::awaitable<void> {
        const auto safe = numbers.with(durability::replicated(1, 60s));
        replica.freeze();
        auto& one = begin([&](auto token) { safe.async_push(1, std::move(token)); });
        co_await eventually("the push waits",
                            [&] { return server.raw().info("clients", "blocked_clients") == "1"; });
        (void)co_await numbers.async_push(2);
        std::set<int> done;
        worker_options how;
        how.observers = {events.observe()};
        worker work{redis, how};
        work.handle(numbers, [&](int job) { done.insert(job); });
        background running{io.get_executor(), work.async_run()};
        co_await events.wait_for(event_kind::succeeded, 2); // of these one whose push still waits
        work.stop();
        co_await running.join();
        BOOST_TEST(done.size() == 2u);
        BOOST_TEST(!one.has_ended);
        one.cancelled.emit(asio::cancellation_type::terminal);
        co_await wait_for(one);
        BOOST_TEST(one.error == asio::error::operation_aborted);
    });
}

BOOST_FIXTURE_TEST_CASE(a_push_that_redis_refuses_keeps_its_own_error, frozen_replica)
{
    run([&]() -> asio::awaitable<void> {
        server("SET", "hworker-jobs-others", "x");
        const list_queue<int> others{redis, "others"};
        const auto how = durability::replicated(1, 50ms);
        replica.freeze();
        auto& refused = begin([&](auto token) { others.with(how).async_push(1, std::move(token)); });
        auto& queued = begin([&](auto token) { numbers.with(how).async_push(1, std::move(token)); });
        auto& too = begin([&](auto token) { others.with(how).async_push(2, std::move(token)); });
        co_await wait_for_all();
        BOOST_TEST(refused.error == errc::wrong_key_type);
        BOOST_TEST(queued.error == errc::unconfirmed);
        BOOST_TEST(too.error == errc::wrong_key_type);
        const std::vector<int> many{1, 2};
        BOOST_TEST((co_await error_of(others.with(how).async_push_many(many))) == errc::wrong_key_type);
    });
}

BOOST_AUTO_TEST_CASE(limits_that_redis_would_take_for_ever_are_refused)
{
    BOOST_TEST(error_in([] { (void)durability::replicated(0); }) == errc::invalid_option);
    BOOST_TEST(error_in([] { (void)durability::replicated(1, 0ms); }) == errc::invalid_option);
    BOOST_TEST(error_in([] { (void)durability::synced(2h); }) == errc::invalid_option);
}

BOOST_AUTO_TEST_SUITE_END()
