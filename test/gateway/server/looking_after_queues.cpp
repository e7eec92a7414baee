// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include <boost/json/serialize.hpp>

#include <set>

/// What can be seen of queues, and done to them.
BOOST_AUTO_TEST_SUITE(looking_after_queues)

using namespace coworker::test;
namespace json = boost::json;

namespace {

struct troubled_queue : gateway_test
{
    troubled_queue()
    {
        for (const std::string n : {"1", "2", "3"}) {
            const auto payload = "[\"f" + n + "\",{\"n\":" + n + "}]";
            store()("LPUSH", "hworker-failed-a", payload);
            store()("HSET", "hworker-failures-a", payload,
                    "\"2026-11-21T09:00:0" + n + ".000000Z\" " + n + " no luck");
        }
        store()("HSET", "hworker-broken-a", "not <json> \xff", "\"2026-11-21T09:00:00.5Z\"");
        store()("SADD", "hworker-queues", "a");
    }

    std::int64_t length(const std::string& key) { return store()("LLEN", key).integer; }

    static std::string key_of(const http_reply& page, std::size_t index)
    {
        return std::string{page.json().at("jobs").at(index).at("key").as_string()};
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(shows_queues_with_sizes_and_latency, troubled_queue)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        co_await client.post("/jobber/queue",
                             R"([{"type":"b","payload":1},{"type":"b","payload":1,"delay":99}])");
        const auto all = co_await client.get("/v1/queues");
        BOOST_TEST(all.status == 200u);
        const auto queues = all.json().at("queues").as_array();
        BOOST_TEST_REQUIRE(queues.size() == 2u);
        BOOST_TEST(all.json().at("next").is_null());

        const auto one = co_await client.get("/v1/queues/b");
        const auto queue = one.json();
        BOOST_TEST(queue.at("name").as_string() == "b");
        BOOST_TEST(queue.at("waiting").to_number<int>() == 1);
        BOOST_TEST(queue.at("scheduled").to_number<int>() == 1);
        BOOST_TEST(queue.at("latency_seconds").is_double());
        BOOST_TEST(queue.at("paused").as_bool() == false);
        const auto other = co_await client.get("/v1/queues/a");
        BOOST_TEST(other.json().at("failed").to_number<int>() == 3);
        BOOST_TEST(other.json().at("broken").to_number<int>() == 1);
        BOOST_TEST(other.json().at("latency_seconds").is_null());
    });
}

