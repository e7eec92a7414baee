// SPDX-License-Identifier: MIT
#include "piped_program.hpp"
#include "support/redis_test.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(qless_program)

using namespace coworker;
using namespace coworker::test;

struct qless_test : redis_test
{
    static std::vector<std::string> command_line(const redis_server& server)
    {
        return {COWORKER_PROGRAM, "qless", "--redis", server.url()};
    }

    piped_program program{command_line(server)};
};

const std::string put = R"({"args": ["put", "100", "w", "q", "j", "k", "{}", "0"]})";

BOOST_FIXTURE_TEST_CASE(answers_each_line_at_once, qless_test)
{
    BOOST_TEST(program.ask(put) == R"({"ok":"j"})");
    BOOST_TEST(program.ask(R"({"args": ["length", 101, "q"]})") == R"({"ok":1})");
    BOOST_TEST(program.ask(R"({"args": ["get", "101", "none"]})") == R"({"ok":null})");
    BOOST_TEST(program.ask(R"({"args": ["jobs", "101", "depends", "q"]})") == R"({"ok":[]})");
    BOOST_TEST(program.ask(R"({"args": ["cancel", "101", "j", "é"]})") == R"({"ok":["j","é"]})");
    BOOST_TEST(program.finish() == 0);
}

BOOST_FIXTURE_TEST_CASE(answers_in_order_what_is_written_at_once, qless_test)
{
    for (int i = 0; i != 100; ++i)
        program.write(R"({"args": ["config.set", "1", "n", ")" + std::to_string(i) + "\"]}\n" +
                      R"({"args": ["config.get", "1", "n"]})");
    for (int i = 0; i != 100; ++i) {
        BOOST_TEST(program.read() == R"({"ok":null})");
        BOOST_TEST(program.read() == "{\"ok\":\"" + std::to_string(i) + "\"}");
    }
    BOOST_TEST(program.finish() == 0);
    BOOST_TEST(program.read() == "");
}

BOOST_FIXTURE_TEST_CASE(goes_on_after_what_cannot_be_done, qless_test)
{
    BOOST_TEST(program.ask("nonsense").starts_with(R"({"err":"The line is not JSON)"));
    BOOST_TEST(program.ask(R"({"args": ["put", true]})") ==
               R"({"err":"The args must be texts or whole numbers"})");
    BOOST_TEST(program.ask(R"({"args": []})") == R"({"err":"Must provide a command"})");
    BOOST_TEST(program.ask(R"({"args": ["nonsense", "1"]})") == R"({"err":"Unknown command nonsense"})");
    BOOST_TEST(program.ask(R"({"args": ["pop", "1", "q"]})") == R"({"err":"Pop(): Arg \"worker\" missing"})");
    server("SET", "ql:queues", "text");
    BOOST_TEST(program.ask(put).starts_with(
        R"({"err":"WRONGTYPE Operation against a key holding the wrong kind of value)"));
    server("DEL", "ql:queues");
    BOOST_TEST(program.ask(put) == R"({"ok":"j"})");
    BOOST_TEST(program.finish() == 0);
}

BOOST_FIXTURE_TEST_CASE(shows_bytes_that_are_no_text_in_hexadecimal, qless_test)
{
    server("HSET", "ql:config", "odd", "a\xff");
    BOOST_TEST(program.ask(R"({"args": ["config.get", "1", "odd"]})") == R"({"hex":"61ff"})");
}

BOOST_FIXTURE_TEST_CASE(begins_keys_as_it_is_told, redis_test)
{
    auto words = qless_test::command_line(server);
    words.insert(words.end(), {"--prefix", "{tenant}ql:"});
    piped_program program{words};
    BOOST_TEST(program.ask(put) == R"({"ok":"j"})");
    BOOST_TEST(server("EXISTS", "{tenant}ql:j:j").integer == 1);
    BOOST_TEST(program.finish() == 0);
}

BOOST_FIXTURE_TEST_CASE(tells_of_a_connection_lost_before_the_answer, qless_test)
{
    BOOST_TEST(program.ask(put) == R"({"ok":"j"})");
    run([&]() -> asio::awaitable<void> {
        server("CLIENT", "PAUSE", 60'000, "WRITE");
        program.write(put);
        co_await eventually("the command is held back",
                            [&] { return server.raw().info("clients", "blocked_clients") == "1"; });
        server("CLIENT", "KILL", "TYPE", "pubsub"); // every client is subscribed to something
        const auto answer = program.read();
        BOOST_TEST(answer.starts_with(R"({"err":")"));
        BOOST_TEST(answer.find(make_error_code(errc::in_doubt).message()) != answer.npos, answer);
        server("CLIENT", "UNPAUSE");
    });
    BOOST_TEST(program.ask(put) == R"({"ok":"j"})");
    BOOST_TEST(program.finish() == 0);
}

BOOST_FIXTURE_TEST_CASE(tells_of_a_server_that_is_away_and_goes_on_when_it_is_back, redis_test)
{
    server.kill();
    piped_program program{qless_test::command_line(server)};
    BOOST_TEST(program.ask(put).starts_with(R"({"err":")"));
    server.restart();
    BOOST_TEST(program.ask(put) == R"({"ok":"j"})");
    BOOST_TEST(program.finish() == 0);
}

BOOST_AUTO_TEST_CASE(refuses_a_url_that_cannot_be_used)
{
    piped_program program{{COWORKER_PROGRAM, "qless", "--redis", "nonsense"}};
    BOOST_TEST(program.finish() == 2);
}

BOOST_AUTO_TEST_SUITE_END()
