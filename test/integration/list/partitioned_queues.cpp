// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include "coworker/monitor.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// List queues that are divided into partitions, on one server.
BOOST_AUTO_TEST_SUITE(partitioned_queues)

namespace {

std::string jobs_key(unsigned partition)
{
    return "hworker-jobs-{numbers:" + std::to_string(partition) + '}';
}

list_queue_options divided(unsigned partitions)
{
    return {.partitions = partitions};
}

struct partitions_test : client_test
{
    std::vector<std::int64_t> lengths(unsigned partitions)
    {
        std::vector<std::int64_t> all;
        for (unsigned i = 0; i != partitions; ++i)
            all.push_back(server("LLEN", jobs_key(i)).integer);
        return all;
    }

    /// Until workers and monitors have been told of so many partitions.
    asio::awaitable<void> wait_until_opened(unsigned partitions)
    {
        co_await eventually("the partitions are opened", [this, partitions] {
            for (unsigned i = 0; i != partitions; ++i)
                if (server("SISMEMBER", "hworker-queues", "{numbers:" + std::to_string(i) + '}').integer == 0)
                    return false;
            return true;
        });
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(get_jobs_in_turn, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(4)};
        for (int i = 0; i != 8; ++i)
            co_await queue.async_push(i);
        BOOST_TEST(lengths(4) == std::vector<std::int64_t>(4, 2), boost::test_tools::per_element());
        BOOST_TEST(server("GET", "hworker-partitions-numbers").text == "4");
        BOOST_TEST((co_await queue.async_sizes()).waiting == 8u);
    });
}

/// "Refused" would mean that nothing was pushed.
BOOST_FIXTURE_TEST_CASE(do_not_all_begin_with_the_same_one, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 32; ++i) { // as 32 programs that push one job each
            const list_queue<int> queue{redis, "numbers", divided(8)};
            co_await queue.async_push(i);
        }
        const auto all = lengths(8);
        BOOST_TEST(*std::max_element(all.begin(), all.end()) < 32);
    });
}

BOOST_FIXTURE_TEST_CASE(are_counted_once_for_many_pushes, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(4)};
        co_await queue.async_push(0);
        server("CONFIG", "RESETSTAT");
        for (int i = 1; i != 10; ++i)
            co_await queue.async_push(i);
        co_await queue.with(durability::memory()).async_push(10); // knows what the queue does
        BOOST_TEST((co_await error_of(queue.with(durability::replicated(1, 1ms)).async_push(11))) ==
                   errc::unconfirmed);
        BOOST_TEST(server.raw().info("commandstats", "cmdstat_evalsha") == "");
    });
}

BOOST_FIXTURE_TEST_CASE(are_worked_off_beside_other_queues, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(16)}, other{redis, "others"},
            third{redis, "more"};
        worker subject{redis, {.observers = {events.observe()}}};
        for (const auto* each : {&queue, &other, &third})
            subject.handle(*each, [](int) {});
        background working{io.get_executor(), subject.async_run()};
        const std::vector<int> many(48, 1);
        co_await queue.async_push_many(many);
        co_await other.async_push(1);
        co_await third.async_push(1);
        co_await events.wait_for(event_kind::succeeded, 50);
        subject.stop();
        co_await working.join();
    });
}

BOOST_FIXTURE_TEST_CASE(end_at_about_the_same_time_though_one_is_longer, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(2)};
        std::vector<int> order;
        worker subject{redis, {.observers = {events.observe()}}};
        subject.handle(queue,
                       [&](int number) -> asio::awaitable<void> {
                           order.push_back(number);
                           co_await let_pass(15ms); // so that one is taken at a time
                       },
                       {.concurrency = 1});
        background working{io.get_executor(), subject.async_run()};
        co_await wait_until_opened(2);
        std::vector<std::string> longer{"LPUSH", jobs_key(0)}, shorter{"LPUSH", jobs_key(1)};
        for (int i = 0; i != 40; ++i)
            longer.push_back("[\"" + std::to_string(i) + "\",0]");
        for (int i = 0; i != 10; ++i)
            shorter.push_back("[\"" + std::to_string(i) + "\",1]");
        const std::vector both{longer, shorter};
        server.raw().pipeline(both);
        co_await events.wait_for(event_kind::succeeded, 50);
        const auto last = std::find(order.rbegin(), order.rend(), 1);
        BOOST_TEST((order.rend() - last) > 30); // in turn, it would be the twentieth
        subject.stop();
        co_await working.join();
    });
}