BOOST_FIXTURE_TEST_CASE(serves_queues_whatever_their_names_are, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const std::pair<std::string, std::string> names[] = {
            {"mail:high", "mail:high"},
            {"my mails/ü \"1\"", "my%20mails%2F%C3%BC%20%221%22"},
            {"..", "%2E%2E"},
        };
        for (const auto& [name, escaped] : names) {
            const auto path = "/v1/queues/" + escaped;
            for (const std::string job : {"1", "2"})
                store()("LPUSH", "hworker-jobs-" + name, "[\"x" + job + "\"," + job + "]");
            auto reply = co_await client.get(path);
            BOOST_TEST(reply.text("name") == name);
            reply = co_await client.get(path + "/jobs?count=1");
            const std::string next{reply.json().at("next").as_string()};
            reply = co_await client.get(next);
            BOOST_TEST(reply.json().at("jobs").at(0).at("id").as_string() == "x2");
            reply = co_await client.post(path + "/jobs", R"({"payload":3})");
            BOOST_TEST(reply.status == 201u);
            reply = co_await client.post(path + "/take", R"({"count":9})");
            BOOST_TEST(reply.json().at("jobs").as_array().size() == 3u);
            reply = co_await client.get("/v1/queues");
            BOOST_TEST(reply.body.find(boost::json::serialize(boost::json::value(name))) !=
                       std::string::npos);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(shows_partitions_where_they_are_asked_for, gateway_test)
{
    serve([&]() -> asio::awaitable<void> {
        coworker::list_queue<int> mail{redis, "mail", {.partitions = 2}};
        const std::vector<int> jobs{1, 2, 3};
        co_await mail.async_push_many(jobs, asio::use_awaitable);
        auto client = connect();
        auto reply = co_await client.get("/v1/queues/mail");
        BOOST_TEST(reply.json().at("waiting").to_number<int>() == 3);
        BOOST_TEST(reply.json().at("partitions").to_number<int>() == 2);
        reply = co_await client.get("/v1/queues/mail/partitions");
        const auto all = reply.json().at("partitions").as_array();
        BOOST_TEST_REQUIRE(all.size() == 2u);
        BOOST_TEST(all[0].at("name").as_string() == "{mail:0}");
        BOOST_TEST(all[1].at("name").as_string() == "{mail:1}");
        BOOST_TEST(all[0].at("waiting").to_number<int>() + all[1].at("waiting").to_number<int>() == 3);
        reply = co_await client.get("/v1/queues/%7Bmail:1%7D");
        BOOST_TEST(reply.json().at("waiting") == all[1].at("waiting"));
        store()("LPUSH", "hworker-jobs-other", R"(["1",1])");
        reply = co_await client.get("/v1/queues/other/partitions");
        BOOST_TEST(reply.json().at("partitions").as_array().empty());
    });
}

BOOST_FIXTURE_TEST_CASE(shows_queues_that_nobody_works_on, gateway_test)
{
    store()("LPUSH", "hworker-jobs-forgotten", R"(["1",1])");
    store()("ZADD", "hworker-scheduled-late", 1000, R"(x:["1",1])", 99'999'999'999'999, R"(y:["2",1])");
    store()("HSET", "hworker-workers-late", 1, "coworker:00000000000000aa00000000000000aa"); // killed
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto all = co_await client.get("/v1/queues");
        BOOST_TEST(all.json().at("queues").as_array().size() == 2u);
        const auto late = co_await client.get("/v1/queues/late");
        const auto queue = late.json();
        BOOST_TEST(queue.at("waiting").to_number<int>() == 1);
        BOOST_TEST(queue.at("overdue").to_number<int>() == 1);
        BOOST_TEST(queue.at("scheduled").to_number<int>() == 1);
        BOOST_TEST(queue.at("workers").to_number<int>() == 0);
        BOOST_TEST(queue.at("latency_seconds").to_number<double>() > 1e6);
        // Later ones too.
        store()("LPUSH", "hworker-jobs-new", R"(["1",1])");
        for (int looks = 0; looks != 1000 && all.json().at("queues").as_array().size() != 3u; ++looks) {
            all = co_await client.get("/v1/queues");
            co_await let_pass(20ms);
        }
        BOOST_TEST(all.json().at("queues").as_array().size() == 3u);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_the_configured_queues_by_page, gateway_test)
{
    settings.types = {"a", "b", "c"};
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto page = co_await client.get("/v1/queues?count=2");
        BOOST_TEST(page.json().at("queues").as_array().size() == 2u);
        page = co_await client.get(page.text("next"));
        BOOST_TEST(page.json().at("queues").as_array().size() == 1u);
        BOOST_TEST(page.json().at("queues").at(0).at("name").as_string() == "c");
        BOOST_TEST(page.json().at("next").is_null());
        page = co_await client.get("/v1/queues?count=two");
        BOOST_TEST(page.status == 400u);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_failed_jobs_by_page, troubled_queue)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto page = co_await client.get("/v1/queues/a/jobs?state=failed&count=2");
        const auto jobs = page.json().at("jobs").as_array();
        BOOST_TEST_REQUIRE(jobs.size() == 2u);
        BOOST_TEST(jobs[0].at("id").as_string() == "f3");
        BOOST_TEST(json::serialize(jobs[0].at("payload")) == R"({"n":3})");
        BOOST_TEST(jobs[0].at("failure").at("message").as_string() == "no luck");
        BOOST_TEST(jobs[0].at("failure").at("failed_at").as_string() == "2026-11-21T09:00:03.000000Z");
        BOOST_TEST(jobs[0].at("attempts").to_number<int>() == 3);
        page = co_await client.get(page.text("next"));
        BOOST_TEST(page.json().at("jobs").as_array().size() == 1u);
        BOOST_TEST(page.json().at("next").is_null());
    });
}

