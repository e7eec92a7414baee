// SPDX-License-Identifier: MIT
#include "gateway_program_test.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <regex>
#include <sstream>

/// What `coworker gateway` logs of requests.
BOOST_AUTO_TEST_SUITE(access_log)

using namespace coworker::test;

namespace {

const std::string act = "Authorization: Bearer secret-1\r\n", look = "Authorization: Bearer look-1\r\n";
const std::string json_body = "Content-Type: application/json\r\n";

struct access_log_test : gateway_program_test
{
    access_log_test() { server("SADD", "hworker-queues", "mail", "odd"); }

    std::vector<std::string> with_tokens(std::vector<std::string> more)
    {
        more.insert(more.end(), {"--token-file", write("token", "secret-1\nguest read look-1\n")});
        return more;
    }

    /// Sends a request on a connection of its own, and returns all bytes of the answer.
    asio::awaitable<std::string> ask(std::string first_line, std::string fields = "")
    {
        http_client client{io.get_executor(), port};
        co_await client.send(first_line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + fields +
                             "\r\n");
        co_return co_await client.receive_rest();
    }

    /// The line of the log that has this text; "" if none has.
    std::string line_with(const std::string& text) const
    {
        std::istringstream all{logged()};
        for (std::string line; std::getline(all, line);)
            if (line.find(text) != line.npos)
                return line;
        return {};
    }

    /// The same as an object, when there is one.
    asio::awaitable<boost::json::object> object_with(std::string text)
    {
        co_await eventually("the log has " + text, [&] { return !line_with(text).empty(); });
        co_return boost::json::parse(line_with(text)).as_object();
    }

    /// Waits for a line of text, and checks all of it but its time.
    /// @param rest  a regular expression
    asio::awaitable<void> expect_line(std::string with, std::string level, std::string rest)
    {
        co_await eventually("the log has " + with, [&] { return !line_with(with).empty(); });
        const auto line = line_with(with);
        const std::regex whole{"[-0-9]{10}T[:0-9]{8}\\.[0-9]{3}Z " + level + " +" + rest};
        BOOST_TEST(std::regex_match(line, whole), line);
    }

    /// Of a token, or of what stands behind the question mark of a target.
    void expect_no_secrets() const
    {
        for (const auto* secret : {"secret-1", "look-1", "wrong-1", "hidden", "Bearer"})
            BOOST_TEST(logged().find(secret) == std::string::npos, logged());
    }
};

std::string names_of(const boost::json::object& what)
{
    std::string names;
    for (const auto& member : what)
        names.append(member.key()).append(" ");
    return names;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_line_has_client_token_method_path_status_bytes_and_time, access_log_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await start(with_tokens({"--access-log"}));
        const auto size = [](const std::string& answer) { return std::to_string(answer.size()); };
        const std::string peer = R"(127\.0\.0\.1:[0-9]+ )", time = R"( bytes [0-9]+\.[0-9] ms)";

        auto answer = co_await ask("GET /v1/queues/mail/jobs?state=failed&text=hidden", act);
        BOOST_TEST_REQUIRE(answer.starts_with("HTTP/1.1 200 "));
        co_await expect_line(" GET /v1/queues/mail/jobs 200 ", "info",
                             peer + "token GET /v1/queues/mail/jobs 200 " + size(answer) + time);
        answer = co_await ask("HEAD /v1/workers", look);
        co_await expect_line("/v1/workers 200", "info",
                             peer + "guest HEAD /v1/workers 200 " + size(answer) + time);
        answer = co_await ask("GET /v1/limits", "Authorization: Bearer wrong-1\r\n");
        co_await expect_line("/v1/limits", "info", peer + "- GET /v1/limits 401 " + size(answer) + time);
        answer = co_await ask("POST /v1/queues/mail/pause", look);
        co_await expect_line("/pause", "info",
                             peer + "guest POST /v1/queues/mail/pause 403 " + size(answer) + time);
        http_client client{io.get_executor(), port};
        co_await client.send("nonsense\r\n\r\n");
        answer = co_await client.receive_rest();
        co_await expect_line(" - - 400", "info", peer + "- - - 400 " + size(answer) + time);
        expect_no_secrets();
    });
}