BOOST_FIXTURE_TEST_CASE(are_seen_and_deleted_by_programs_that_do_not_divide_the_queue, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(3)}, plain{redis, "numbers"};
        const std::vector<int> one_each{1, 2, 3};
        co_await queue.async_push_many(one_each);
        co_await plain.async_push(4);
        BOOST_TEST((co_await plain.async_sizes()).waiting == 4u);
        BOOST_TEST((co_await queue.async_sizes()).waiting == 4u);
        co_await plain.async_destroy();
        BOOST_TEST(server("KEYS", "hworker-jobs*").texts().empty());
        BOOST_TEST(server("EXISTS", "hworker-partitions-numbers").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(have_the_oldest_job_and_the_pause_of_any_of_them, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(3)};
        const std::vector<int> one_each{1, 2, 3};
        co_await queue.async_push_many(one_each);
        for (unsigned i = 0; i != 3; ++i) {
            const auto paused = "hworker-paused-{numbers:" + std::to_string(i) + '}';
            server("SET", paused, 1);
            server("RPUSH", jobs_key(i),
                   R"(["00000000-0001-7000-8000-000000000000",4])"); // of 1970, by its id
            const auto sizes = co_await queue.async_sizes();
            BOOST_TEST(sizes.paused);
            BOOST_TEST((sizes.oldest_waiting_age.value() > 24h));
            server("DEL", paused);
            server("RPOP", jobs_key(i));
        }
        const auto sizes = co_await queue.async_sizes();
        BOOST_TEST(!sizes.paused);
        BOOST_TEST((sizes.oldest_waiting_age.value() < 24h));
    });
}

BOOST_FIXTURE_TEST_CASE(leave_a_push_in_doubt_of_which_they_refuse_a_part, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(2)};
        const std::vector<int> some{1, 2, 3, 4};
        server("SET", jobs_key(1), "no list");
        BOOST_TEST(co_await error_of([&]() -> asio::awaitable<void> {
                       co_await queue.async_push_many(some);
                   }) == errc::in_doubt);
        BOOST_TEST(server("LLEN", jobs_key(0)).integer == 2);
        server("SET", jobs_key(0), "no list");
        BOOST_TEST(co_await error_of([&]() -> asio::awaitable<void> {
                       co_await queue.async_push_many(some);
                   }) == errc::wrong_key_type);
    });
}

BOOST_FIXTURE_TEST_CASE(get_equal_shares_of_many_jobs_and_ids_come_in_order, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const raw_list_queue queue{redis, "numbers", divided(4)};
        std::vector<raw_json> jobs;
        std::vector<raw_push> each;
        for (int i = 0; i != 400; ++i) {
            jobs.push_back({std::to_string(i)});
            raw_push one{{std::to_string(i)}, {}};
            one.options.id = "id " + std::to_string(i);
            each.push_back(std::move(one));
        }
        const auto ids = co_await queue.async_push_many_json(std::move(jobs));
        BOOST_TEST(lengths(4) == std::vector<std::int64_t>(4, 100), boost::test_tools::per_element());
        BOOST_TEST(std::set<std::string>(ids.begin(), ids.end()).size() == 400u);
        const auto results = co_await queue.async_push_each_json(std::move(each));
        BOOST_TEST(lengths(4) == std::vector<std::int64_t>(4, 200), boost::test_tools::per_element());
        for (std::size_t i = 0; i != results.size(); ++i)
            BOOST_TEST_REQUIRE(results[i].id == "id " + std::to_string(i));
    });
}