BOOST_FIXTURE_TEST_CASE(retries_and_deletes_failed_jobs, troubled_queue)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto page = co_await client.get("/v1/queues/a/jobs?state=failed");
        const auto first = "{\"keys\":[\"" + key_of(page, 0) + "\"]}";
        const auto second = "{\"keys\":[\"" + key_of(page, 1) + "\"]}";
        auto reply = co_await client.post("/v1/queues/a/jobs/retry", first);
        BOOST_TEST(reply.body == "{\"done\":1,\"missing\":0,\"refused\":0}\n");
        reply = co_await client.post("/v1/queues/a/jobs/retry", first);
        BOOST_TEST(reply.body == "{\"done\":0,\"missing\":1,\"refused\":0}\n");
        BOOST_TEST(waiting("a").at(0) == R"(["f3",{"n":3}])");
        reply = co_await client.post("/v1/queues/a/jobs/delete", second);
        BOOST_TEST(reply.body == "{\"done\":1,\"missing\":0,\"refused\":0}\n");
        BOOST_TEST(length("hworker-failed-a") == 1);
        reply = co_await client.post("/v1/queues/a/jobs/retry", R"({"all":true,"state":"failed"})");
        BOOST_TEST(reply.body == "{\"done\":1,\"missing\":0,\"refused\":0}\n");
        reply = co_await client.post("/v1/queues/a/jobs/delete", R"({"all":true,"state":"failed"})");
        BOOST_TEST(reply.body == "{\"done\":0,\"missing\":0,\"refused\":0}\n");
        BOOST_TEST(waiting("a").size() == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(shows_retries_and_deletes_broken_payloads, troubled_queue)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto digest = store()("EVAL", "return redis.sha1hex(ARGV[1])", 0, "not <json> \xff").text;
        store()("HSET", "hworker-reasons-a", digest, "it is <no> job");
        auto page = co_await client.get("/v1/queues/a/jobs?state=broken");
        const auto job = page.json().at("jobs").at(0);
        BOOST_TEST(job.at("failure").at("message").as_string() == "it is <no> job");
        BOOST_TEST(job.at("text").as_string() == "not <json> \xef\xbf\xbd");
        BOOST_TEST(job.at("id").is_null());
        BOOST_TEST(job.at("failure").at("failed_at").as_string() == "2026-11-21T09:00:00.500000Z");
        const auto selected = "{\"keys\":[\"" + key_of(page, 0) + "\"]}";
        auto reply = co_await client.post("/v1/queues/a/jobs/retry", selected);
        BOOST_TEST(reply.body == "{\"done\":1,\"missing\":0,\"refused\":0}\n");
        BOOST_TEST(waiting("a").at(0) == "not <json> \xff");
        store()("HSET", "hworker-broken-a", "x", "y");
        page = co_await client.get("/v1/queues/a/jobs?state=broken");
        const auto both = R"({"keys":[")" + key_of(page, 0) + R"(","eA"]})";
        reply = co_await client.post("/v1/queues/a/jobs/delete", both);
        BOOST_TEST(reply.body == "{\"done\":1,\"missing\":1,\"refused\":0}\n");
        reply = co_await client.post("/v1/queues/a/jobs/retry", R"({"all":true,"state":"broken"})");
        BOOST_TEST(reply.body == "{\"done\":0,\"missing\":0,\"refused\":0}\n");
    });
}