BOOST_FIXTURE_TEST_CASE(an_object_has_the_same, access_log_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await start(with_tokens({"--access-log", "--log-format", "json"}));
        auto answer = co_await ask("GET /v1/queues/mail/jobs?state=failed&text=hidden", act);
        auto line = co_await object_with(R"("path":"/v1/queues/mail/jobs")");
        BOOST_TEST(names_of(line) ==
                   "time level event method path status peer token bytes duration_seconds ");
        BOOST_TEST(line.at("level").as_string() == "info");
        BOOST_TEST(line.at("event").as_string() == "request");
        BOOST_TEST(line.at("method").as_string() == "GET");
        BOOST_TEST(line.at("status").as_int64() == 200);
        BOOST_TEST(line.at("peer").as_string().starts_with("127.0.0.1:"));
        BOOST_TEST(line.at("token").as_string() == "token");
        BOOST_TEST(line.at("bytes").as_int64() == static_cast<std::int64_t>(answer.size()));
        const auto seconds = line.at("duration_seconds").to_number<double>();
        BOOST_TEST((seconds >= 0 && seconds < 60));
        answer = co_await ask("GET /v1/workers", look);
        line = co_await object_with(R"("path":"/v1/workers")");
        BOOST_TEST(line.at("token").as_string() == "guest");
        answer = co_await ask("GET /v1/limits", "Authorization: Bearer wrong-1\r\n");
        line = co_await object_with(R"("path":"/v1/limits")");
        BOOST_TEST(line.at("status").as_int64() == 401);
        BOOST_TEST(line.at("token").is_null());
        expect_no_secrets();
    });
}

/// At the level info, whether or not each request is logged.
BOOST_FIXTURE_TEST_CASE(says_who_has_changed_something, access_log_test)
{
    const std::string delete_all = R"({"all":true,"state":"failed"})",
                      done = R"({"done":0,"missing":0,"refused":0})";
    run([&]() -> asio::awaitable<void> {
        co_await start(with_tokens({}));
        http_client client{io.get_executor(), port};
        auto reply = co_await client.post("/v1/queues/mail/jobs", R"({"payload":"hidden"})", act + json_body);
        http_client onlooker{io.get_executor(), port};
        reply = co_await onlooker.post("/v1/queues/mail/jobs/delete", delete_all, look + json_body);
        BOOST_TEST(reply.status == 403);
        reply = co_await client.post("/v1/queues/mail/jobs/delete", delete_all, act + json_body);
        BOOST_TEST(reply.status == 200);
        co_await expect_line(
            " change by ", "info",
            R"(change by 127\.0\.0\.1:[0-9]+ token: POST /v1/queues/mail/jobs/delete 200 \{"done":0,"missing":0,"refused":0\})");
        BOOST_TEST(logged().find("/v1/queues/mail/jobs 20") == std::string::npos); // too many of these
        BOOST_TEST(logged().find(" change by ") == logged().rfind(" change by "));
        expect_no_secrets();
    });
    program.reset();
    std::ofstream{log};
    run([&]() -> asio::awaitable<void> {
        co_await start(with_tokens({"--log-format", "json"}));
        http_client client{io.get_executor(), port};
        const auto reply = co_await client.post("/v1/queues/mail/jobs/delete", delete_all, act + json_body);
        const auto line = co_await object_with(R"("event":"change")");
        BOOST_TEST(names_of(line) == "time level event method path status peer token result ");
        BOOST_TEST(line.at("level").as_string() == "info");
        BOOST_TEST(line.at("path").as_string() == "/v1/queues/mail/jobs/delete");
        BOOST_TEST(line.at("token").as_string() == "token");
        BOOST_TEST(line.at("result") == boost::json::parse(done));
        BOOST_TEST(logged().find(R"("event":"request")") == std::string::npos);
        expect_no_secrets();
    });
}

