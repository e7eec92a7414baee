// SPDX-License-Identifier: MIT
#include "integration/queue/replicated_test.hpp"

#include "coworker/managed_queue.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(managed_confirmed)

namespace {

struct confirmed_puts_test : replicated_test
{
    managed_queue mail{redis, "mail"};

    ~confirmed_puts_test() { replica.thaw(); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(puts_are_confirmed_also_when_redis_lacks_the_script, confirmed_puts_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto safe = mail.with(durability::replicated(1, 10s));
        for (int i = 0; i != 2; ++i) {
            server("SCRIPT", "FLUSH");
            const auto jid = co_await safe.async_push("Letter", i);
            BOOST_TEST(replica("EXISTS", "ql:j:" + jid).integer == 1);
        }
        server("SCRIPT", "FLUSH");
        std::vector<new_managed_job> jobs(300, new_managed_job{"Letter", "1", {}});
        const auto jids = co_await safe.async_push_many(jobs);
        BOOST_TEST(replica("EXISTS", "ql:j:" + jids.back()).integer == 1);
        managed_push_options only_one;
        only_one.unique = unique_rule{.key = "k"};
        const auto unique = co_await safe.async_push("Letter", 7, only_one);
        BOOST_TEST(replica("EXISTS", "ql:j:" + unique).integer == 1);
    });
}

BOOST_FIXTURE_TEST_CASE(unconfirmed_puts_are_queued, confirmed_puts_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto safe = mail.with(durability::replicated(1, 50ms));
        replica.freeze();
        server("SCRIPT", "FLUSH");
        BOOST_TEST((co_await error_of(safe.async_push("Letter", 1, {.jid = "one"}))) == errc::unconfirmed);
        std::vector<new_managed_job> jobs(300, new_managed_job{"Letter", "1", {}});
        BOOST_TEST((co_await error_of(safe.async_push_many(jobs))) == errc::unconfirmed);
        BOOST_TEST((co_await mail.async_counts()).waiting == 301u);
        replica.thaw();
        (void)co_await mail.with(durability::replicated(1, 10s)).async_push("Letter", 1, {.jid = "one"});
        BOOST_TEST(replica("EXISTS", "ql:j:one").integer == 1);
        BOOST_TEST((co_await mail.async_counts()).waiting == 301u);
    });
}

BOOST_FIXTURE_TEST_CASE(results_say_what_became_of_puts_that_are_not_confirmed, confirmed_puts_test)
{
    run([&]() -> asio::awaitable<void> {
        replica.freeze();
        server("SCRIPT", "FLUSH");
        new_managed_job job{"Letter", "1", {}};
        job.options.unique = unique_rule{.key = "k"};
        job.options.unique.conflict = on_conflict::refuse;
        const std::vector<new_managed_job> jobs(2, job);
        const auto results = co_await mail.with(durability::replicated(1, 20ms)).async_push_each(jobs);
        BOOST_TEST_REQUIRE(results.size() == 2u);
        BOOST_TEST(results[0].pushed);
        BOOST_TEST(!results[1].pushed);
        BOOST_TEST(results[1].id == results[0].id);
        for (const auto& each : results)
            BOOST_TEST(each.unconfirmed == "0 of 1 replicas had it within 20 ms");
    });
}

BOOST_AUTO_TEST_SUITE_END()