BOOST_FIXTURE_TEST_CASE(wants_to_know_which_jobs_are_meant, troubled_queue)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const auto body :
             {"", "{}", "[]", "null", R"({"all":false})", R"({"all":true,"keys":["eA"]})", R"({"keys":[]})",
              R"({"keys":"eA"})", R"({"keys":[7]})", R"({"keys":["e!"]})"}) {
            const auto reply = co_await client.post("/v1/queues/a/jobs/delete", body);
            BOOST_TEST(reply.status == 400u, body);
        }
        BOOST_TEST(length("hworker-failed-a") == 3);
    });
}

BOOST_FIXTURE_TEST_CASE(acts_on_jobs_that_are_named_by_their_ids, troubled_queue)
{
    store()("LPUSH", "hworker-jobs-a", R"(["w",1])", R"(["other",1])");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post("/v1/queues/a/jobs/retry", R"({"ids":["f1","f3","none","w"]})");
        BOOST_TEST(reply.body == "{\"done\":2,\"missing\":2,\"refused\":0}\n");
        BOOST_TEST(length("hworker-failed-a") == 1);
        reply = co_await client.post("/v1/queues/a/jobs/delete", R"({"ids":["f2","w"]})");
        BOOST_TEST(reply.body == "{\"done\":2,\"missing\":0,\"refused\":0}\n");
        BOOST_TEST(length("hworker-failed-a") == 0);
        BOOST_TEST(length("hworker-jobs-a") == 3);
        reply = co_await client.post("/v1/queues/a/jobs/delete", R"({"all":true,"state":"waiting"})");
        BOOST_TEST(reply.body == "{\"done\":3,\"missing\":0,\"refused\":0}\n");
    });
}

BOOST_FIXTURE_TEST_CASE(says_what_a_kind_of_queue_cannot_do, troubled_queue)
{
    store()("ZADD", "ql:queues", 1, "a");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const std::string path :
             {"/statistics", "/settings", "/limits", "/groups", "/jobs?state=depends",
              "/jobs?state=recurring", "/jobs?tag=red", "/jobs/x?wait=1"}) {
            const auto reply = co_await client.get("/v1/queues/a" + path);
            BOOST_TEST(reply.status == 409u, path);
            BOOST_TEST(reply.text("detail").find("'a' is a list queue, wh") == 0u, reply.body);
        }
        for (const std::string path : {"/partitions", "/jobs?state=broken"}) {
            const auto reply = co_await client.get("/v1/queues/managed:a" + path);
            BOOST_TEST(reply.status == 409u, path);
            BOOST_TEST(reply.text("detail").find("'managed:a' is a managed queue, wh") == 0u, reply.body);
        }
        auto reply = co_await client.post("/v1/queues/a/jobs/release", R"({"ids":["x"]})");
        BOOST_TEST(reply.status == 409u, reply.body);
        reply = co_await client.post("/v1/queues/a/progress", R"({"token":"eA","progress":1})");
        BOOST_TEST(reply.status == 409u, reply.body);
        reply = co_await client.post("/v1/queues/a/take", R"({"checkpoints":true})");
        BOOST_TEST(reply.status == 409u, reply.body);
        reply = co_await client.post("/v1/queues/managed:a/jobs/delete", R"({"keys":["eA"]})");
        BOOST_TEST(reply.status == 409u, reply.body);
        reply =
            co_await client.post("/v1/queues/a/jobs/delete", R"({"all":true,"state":"failed","tag":"red"})");
        BOOST_TEST(reply.status == 409u, reply.body);
    });
}

