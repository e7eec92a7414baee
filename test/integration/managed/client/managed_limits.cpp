// SPDX-License-Identifier: MIT
#include "integration/managed/client/managed_test.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Limits and groups, as a client sets and sees them. What they hold back: test/scripts/managed, limits.test and so on.
BOOST_AUTO_TEST_SUITE(managed_limits)

namespace {

managed_push_options limited(std::string jid, limit_list limits)
{
    managed_push_options options;
    options.jid = jid;
    options.limits = std::move(limits);
    return options;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_limit_is_set_shown_and_removed, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const limit_settings gpu{.max_running = 16};
        const limit_settings api{.rate = 100, .period = 60s, .burst = 10};
        co_await jobs.async_set_limit("gpu", gpu);
        co_await jobs.async_set_limit("api", api);
        const auto all = co_await jobs.async_limits();
        BOOST_TEST_REQUIRE(all.size() == 2u);
        BOOST_TEST(all[0].name == "api");
        BOOST_TEST((all[0].settings == api));
        BOOST_TEST((all[1].settings == gpu));
        BOOST_TEST(all[1].is_set);
        co_await jobs.async_remove_limit("gpu");
        BOOST_TEST(!(co_await jobs.async_limit("gpu")).is_set);
        BOOST_TEST((co_await jobs.async_limits()).size() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_limit_shows_what_it_holds_back, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const limit_settings one{.max_running = 1};
        co_await jobs.async_set_limit("tenant:*", one);
        for (const auto* jid : {"a", "b"})
            co_await mail.async_push("k", nothing, limited(jid, {"tenant:42", limit_use{"gpu", 4}}));
        BOOST_TEST(jids_of(co_await pop("w", 9)) == listed("a"));
        const auto tenant = co_await jobs.async_limit("tenant:42"), gpu = co_await jobs.async_limit("gpu");
        BOOST_TEST(tenant.used == 1u);
        BOOST_TEST(tenant.waiting == 1u);
        BOOST_TEST(gpu.used == 4u);
        BOOST_TEST(!gpu.is_set);
    });
}

BOOST_FIXTURE_TEST_CASE(a_queue_has_limits_and_weights_of_groups, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_set_limits("api");
        const auto limits = co_await mail.async_limits();
        BOOST_TEST_REQUIRE(limits.size() == 1u);
        BOOST_TEST((limits[0] == limit_use{"api", 1}));
        co_await mail.async_set_limits(limit_list::none());
        BOOST_TEST((co_await mail.async_limits()).empty());
        co_await mail.async_set_group_weight("a", 2.5);
        const std::vector<group_weight> weights = co_await mail.async_group_weights();
        BOOST_TEST_REQUIRE(weights.size() == 1u);
        BOOST_TEST(weights[0].group == "a");
        BOOST_TEST(weights[0].weight == 2.5);
    });
}

BOOST_FIXTURE_TEST_CASE(what_makes_no_sense_is_refused_before_it_is_sent, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto set = [&](std::string name, limit_settings settings) {
            return error_of([&, name, settings] { return jobs.async_set_limit(name, settings); });
        };
        const limit_settings one{.max_running = 1}, nothing_said{}, no_burst{.rate = 1, .burst = 0},
            no_period{.rate = 1, .period = 0ms};
        BOOST_TEST(co_await set("", one) == errc::invalid_option);
        BOOST_TEST(co_await set("order:x", one) == errc::invalid_option);
        BOOST_TEST(co_await set(std::string(257, 'x'), one) == errc::invalid_option);
        BOOST_TEST(co_await set("a", nothing_said) == errc::invalid_option);
        BOOST_TEST(co_await set("a", no_burst) == errc::invalid_option);
        BOOST_TEST(co_await set("a", no_period) == errc::invalid_option);
        const auto push = [&](managed_push_options options) {
            return error_of([&, options] { return mail.async_push("k", nothing, options); });
        };
        BOOST_TEST(co_await push(limited("j", limit_use{"a", 0})) == errc::invalid_option);
        BOOST_TEST(co_await push(limited("j", {"a", "a"})) == errc::invalid_option);
        managed_push_options no_key, no_group;
        no_key.order_key = "";
        no_group.group = "";
        BOOST_TEST(co_await push(no_key) == errc::invalid_option);
        BOOST_TEST(co_await push(no_group) == errc::invalid_option);
        BOOST_TEST(co_await error_of([&] { return mail.async_set_group_weight("a", 0); }) ==
                   errc::invalid_option);
        BOOST_TEST(number_of_keys() == 0);
    });
}

BOOST_AUTO_TEST_SUITE_END()