BOOST_FIXTURE_TEST_CASE(keep_jobs_of_one_key_in_order, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(8)};
        push_options ada;
        ada.key = "ada";
        for (int i = 0; i != 5; ++i)
            co_await queue.async_push(i, ada);
        const std::vector<int> more{5, 6, 7};
        co_await queue.async_push_many(more, ada);
        unsigned used = 0;
        for (const auto length : lengths(8))
            used += length != 0;
        BOOST_TEST(used == 1u);
        std::vector<int> order;
        worker subject{redis, observed()};
        subject.handle(queue, [&](int number) { order.push_back(number); }, {.concurrency = 1});
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded, 8);
        co_await stop(subject, running);
        BOOST_TEST(order == (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}), boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(get_jobs_that_are_pushed_by_handlers_as_they_get_others, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(4)};
        const auto goes_to = [&](const push_options& how) { return queue.push_effect(1, how).words.at(1); };
        push_options hers;
        hers.key = "ada";
        // How many partitions there are is not known yet, but that there is a first one.
        BOOST_TEST(goes_to({}) == jobs_key(0));
        BOOST_CHECK_EXCEPTION(goes_to(hers), system_error,
                              [](const auto& why) { return why.code() == errc::not_supported; });
        co_await queue.async_push(1, hers);
        const auto all = lengths(4);
        const auto place = std::find(all.begin(), all.end(), 1) - all.begin();
        BOOST_TEST(goes_to(hers) == jobs_key(static_cast<unsigned>(place)));
        std::set<std::string> used;
        for (int i = 0; i != 4; ++i)
            used.insert(goes_to({}));
        BOOST_TEST(used.size() == 4u);
    });
}

BOOST_FIXTURE_TEST_CASE(remember_ids_together, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(8)};
        push_options once;
        once.id = "order 7";
        once.unique_for = 60s;
        for (int i = 0; i != 16; ++i)
            co_await queue.async_push(i, once);
        BOOST_TEST((co_await queue.async_sizes()).waiting == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(are_one_queue_for_a_worker, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(4)};
        std::vector<int> many(500);
        std::iota(many.begin(), many.end(), 0);
        co_await queue.async_push_many(many);
        std::set<int> done;
        std::set<std::string> names;
        std::size_t at_once = 0, most = 0;
        worker subject{redis, observed()};
        const auto handler = [&](int number, job_context& context) -> asio::awaitable<void> {
            most = std::max(most, ++at_once);
            names.emplace(context.queue());
            co_await let_pass(1ms);
            --at_once;
            done.insert(number);
        };
        subject.handle(queue, handler, {.concurrency = 7});
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded, 500);
        BOOST_TEST(done.size() == 500u);
        BOOST_TEST(most == 7u);
        BOOST_TEST(names == std::set<std::string>{"numbers"}, boost::test_tools::per_element());
        BOOST_TEST((co_await queue.async_sizes()).workers == 1u);
        // One that waits is woken by each of them.
        for (int i = 500; i != 508; ++i) {
            co_await queue.async_push(i);
            co_await events.wait_for(event_kind::succeeded, static_cast<std::size_t>(i) + 1);
        }
        co_await stop(subject, running);
        BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
        const auto sizes = co_await queue.async_sizes();
        BOOST_TEST(sizes.waiting == 0u);
        BOOST_TEST(sizes.running == 0u);
        BOOST_TEST(sizes.total_succeeded == 508u);
    });
}

BOOST_FIXTURE_TEST_CASE(are_read_by_workers_that_do_not_ask_for_them, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        std::set<int> done;
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int number) { done.insert(number); }); // numbers: not divided
        auto running = start(subject);
        co_await numbers.async_push(1);
        co_await events.wait_for(event_kind::succeeded, 1);
        // Somebody divides the queue now.
        const list_queue<int> queue{redis, "numbers", divided(3)};
        const std::vector<int> more{2, 3, 4};
        co_await queue.async_push_many(more);
        co_await events.wait_for(event_kind::succeeded, 4);
        co_await numbers.async_push(5); // who does not know of that can go on
        co_await events.wait_for(event_kind::succeeded, 5);
        co_await stop(subject, running);
        BOOST_TEST(done.size() == 5u);
    });
}