BOOST_FIXTURE_TEST_CASE(lists_queues_of_both_kinds, managed_gateway_test)
{
    for (const std::string name : {"a", "b"}) {
        store()("LPUSH", "hworker-jobs-" + name, R"(["1",1])");
        qless("put", "", name, "j-" + name, "K", "{}", "0");
    }
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        std::multiset<std::string> names;
        for (std::string next = "/v1/queues?count=1"; !next.empty();) {
            const auto page = co_await client.get(next);
            const auto parsed = page.json();
            for (const auto& queue : parsed.at("queues").as_array())
                names.emplace(queue.at("name").as_string());
            next = page.json().at("next").is_null() ? std::string{} : page.text("next");
        }
        const std::multiset<std::string> all{"a", "b", "managed:a", "managed:b"};
        BOOST_TEST(names == all, boost::test_tools::per_element());
        const auto page = co_await client.get("/v1/queues");
        BOOST_TEST(page.json().at("queues").as_array().size() == 4u, page.body);
        for (const std::string kind : {"list", "managed"}) {
            const auto some = co_await client.get("/v1/queues?kind=" + kind);
            BOOST_TEST(some.json().at("queues").as_array().size() == 2u, some.body);
            BOOST_TEST(some.json().at("queues").at(0).at("kind").as_string() == kind);
        }
        const auto wrong = co_await client.get("/v1/queues?kind=none");
        BOOST_TEST(wrong.status == 400u);
        const auto other = co_await client.get("/v1/queues?kind=list&cursor=managed%3A");
        BOOST_TEST(other.status == 400u);
    });
}

