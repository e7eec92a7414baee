// SPDX-License-Identifier: MIT
#include "integration/managed/client/managed_test.hpp"

#include <boost/describe/class.hpp>
#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

struct letter
{
    std::string to;
    int pages = 0;
};
BOOST_DESCRIBE_STRUCT(letter, (), (to, pages))

} // namespace

BOOST_AUTO_TEST_SUITE(managed_put)

BOOST_FIXTURE_TEST_CASE(a_job_is_stored_as_qless_stores_it, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto before = now();
        const letter hello{"ada", 2};
        const auto jid = co_await mail.async_push("Letter", hello);
        BOOST_TEST(stored(jid, "jid") == jid);
        BOOST_TEST(stored(jid, "klass") == "Letter");
        BOOST_TEST(stored(jid, "data") == R"({"to":"ada","pages":2})");
        BOOST_TEST(stored(jid, "queue") == "mail");
        BOOST_TEST(stored(jid, "state") == "waiting");
        BOOST_TEST(stored(jid, "priority") == "0");
        BOOST_TEST(stored(jid, "retries") == "5");
        BOOST_TEST(stored(jid, "remaining") == "5");
        BOOST_TEST(stored(jid, "tags") == "{}");
        // By the server's clock.
        BOOST_TEST(std::stod(stored(jid, "time")) >= before);
        BOOST_TEST(std::stod(stored(jid, "time")) <= now());
    });
}

BOOST_FIXTURE_TEST_CASE(a_new_jid_is_thirty_two_digits_that_tell_the_time, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto jid = co_await mail.async_push("k", nothing);
        BOOST_TEST(jid.size() == 32u);
        BOOST_TEST(jid.find_first_not_of("0123456789abcdef") == jid.npos);
        const auto queued = queued_at(jid);
        BOOST_TEST_REQUIRE(queued.has_value());
        BOOST_TEST(std::abs(std::chrono::duration<double>(queued->time_since_epoch()).count() - now()) < 10);
        BOOST_TEST(co_await mail.async_push("k", nothing) > jid); // in the order in which they are made
    });
}

BOOST_FIXTURE_TEST_CASE(options_may_be_temporaries_in_the_call, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::string name = "a longer text than fits into a string itself";
        const auto jid = co_await mail.async_push(std::string{"Kl"} + "ass", json_text("[1, 2.50]"),
                                                  {.jid = std::string{"job of "} + name,
                                                   .priority = 2.5,
                                                   .retries = 0,
                                                   .tags = {"red", std::string{"tag of "} + name},
                                                   .depends = texts(20, "unknown " + name)});
        const auto job = (co_await jobs.async_get(jid)).value();
        BOOST_TEST(job.jid == "job of " + name);
        BOOST_TEST(job.kind == "Klass");
        BOOST_TEST(job.data == "[1, 2.50]");
        BOOST_TEST(job.priority == 2.5);
        BOOST_TEST(job.retries == 0);
        BOOST_TEST((job.tags == listed("red", "tag of " + name)));
        BOOST_TEST((job.state == managed_state::waiting));
    });
}

BOOST_FIXTURE_TEST_CASE(what_was_passed_may_be_gone_when_the_call_is_awaited, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        auto later = [&] {
            texts tags{"a longer text than fits into a string itself"};
            const std::string klass(40, 'k'), jid(40, 'j');
            return mail.async_push(klass, boost::json::value(1), {.jid = jid, .tags = tags});
        }();
        const auto jid = co_await std::move(later);
        BOOST_TEST(jid == std::string(40, 'j'));
        BOOST_TEST((co_await jobs.async_get(jid)).value().tags.front().size() == 44u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_is_described_in_any_of_three_ways, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const letter to_bob{"bob", 1};
        const auto described = co_await mail.async_push("k", to_bob);
        const auto value = co_await mail.async_push("k", boost::json::parse(R"({"a":[1,null]})"));
        const auto raw = co_await mail.async_push("k", json_text("{ \"kept\":  1.0 }"));
        BOOST_TEST((co_await jobs.async_get(described)).value().data_as<letter>()->to == "bob");
        BOOST_TEST((co_await jobs.async_get(value)).value().data == R"({"a":[1,null]})");
        BOOST_TEST((co_await jobs.async_get(raw)).value().data == "{ \"kept\":  1.0 }");
        BOOST_TEST(!(co_await jobs.async_get(raw)).value().data_as<letter>());
    });
}