BOOST_FIXTURE_TEST_CASE(can_become_more_while_the_queue_is_used, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> few{redis, "numbers", divided(2)};
        std::set<int> done;
        worker subject{redis, observed()};
        subject.handle(few, [&](int number) { done.insert(number); });
        auto running = start(subject);
        co_await few.async_push(0);
        co_await wait_until_opened(2);
        const list_queue<int> more{redis, "numbers", divided(6)};
        for (int i = 1; i != 13; ++i)
            co_await more.async_push(i);
        co_await events.wait_for(event_kind::succeeded, 13);
        BOOST_TEST(server("GET", "hworker-partitions-numbers").text == "6");
        co_await wait_until_opened(6);
        server("CONFIG", "RESETSTAT");
        co_await let_pass(50ms); // in which one who asks again and again would ask hundreds of times
        const auto calls = server.raw().info("commandstats", "cmdstat_evalsha");
        const auto asked = calls.empty() ? 0 : std::stoi(calls.substr(calls.find("calls=") + 6));
        BOOST_TEST(asked <= 30, calls);
        // Who asks for fewer from now on uses all of them, and is told.
        client other{io.get_executor(), observed_options()};
        const list_queue<int> fewer{other, "numbers", divided(2)};
        const std::vector<int> again{13, 14, 15, 16, 17, 18};
        co_await stop(subject, running);
        co_await fewer.async_push_many(again);
        BOOST_TEST(lengths(6) == std::vector<std::int64_t>(6, 1), boost::test_tools::per_element());
        const auto told = events.of(event_kind::warning);
        BOOST_REQUIRE(told.size() == 1u);
        BOOST_TEST(told[0].message ==
                   "list queue 'numbers' has 6 partitions in Redis, and this program asks for 2: 6 are used");
        co_await other.async_stop();
        BOOST_TEST(done.size() == 13u);
    });
}

BOOST_FIXTURE_TEST_CASE(are_handled_once_by_a_worker_that_handles_one_of_them_by_its_own_name,
                        partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(3)}, second{redis, "{numbers:1}"};
        worker subject{redis, observed()};
        std::set<int> by_name;
        subject.handle(second, [&](int number) { by_name.insert(number); });
        subject.handle(queue, [](int) {});
        auto running = start(subject);
        co_await wait_until_opened(3);
        for (int i = 0; i != 30; ++i) { // in some of these rounds the other handler would be the quicker one
            const std::vector<int> some{3 * i, 3 * i + 1, 3 * i + 2};
            co_await queue.async_push_many(some);
            co_await events.wait_for(event_kind::succeeded, 3 * static_cast<std::size_t>(i + 1));
        }
        BOOST_TEST(server("HLEN", "hworker-workers-{numbers:1}").integer == 1);
        co_await stop(subject, running);
        BOOST_TEST(by_name.size() == 30u);
    });
}

BOOST_FIXTURE_TEST_CASE(give_back_what_a_dead_worker_held, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(4)};
        std::vector<int> many(40);
        std::iota(many.begin(), many.end(), 0);
        co_await queue.async_push_many(many);
        {
            client dying{io.get_executor(), options()};
            const list_queue<int> same{dying, "numbers", divided(4)};
            worker victim{dying};
            std::size_t begun = 0;
            const auto hang = [&](int) -> asio::awaitable<void> {
                ++begun;
                co_await let_pass(1h);
            };
            victim.handle(same, hang);
            background working{io.get_executor(), victim.async_run()};
            co_await eventually("all jobs have begun", [&] { return begun == 40; });
            BOOST_TEST((co_await queue.async_sizes()).running == 40u);
            co_await dying.async_stop();
            co_await working.join_and_tell();
        }
        std::set<int> done;
        monitor watch{redis, {.worker_grace = 50ms}};
        watch.watch(queue);
        background watching{io.get_executor(), watch.async_run()};
        co_await eventually("the jobs are back", [&] {
            const auto all = lengths(4);
            return std::accumulate(all.begin(), all.end(), std::int64_t{0}) == 40;
        });
        watch.stop();
        co_await watching.join();
        worker subject{redis, observed()};
        subject.handle(queue, [&](int number) { done.insert(number); });
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded, 40);
        co_await stop(subject, running);
        BOOST_TEST(done.size() == 40u);
    });
}