BOOST_FIXTURE_TEST_CASE(pauses_and_resumes, gateway_test)
{
    store()("LPUSH", "hworker-jobs-a", R"(["1",1])");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        auto reply = co_await client.post("/v1/queues/a/pause", "", "");
        BOOST_TEST(reply.body == "{\"paused\":true}\n");
        BOOST_TEST(store()("EXISTS", "hworker-paused-a").integer == 1);
        reply = co_await client.get("/v1/queues/a");
        BOOST_TEST(reply.json().at("paused").as_bool());
        reply = co_await client.post("/v1/queues/a/resume", "", "");
        BOOST_TEST(reply.body == "{\"paused\":false}\n");
        BOOST_TEST(store()("EXISTS", "hworker-paused-a").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(sets_notices_about_queues_of_both_kinds, gateway_test)
{
    store()("LPUSH", "hworker-jobs-a", R"(["1",1])");
    store()("ZADD", "ql:queues", 1, "a");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (const std::string queue : {"/v1/queues/a", "/v1/queues/managed:a"}) {
            auto reply = co_await client.post(queue + "/notices", R"({"notices":true})");
            BOOST_TEST(reply.body == "{\"notices\":true}\n");
            reply = co_await client.get(queue);
            BOOST_TEST(reply.json().at("notices").as_bool());
            reply = co_await client.post(queue + "/notices", R"({"notices":false})");
            BOOST_TEST(reply.body == "{\"notices\":false}\n");
            reply = co_await client.get(queue);
            BOOST_TEST(!reply.json().at("notices").as_bool());
            reply = co_await client.post(queue + "/notices", "{}");
            BOOST_TEST(reply.status == 400u);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(acts_on_a_job_only_where_its_key_says_that_it_is, troubled_queue)
{
    store()("LPUSH", "hworker-jobs-a", R"(["f3",{"n":3}])"); // the same bytes
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto page = co_await client.get("/v1/queues/a/jobs?state=waiting");
        const auto selected = "{\"keys\":[\"" + key_of(page, 0) + "\"]}";
        for (const auto path : {"jobs/retry", "jobs/run", "jobs/cancel"}) {
            const auto reply = co_await client.post(std::string{"/v1/queues/a/"} + path, selected);
            BOOST_TEST(reply.body == "{\"done\":0,\"missing\":0,\"refused\":1}\n", path);
        }
        BOOST_TEST(length("hworker-failed-a") == 3);
        BOOST_TEST(length("hworker-jobs-a") == 1);
        auto reply = co_await client.post("/v1/queues/a/jobs/delete", selected);
        BOOST_TEST(reply.body == "{\"done\":1,\"missing\":0,\"refused\":0}\n");
        reply = co_await client.post("/v1/queues/a/jobs/delete", selected);
        BOOST_TEST(reply.body == "{\"done\":0,\"missing\":1,\"refused\":0}\n");
        BOOST_TEST(length("hworker-failed-a") == 3);
        BOOST_TEST(length("hworker-jobs-a") == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(tells_how_fast_a_queue_is_worked, gateway_test)
{
    store()("SADD", "hworker-queues", "q", "none");
    store()("RPUSH", "hworker-history-q", minutes_ago(1) + " 600 60 6000", minutes_ago(61) + " 1 2 3");
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        const auto reply = co_await client.get("/v1/queues/q");
        const auto rates = reply.json().at("rates");
        // More than a minute ago when a minute has just begun.
        const auto succeeded = rates.at("succeeded").to_number<double>();
        BOOST_TEST((succeeded == 10 || succeeded == 0));
        BOOST_TEST(rates.at("failed").to_number<double>() * 10 == succeeded);
        BOOST_TEST(rates.at("retried").to_number<double>() == succeeded * 10);

        const auto day = co_await client.get("/v1/queues/q/history");
        const auto minutes = day.json().at("minutes").as_array();
        BOOST_TEST_REQUIRE(minutes.size() == 2u);
        BOOST_TEST(minutes[0].at("succeeded").to_number<int>() == 1);
        BOOST_TEST(minutes[1].at("failed").to_number<int>() == 60);
        BOOST_TEST(minutes[1].at("minute").as_string().ends_with(":00Z"));
        BOOST_TEST(day.text("from") < day.text("until"));
        const auto hour = co_await client.get("/v1/queues/q/history?minutes=30");
        BOOST_TEST(hour.json().at("minutes").as_array().size() == 1u);
        const auto wrong = co_await client.get("/v1/queues/q/history?minutes=1441");
        BOOST_TEST(wrong.status == 400u);
        const auto none = co_await client.get("/v1/queues/none/history");
        BOOST_TEST(none.json().at("minutes").as_array().empty());
    });
}

BOOST_FIXTURE_TEST_CASE(purges_and_deletes_queues, troubled_queue)
{
    serve([&]() -> asio::awaitable<void> {
        auto client = connect();
        for (int i = 0; i != 3; ++i)
            co_await client.post("/jobber/queue", R"({"type":"a","payload":1})");
        auto done = co_await client.post("/v1/queues/a/jobs/delete", R"({"all":true,"state":"waiting"})");
        BOOST_TEST(done.body == "{\"done\":3,\"missing\":0,\"refused\":0}\n");
        BOOST_TEST(store()("EXISTS", "hworker-jobs-a").integer == 0);
        BOOST_TEST(length("hworker-failed-a") == 3);
        auto refused = co_await client.post("/v1/queues/a/delete", "{}");
        BOOST_TEST(refused.status == 409u);
        BOOST_TEST(refused.body.find("with_jobs") != std::string::npos);
        store()("HSET", "hworker-progress-a", "[\"r\",1]", "\"2026-11-21T09:54:29.612715000042Z\"");
        refused = co_await client.post("/v1/queues/a/delete", R"({"with_jobs":true})");
        BOOST_TEST(refused.status == 409u);
        BOOST_TEST(refused.body.find("while_used") != std::string::npos);
        refused = co_await client.post("/v1/queues/a/delete", R"({"with_jobs":1})");
        BOOST_TEST(refused.status == 400u);
        done = co_await client.post("/v1/queues/a/delete", R"({"with_jobs":true,"while_used":true})");
        BOOST_TEST(done.body == "{\"deleted\":true}\n");
        BOOST_TEST(store()("KEYS", "hworker-*-a").elements.empty());
        const auto missing = co_await client.post("/v1/queues/a/delete", "{}");
        BOOST_TEST(missing.status == 404u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
