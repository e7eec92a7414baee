// SPDX-License-Identifier: MIT
#include "job_account.hpp"
#include "sentinel_test.hpp"

#include "coworker/durability.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

/// A primary is cut from its replicas and from the Sentinels, and is there for clients: for a while there are two.
BOOST_AUTO_TEST_SUITE(sentinel_cut)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

/// These run until the end, and the next ones until the primary has been cut off.
constexpr int held = 5, waiting = 20;

struct with_network
{
    cuttable_network network;
};

struct cut_test : with_network, sentinel_test
{
    std::map<std::string, job_account> books; ///< by queue
    int next = 0;
    int replicated = 0; ///< so many pushes had reached the replicas before the cut
    int taken_over = 0; ///< from here on pushes go to the new primary
    bool is_cut = false, may_end = false;

    cut_test() : sentinel_test{&network} {}

    /// Of "plain", what Redis has answered; of "safe", what all replicas have that there are.
    asio::awaitable<void> push(const client& redis, int replicas)
    {
        const list_queue<int> plain{redis, "plain"};
        co_await books["plain"].push(plain, next);
        const list_queue<int> safe{redis, "safe"};
        co_await books["safe"].push(safe.with(durability::replicated(replicas, 100ms)), next);
        ++next;
    }

    asio::awaitable<void> push_many(const client& redis, int replicas, int count)
    {
        for (const int end = next + count; next != end;)
            co_await push(redis, replicas);
    }

    asio::awaitable<void> run(std::string queue, int number)
    {
        books[queue].start(number);
        while (queue == "plain" && (number < held ? !may_end : number < held + waiting && !is_cut))
            co_await let_pass(5ms);
    }

    void handle(worker& subject, const client& redis, const std::string& name)
    {
        const list_queue<int> queue{redis, name};
        subject.handle(queue, [this, name](int number) { return run(name, number); });
    }

    worker_options with_places()
    {
        worker_options options;
        options.observers = {events.observe()};
        options.concurrency = 2 * (held + waiting);
        return options;
    }

    /// Until what can have ended has, and the replicas know it.
    asio::awaitable<void> come_to_rest()
    {
        auto& first = servers.first().raw();
        co_await eventually("all others have ended", [&] {
            return first("HLEN", "hworker-progress-plain").integer ==
                       books["plain"].count_of_runs_before(held + waiting) &&
                   first("HLEN", "hworker-progress-safe").integer == 0 &&
                   first("LLEN", "hworker-jobs-plain").integer == 0 &&
                   first("LLEN", "hworker-jobs-safe").integer == 0;
        });
        first("SET", "after all", 1); // what WAIT waits for
        BOOST_TEST(first("WAIT", 2, 10'000).integer == 2);
        replicated = next;
    }

    asio::awaitable<void> push_until(const client& redis, int replicas, std::function<bool()> is_over)
    {
        const auto begun = std::chrono::steady_clock::now();
        for (bool has_ended = false; !has_ended;) {
            BOOST_REQUIRE((std::chrono::steady_clock::now() - begun < 4 * patience));
            co_await push(redis, replicas);
            has_ended = is_over();
        }
    }

    bool has_left_for_the_new_primary(const client& redis)
    {
        return servers.has_failed_over() &&
               servers.primary()("CLIENT", "LIST").text.find(redis.client_name()) != std::string::npos &&
               servers.first()("CLIENT", "LIST").text.find(redis.client_name()) == std::string::npos;
    }

    bool all_have_run()
    {
        return std::all_of(books.begin(), books.end(), [&](const auto& each) {
            return each.second.missing(0, replicated).empty() && each.second.missing(taken_over).empty();
        });
    }

    void judge()
    {
        BOOST_TEST(books["safe"].missing().empty());
        for (const auto& [queue, book] : books)
            for (const auto& [number, runs] : book.runs)
                if (queue != "plain" || number < held || number >= held + waiting)
                    BOOST_TEST(runs == 1, queue << ' ' << number << " ran " << runs << " times");
        BOOST_TEST(events.count(event_kind::recovered) == 0u);
        const auto& plain = books["plain"];
        BOOST_TEST_MESSAGE("next job after "
                           << std::chrono::duration<double>(plain.longest_pause).count() << " s; of "
                           << taken_over - replicated << " pushes meanwhile: plain, accepted and lost "
                           << plain.missing().size() << ", in doubt " << plain.unknown.size()
                           << "; replicated, not confirmed " << books["safe"].unknown.size() << "; ran again "
                           << plain.ran_again());
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(accounts_for_each_job_when_there_are_two_primaries, cut_test)
{
    const auto whole = [&]() -> asio::awaitable<void> {
        auto how = how_to_connect();
        how.command_timeout = 5s;
        how.health_check_interval = 500ms;
        client redis{io.get_executor(), how};
        worker subject{redis, with_places()};
        for (const auto* queue : {"plain", "safe"})
            handle(subject, redis, queue);
        background working{io.get_executor(), subject.async_run()};
        co_await push_many(redis, 2, 100);
        co_await come_to_rest();
        for (auto& [queue, book] : books)
            book.longest_pause = {};
        servers.count_as_down_after(1s);
        network.isolate(servers.place_of_first());
        is_cut = true;
        co_await push_until(redis, 2, [&] { return has_left_for_the_new_primary(redis); });
        taken_over = next;
        const auto until = std::chrono::steady_clock::now() + network.time_of_cut();
        do // while the old one still takes itself for the primary
            co_await push_many(redis, 1, 100);
        while (std::chrono::steady_clock::now() < until);
        co_await eventually("all that must be there have run", [&] { return all_have_run(); });
        network.heal();
        co_await push_until(redis, 1, [&] { return servers.first_is_replica_without(redis.client_name()); });
        servers.count_as_down_after(10s);
        co_await push_many(redis, 1, 100);
        may_end = true;
        co_await eventually("all that must be there have run", [&] { return all_have_run(); });
        co_await eventually("nothing is in progress",
                            [&] { return servers.primary()("HLEN", "hworker-progress-plain").integer == 0; });
        subject.stop();
        co_await working.join();
        co_await redis.async_stop();
    };
    run_coroutine(io, whole(), 3 * patience + network.time_of_cut());
    judge();
}

BOOST_AUTO_TEST_SUITE_END()