BOOST_FIXTURE_TEST_CASE(are_paused_and_deleted_together, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(3)};
        const std::vector<int> some{1, 2, 3, 4, 5, 6};
        co_await queue.async_push_many(some);
        co_await queue.async_pause();
        BOOST_TEST((co_await queue.async_sizes()).paused);
        for (unsigned i = 0; i != 3; ++i)
            BOOST_TEST(server("EXISTS", "hworker-paused-{numbers:" + std::to_string(i) + '}').integer == 1);
        co_await queue.async_resume();
        BOOST_TEST(!(co_await queue.async_sizes()).paused);
        co_await queue.async_destroy();
        BOOST_TEST(server("EVAL", "return #redis.call('KEYS', 'hworker-*numbers*')", 0).integer == 0);
        co_await queue.async_push(1); // and made again
        BOOST_TEST(server("GET", "hworker-partitions-numbers").text == "3");
    });
}

BOOST_FIXTURE_TEST_CASE(are_paused_from_the_start_if_the_queue_is, partitions_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto paused = [&](unsigned partition) {
            return server("EXISTS", "hworker-paused-{numbers:" + std::to_string(partition) + '}').integer;
        };
        co_await numbers.async_pause();
        const list_queue<int> two{redis, "numbers", divided(2)};
        co_await two.async_push(1);
        BOOST_TEST(paused(0) + paused(1) == 2);
        const list_queue<int> four{redis, "numbers", divided(4)};
        co_await four.async_push(1);
        BOOST_TEST(paused(2) + paused(3) == 2);
        co_await two.async_resume(); // which has not been told of them
        co_await numbers.async_pause();
        for (unsigned i = 0; i != 4; ++i)
            BOOST_TEST(paused(i) == 1);
        co_await numbers.async_resume();
        const list_queue<int> six{redis, "numbers", divided(6)};
        co_await six.async_push(1);
        BOOST_TEST(server("GET", "hworker-partitions-numbers").text == "6");
        for (unsigned i = 0; i != 6; ++i)
            BOOST_TEST(paused(i) == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(have_limits_that_are_checked, partitions_test)
{
    const auto refused = [&](const std::string& name, unsigned partitions) {
        try {
            const list_queue<int> queue{redis, name, divided(partitions)};
            return error_code{};
        } catch (const system_error& error) {
            return error.code();
        }
    };
    BOOST_TEST(refused("numbers", 1025) == errc::invalid_option);
    BOOST_TEST(refused("{numbers}", 2) == errc::invalid_queue_name);
    BOOST_TEST(refused(std::string(501, 'x'), 2) == errc::invalid_queue_name);
    BOOST_TEST(refused("numbers", 1024) == error_code{});
    run([&]() -> asio::awaitable<void> {
        server("SET", "hworker-partitions-numbers", "many");
        const list_queue<int> queue{redis, "numbers", divided(2)};
        const auto refusal = co_await error_of([&] { return queue.async_push(1); });
        BOOST_TEST(refusal == errc::command_refused);
        BOOST_TEST(refusal.says("hworker-partitions-numbers is no number of partitions"));
    });
}

BOOST_FIXTURE_TEST_CASE(take_no_jobs_as_well_as_many, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> queue{redis, "numbers", divided(4)};
        const std::vector<int> none;
        BOOST_TEST((co_await queue.async_push_many(none)).empty());
        BOOST_TEST((co_await queue.async_push_each_json(std::vector<raw_push>{})).empty());
        BOOST_TEST((co_await queue.async_sizes()).waiting == 0u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
