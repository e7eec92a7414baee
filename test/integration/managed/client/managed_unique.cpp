// SPDX-License-Identifier: MIT
#include "integration/managed/client/managed_test.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Unique jobs as producers see them. What becomes of a key in all ways a job can end:
/// test/scripts/managed/unique.test.
BOOST_AUTO_TEST_SUITE(managed_unique)

namespace {

struct unique_test : managed_test
{
    /// Pushes a job of the kind "Report" with these data; its jid.
    asio::awaitable<std::string> push(std::string data, unique_rule unique)
    {
        managed_push_options options;
        options.unique = std::move(unique);
        const auto report = json_text(std::move(data));
        co_return co_await mail.async_push("Report", report, options);
    }

    /// The same; what became of it.
    asio::awaitable<push_result> push_and_tell(std::string data, unique_rule unique)
    {
        std::vector<new_managed_job> one(1);
        one[0].kind = "Report";
        one[0].data = std::move(data);
        one[0].options.unique = std::move(unique);
        auto results = co_await mail.async_push_each(one);
        co_return results.at(0);
    }
};

unique_rule by_key(const char* key, on_conflict conflict = on_conflict::keep)
{
    unique_rule rule;
    rule.key = key;
    rule.conflict = conflict;
    return rule;
}

unique_rule by_fields(text_list fields)
{
    unique_rule rule;
    rule.fields = std::move(fields);
    return rule;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_push_tells_what_became_of_it, unique_test)
{
    run([&]() -> asio::awaitable<void> {
        auto result = co_await push_and_tell("1", by_key("sync"));
        const auto first = result.id;
        BOOST_TEST((result.pushed && !result.replaced));
        result = co_await push_and_tell("2", by_key("sync"));
        BOOST_TEST(result.id == first);
        BOOST_TEST((!result.pushed && !result.replaced));
        BOOST_TEST(stored(first, "data") == "1");
        result = co_await push_and_tell("2", by_key("sync", on_conflict::replace_payload));
        BOOST_TEST(result.id == first);
        BOOST_TEST((!result.pushed && result.replaced));
        BOOST_TEST(stored(first, "data") == "2");
        BOOST_TEST((co_await mail.async_counts()).length() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_push_can_be_refused_and_repeated, unique_test)
{
    run([&]() -> asio::awaitable<void> {
        managed_push_options options;
        options.jid = "mine";
        options.unique = by_key("daily", on_conflict::refuse);
        BOOST_TEST(co_await mail.async_push("Report", nothing, options) == "mine");
        BOOST_TEST(co_await mail.async_push("Report", nothing, options) == "mine"); // it was in doubt, say
        options.jid = "another";
        const auto refused = co_await error_of([&] { return mail.async_push("Report", nothing, options); });
        BOOST_TEST(refused == errc::not_unique);
        BOOST_TEST(refused.says("mine"));
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_can_be_unique_by_some_of_their_fields, unique_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto rule = by_fields({"customer", "month"});
        const auto first = co_await push(R"({"customer":7,"month":"May","by":"ada"})", rule);
        BOOST_TEST(co_await push(R"({ "by" : "bob", "month": "May" , "customer": 7 })", rule) == first);
        BOOST_TEST(co_await push(R"({"customer":8,"month":"May"})", rule) != first);
        BOOST_TEST(co_await push(R"({"customer":7})", rule) != first);
        BOOST_TEST(co_await push(R"({"customer":"7","month":"May"})", rule) != first);
        const auto report = json_text(R"({"customer":7,"month":"May"})");
        managed_push_options options;
        options.unique = rule;
        BOOST_TEST(co_await mail.async_push("Invoice", report, options) != first); // another kind
        const managed_queue post{redis, "post"};
        BOOST_TEST(co_await post.async_push("Report", report, options) != first); // another queue
        BOOST_TEST(stored(first, "data") == R"({"customer":7,"month":"May","by":"ada"})");
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_can_be_unique_by_all_their_data_or_none, unique_test)
{
    run([&]() -> asio::awaitable<void> {
        unique_rule all;
        all.whole_payload = true;
        const auto first = co_await push(R"({"a":[1, 2],"b":"x y"})", all);
        BOOST_TEST(co_await push(R"({"b": "x y", "a": [1,2]})", all) == first);
        BOOST_TEST(co_await push(R"({"b": "xy", "a": [1,2]})", all) != first);
        const auto list = co_await push("[1, 2]", all);
        BOOST_TEST(co_await push("[1,2]", all) == list);
        const std::string large(100'000, 'x');
        const auto long_one = co_await push('"' + large + '"', all);
        BOOST_TEST(co_await push('"' + large + '"', all) == long_one);
        BOOST_TEST(co_await push('"' + large + "x\"", all) != long_one);
        const auto kind = co_await push("1", by_fields(text_list::none()));
        BOOST_TEST(co_await push(R"({"c":1})", by_fields(text_list::none())) == kind);
    });
}

BOOST_FIXTURE_TEST_CASE(many_jobs_are_unique_among_themselves_too, unique_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<new_managed_job> many(300);
        for (std::size_t i = 0; i != many.size(); ++i) {
            many[i].kind = "Report";
            many[i].options.unique.key = "key " + std::to_string(i % 150);
        }
        many[299].options.unique.conflict = on_conflict::refuse;
        const auto results = co_await mail.async_push_each(many);
        BOOST_TEST_REQUIRE(results.size() == 300u);
        for (std::size_t i = 0; i != 150; ++i) {
            BOOST_TEST(results[i].pushed);
            BOOST_TEST(!results[i + 150].pushed);
            BOOST_TEST(results[i + 150].id == results[i].id);
            BOOST_TEST((results[i + 150].error == (i == 149 ? errc::not_unique : error_code{})), i);
        }
        BOOST_TEST(results[299].refusal == "the job " + results[149].id + " has the key");
        const auto jids = co_await mail.async_push_many(many);
        BOOST_TEST(jids[299] == results[149].id);
        BOOST_TEST((co_await mail.async_counts()).length() == 150u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_that_redis_refuses_keeps_no_other_away, unique_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<new_managed_job> many(300);
        for (auto& job : many)
            job.kind = "Report";
        for (const std::size_t i : {0u, 150u, 299u}) {
            many[i].options.jid = "in no batch " + std::to_string(i);
            many[i].options.batch = "there is none";
        }
        const auto results = co_await mail.async_push_each(many);
        BOOST_TEST_REQUIRE(results.size() == 300u);
        for (std::size_t i = 0; i != results.size(); ++i) {
            const bool is_refused = i % 150 == 0 || i == 299;
            BOOST_TEST(results[i].pushed == !is_refused, i);
            BOOST_TEST((results[i].error == (is_refused ? errc::batch_not_found : error_code{})), i);
            BOOST_TEST(results[i].refusal.empty() == !is_refused, i);
        }
        BOOST_TEST(results[150].id == "in no batch 150");
        BOOST_TEST((co_await mail.async_counts()).length() == 297u);
        many.resize(2);
        const auto told = co_await mail.async_push_many(many, asio::as_tuple(asio::use_awaitable));
        BOOST_TEST((std::get<0>(told) == errc::batch_not_found));
        BOOST_TEST((co_await mail.async_counts()).length() == 298u);
    });
}

BOOST_FIXTURE_TEST_CASE(producers_that_race_push_each_job_once, unique_test)
{
    run([&]() -> asio::awaitable<void> {
        constexpr int keys = 40;
        std::vector<client> clients;
        std::vector<background> producers;
        std::map<std::string, std::map<std::string, int>> jids; // by key
        for (int i = 0; i != 8; ++i)
            clients.emplace_back(io.get_executor(), options());
        for (auto& each : clients)
            producers.emplace_back(
                io.get_executor(), [](const client& mine, auto& seen) -> asio::awaitable<void> {
                    const managed_queue queue{mine, "mail"};
                    for (int i = 0; i != keys; ++i) {
                        managed_push_options options;
                        options.unique.key = std::to_string(i);
                        const auto jid = co_await queue.async_push("Report", nothing, options);
                        ++seen[std::to_string(i)][jid];
                    }
                }(each, jids));
        for (auto& each : producers)
            co_await each.join();
        for (const auto& [key, counts] : jids)
            BOOST_TEST(counts.size() == 1u, key);
        BOOST_TEST((co_await mail.async_counts()).length() == static_cast<std::uint64_t>(keys));
        for (auto& each : clients)
            co_await each.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(rules_that_make_no_sense_are_refused, unique_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<unique_rule> wrong(7);
        wrong[0].key = "k";
        wrong[0].whole_payload = true;
        wrong[1].fields = {"a"}; // of data that are no object
        wrong[2].unique_for = 1h;
        wrong[3].key = "k";
        wrong[3].unique_for = -1h;
        wrong[4].key = "k";
        wrong[4].unique_for = 1h;
        wrong[4].until = unique_until::started;
        wrong[5].key = std::string(257, 'k');
        wrong[6].key = "k";
        wrong[6].fields = text_list::none();
        for (const auto& rule : wrong)
            BOOST_TEST(co_await error_of([&] { return push("1", rule); }) == errc::invalid_option);
        BOOST_TEST(co_await error_of([&] { return push("1", by_key("\xff")); }) == errc::not_serializable);
        const auto jid = co_await push("1", by_key("u"));
        const auto job = co_await jobs.async_get(jid);
        managed_push_options options;
        options.unique = by_key("v");
        BOOST_TEST(co_await error_of([&] { return mail.async_requeue(job.value(), options); }) ==
                   errc::invalid_option);
        BOOST_TEST((co_await mail.async_counts()).length() == 1u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