BOOST_FIXTURE_TEST_CASE(says_nothing_of_them_where_only_warnings_are_wanted, access_log_test)
{
    server("SET", "hworker-jobs-odd", "text");
    run([&]() -> asio::awaitable<void> {
        co_await start({"--access-log", "--log-level", "warning"});
        http_client client{io.get_executor(), port};
        auto reply = co_await client.post("/v1/queues/mail/pause", "{}");
        BOOST_TEST(reply.status == 200);
        reply = co_await client.get("/v1/queues/odd/jobs?state=waiting");
        co_await until_logged("answered with 500");
        BOOST_TEST(logged().find("/v1/queues/mail/pause") == std::string::npos, logged());
        BOOST_TEST(logged().find(" 500 ") == std::string::npos, logged());
    });
}

BOOST_FIXTURE_TEST_CASE(says_why_a_request_was_answered_with_500, access_log_test)
{
    server("SET", "hworker-jobs-odd", "text");
    server("HSET", "ql:j:odd", "jid", "odd", "state", "nowhere");
    run([&]() -> asio::awaitable<void> {
        co_await start({});
        auto reply = co_await get("/v1/queues/odd/jobs?state=waiting");
        BOOST_TEST(reply.status == 500);
        BOOST_TEST(reply.body.find("WRONGTYPE") ==
                   std::string::npos); // which is none of the client's business
        co_await expect_line("/v1/queues/odd/jobs", "warning",
                             "GET /v1/queues/odd/jobs was answered with 500: "
                             ".*WRONGTYPE.*");
        reply = co_await get("/v1/jobs/odd");
        BOOST_TEST(reply.status == 500);
        co_await expect_line("/v1/jobs/odd", "warning",
                             "GET /v1/jobs/odd was answered with 500: .*'?state'? .*");
    });
}

BOOST_FIXTURE_TEST_CASE(says_why_redis_cannot_do_its_part, access_log_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<std::string> given{"--redis-timeout", "0.3", "--log-format", "json"};
        co_await start(given);
        auto reply = co_await get("/ready");
        BOOST_TEST(reply.status == 200);
        server.freeze();
        for (int i = 0; i != 3; ++i) {
            reply = co_await get("/v1/workers");
            BOOST_TEST(reply.status == 503);
        }
        const auto line = co_await object_with("request_failed");
        BOOST_TEST(names_of(line) == "time level event method path status peer token message ");
        BOOST_TEST(line.at("level").as_string() == "warning");
        BOOST_TEST(line.at("path").as_string() == "/v1/workers");
        BOOST_TEST(line.at("status").as_int64() == 503);
        BOOST_TEST(line.at("message").as_string().starts_with("unix:"), line.at("message").as_string());
        BOOST_TEST(logged().find("request_failed") ==
                   logged().rfind("request_failed")); // once for one reason
        server.thaw();
    });
}

/// Not only Redis can be the reason.
BOOST_FIXTURE_TEST_CASE(says_why_the_gateway_itself_has_refused_something, access_log_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<std::string> given{"--event-clients", "0"};
        co_await start(given);
        const auto reply = co_await get("/v1/events");
        BOOST_TEST(reply.status == 503);
        co_await expect_line("/v1/events", "warning",
                             "GET /v1/events was answered with 503: .*listen to events.*");
    });
    program.reset();
    std::ofstream{log};
    run([&]() -> asio::awaitable<void> {
        const std::vector<std::string> given{"--memory-limit", "1000", "--body-limit", "1000"};
        co_await start(given);
        const auto reply = co_await get("/openapi.json");
        BOOST_TEST(reply.status == 503);
        co_await expect_line("/openapi.json", "warning",
                             "GET /openapi.json was answered with 503: .*holds as many bytes.*");
    });
}

BOOST_AUTO_TEST_SUITE_END()