BOOST_FIXTURE_TEST_CASE(a_delayed_job_is_due_by_the_servers_clock, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto jid = co_await mail.async_push("k", nothing, {.delay = 90'500ms});
        const auto due = std::stod(server("ZSCORE", "ql:q:mail-scheduled", jid).text);
        BOOST_TEST(due - now() > 85);
        BOOST_TEST(due - now() < 91);
        BOOST_TEST((co_await pop("w")).empty());
        BOOST_TEST(
            (co_await jobs.async_get(co_await mail.async_push("k", nothing, {.delay = -5s}))).value().queue ==
            "mail");
        BOOST_TEST((co_await pop("w", 5)).size() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(what_is_not_given_stays_when_a_job_is_moved, managed_test)
{
    managed_queue other{redis, "other"};
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("k", nothing, {.jid = "j", .priority = 7, .retries = 2, .tags = {"red"}});
        co_await other.async_push("l", boost::json::value(1), {.jid = "j"});
        auto job = (co_await jobs.async_get("j")).value();
        BOOST_TEST(job.queue == "other");
        BOOST_TEST(job.kind == "l");
        BOOST_TEST(job.priority == 7);
        BOOST_TEST(job.retries == 2);
        BOOST_TEST((job.tags == listed("red")));
        co_await other.async_push("l", nothing, {.jid = "j", .priority = 0, .tags = text_list::none()});
        job = (co_await jobs.async_get("j")).value();
        BOOST_TEST(job.priority == 0);
        BOOST_TEST(job.tags.empty());
        BOOST_TEST((co_await mail.async_counts()).length() == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_is_requeued_only_while_it_exists, managed_test)
{
    managed_queue other{redis, "other"};
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("k", json_text("[1]"), {.jid = "j", .priority = 3});
        const auto popped = co_await pop("w");
        BOOST_TEST((co_await other.async_requeue(popped.front(), {.retries = 1})).has_value());
        const auto job = (co_await jobs.async_get("j")).value();
        BOOST_TEST(job.queue == "other");
        BOOST_TEST(job.data == "[1]");
        BOOST_TEST(job.priority == 3);
        BOOST_TEST(job.retries == 1);
        BOOST_TEST((co_await complete_job(jobs, popped.front())).error() == errc::job_not_running);
        BOOST_TEST((co_await jobs.async_cancel("j")).has_value());
        BOOST_TEST((co_await other.async_requeue(popped.front())).error() == errc::job_not_found);
        const auto error =
            co_await error_of([&] { return other.async_requeue(popped.front(), {.jid = "k"}); });
        BOOST_TEST(error == errc::invalid_job_id);
    });
}

BOOST_FIXTURE_TEST_CASE(tens_of_thousands_of_jobs_are_put_in_one_call, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<new_managed_job> many(20'000);
        for (std::size_t i = 0; i != many.size(); ++i) {
            many[i].kind = "Mail";
            many[i].data = std::to_string(i);
        }
        many[17].options.jid = "seventeen";
        many[17].options.tags = {"odd"};
        many[17].options.priority = 1;
        const auto jids = co_await mail.async_push_many(many);
        BOOST_TEST(std::set<std::string>(jids.begin(), jids.end()).size() == many.size());
        BOOST_TEST((co_await mail.async_counts()).length() == many.size());
        BOOST_TEST(jids[17] == "seventeen");
        const auto first = co_await pop("w", 3);
        BOOST_TEST((jids_of(first) == listed("seventeen", jids[0], jids[1])));
        BOOST_TEST((first[0].tags == listed("odd")));
        BOOST_TEST(first[2].data == "1");
        BOOST_TEST((co_await jobs.async_get(jids.back())).value().data == std::to_string(many.size() - 1));
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_put_together_are_handed_out_in_their_order, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<new_managed_job> many(500);
        for (auto& job : many) {
            job.kind = "Mail";
            job.options.priority = 1;
        }
        const auto jids = co_await mail.async_push_many(many);
        BOOST_TEST(jids_of(co_await pop("w", 500)) == jids);
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_of_one_kind_are_put_together, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<letter> letters{{"ada", 1}, {"bob", 2}, {"cyd", 3}};
        const auto jids = co_await mail.async_push_many("Letter", letters, {.priority = 2, .tags = "post"});
        const auto popped = co_await pop("w", 5);
        BOOST_TEST(jids_of(popped) == jids);
        BOOST_TEST(popped[1].kind == "Letter");
        BOOST_TEST(popped[1].data_as<letter>()->to == "bob");
        BOOST_TEST(popped[2].tags == listed("post"));
        BOOST_TEST(popped[2].priority == 2);
        const auto error =
            co_await error_of([&] { return mail.async_push_many("Letter", letters, {.jid = "one"}); });
        BOOST_TEST(error == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(large_jobs_are_put_in_several_requests, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<new_managed_job> many(20);
        for (auto& job : many) {
            job.kind = "Mail";
            job.data = '"' + std::string(1'000'000, 'x') + '"';
        }
        const auto jids = co_await mail.async_push_many(many);
        BOOST_TEST((co_await mail.async_counts()).length() == 20u);
        BOOST_TEST((co_await jobs.async_get(jids[19])).value().data == many[19].data);
        BOOST_TEST((co_await mail.async_push_many({})).empty());
    });
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_right_is_refused_before_anything_is_sent, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto refused = [&](std::string_view klass, raw_json data,
                                 managed_push_options with = {}) -> asio::awaitable<thrown> {
            co_return co_await error_of([&] { return mail.async_push(klass, data, with); });
        };
        BOOST_TEST(co_await refused("", nothing) == errc::invalid_option);
        BOOST_TEST((co_await refused("", nothing)).says("kind"));
        BOOST_TEST(co_await refused("k\xff", nothing) == errc::not_serializable);
        BOOST_TEST(co_await refused("k", json_text("{")) == errc::not_serializable);
        BOOST_TEST(co_await refused("k", json_text("")) == errc::not_serializable);
        BOOST_TEST(co_await refused("k", nothing, {.jid = ""}) == errc::invalid_job_id);
        BOOST_TEST(co_await refused("k", nothing, {.jid = "\xff"}) == errc::invalid_job_id);
        const std::string too_long(257, 'j');
        BOOST_TEST(co_await refused("k", nothing, {.jid = too_long}) == errc::invalid_job_id);
        constexpr auto infinity = std::numeric_limits<double>::infinity();
        BOOST_TEST(co_await refused("k", nothing, {.priority = infinity}) == errc::invalid_option);
        BOOST_TEST(co_await refused("k", nothing, {.priority = std::nan("")}) == errc::invalid_option);
        BOOST_TEST(co_await refused("k", nothing, {.tags = {"a", ""}}) == errc::invalid_option);
        BOOST_TEST(co_await refused("k", nothing, {.depends = ""}) == errc::invalid_job_id);
        BOOST_TEST(co_await refused("k", nothing, {.jid = "a", .depends = "a"}) == errc::invalid_option);
        managed_queue small{redis, "small", {.max_job_size = 5}};
        BOOST_TEST(co_await error_of([&] { return small.async_push("k", json_text("[1,2,3]")); }) ==
                   errc::job_too_large);
        std::vector<new_managed_job> many(2);
        many[0].kind = "k";
        BOOST_TEST(co_await error_of([&] { return mail.async_push_many(many); }) == errc::invalid_option);
        BOOST_TEST(number_of_keys() == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(a_queue_needs_a_name_and_a_prefix, managed_test)
{
    BOOST_TEST(error_in([&] { managed_queue{redis, ""}; }) == errc::invalid_queue_name);
    BOOST_TEST(error_in([&] { managed_queue{redis, std::string(513, 'q')}; }) == errc::invalid_queue_name);
    BOOST_TEST(error_in([&] { managed_queue{redis, "\xff"}; }) == errc::invalid_queue_name);
    BOOST_TEST(error_in([&] { managed_queue{redis, "q", {.prefix = ""}}; }) == errc::invalid_option);
    BOOST_TEST(error_in([&] { managed_client{redis, {.prefix = ""}}; }) == errc::invalid_option);
}

BOOST_FIXTURE_TEST_CASE(another_prefix_is_another_world, managed_test)
{
    managed_queue tenant{redis, "mail", {.prefix = "{t}ql:"}};
    managed_client tenants{redis, {.prefix = "{t}ql:"}};
    run([&]() -> asio::awaitable<void> {
        co_await tenant.async_push("k", nothing, {.jid = "j"});
        BOOST_TEST(server("EXISTS", "{t}ql:j:j").integer == 1);
        BOOST_TEST((co_await jobs.async_get("j")).error() == errc::job_not_found);
        BOOST_TEST((co_await tenants.async_get("j")).has_value());
    });
}

BOOST_AUTO_TEST_SUITE_END()
