// SPDX-License-Identifier: MIT
#include "inspect/connections.hpp"
#include "list/partitions.hpp"
#include "managed/managed_source/managed_source.hpp"
#include "redis/lead.hpp"
#include "redis/server_time.hpp"
#include "support/expect.hpp"
#include "support/scripted_connection.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <string>

/// Numbers that Redis would not write. What was answered, or stored, by something else must not do harm.
BOOST_AUTO_TEST_SUITE(hostile_answers)

using namespace coworker;
using namespace coworker::test;
using namespace coworker::detail;
using namespace std::chrono_literals;

namespace {

const std::string most = "9223372036854775807", least = "-9223372036854775808";
const std::string mail = "mail"; // outlives the coroutines that refer to it

std::string texts(std::initializer_list<std::string> words)
{
    auto answer = '*' + std::to_string(words.size()) + "\r\n";
    for (const auto& word : words)
        answer += '$' + std::to_string(word.size()) + "\r\n" + word + "\r\n";
    return answer;
}

/// What a coroutine returns that gets these answers.
template<class Ask>
auto ask(const std::string& answers, Ask what)
{
    brief_context context;
    const auto redis = std::make_shared<scripted_connection>(context.get_executor(), answers);
    std::optional<typename decltype(what(redis))::value_type> result;
    std::exception_ptr error;
    const auto work = [&]() -> asio::awaitable<void> {
        try {
            result = co_await what(redis);
        } catch (...) {
            error = std::current_exception();
        }
    };
    context.run(work());
    if (error)
        std::rethrow_exception(error);
    return result.value();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_clock_shows_a_time_that_can_be_computed_with)
{
    const auto time = [](const std::string& seconds, const std::string& microseconds) {
        return ask(texts({seconds, microseconds}), [](auto redis) { return server_time(*redis); });
    };
    BOOST_TEST((time("5", "7") == timestamp{5s + 7us}));
    BOOST_TEST((time(most, "0") > timestamp{std::chrono::hours{24 * 366 * 10'000}}));
    BOOST_TEST((time(least, least) < timestamp{}));
    BOOST_TEST((time("5", most) <= timestamp{6s}));
}

BOOST_AUTO_TEST_CASE(a_term_ends_within_a_century)
{
    const auto answer = "*2\r\n:" + most + "\r\n:" + most + "\r\n";
    const auto term = ask(answer, [](auto redis) { return take_lead(*redis, mail, mail, mail, 1s); });
    for (const auto time : {term.left, term.soon})
        BOOST_TEST((time > 24h && time < std::chrono::hours{24 * 366 * 101}));
}

BOOST_AUTO_TEST_CASE(a_queue_has_no_more_partitions_than_it_can_have)
{
    const auto count = [](const std::string& number) {
        return ask(':' + number + "\r\n", [](auto redis) { return count_partitions(*redis, mail); });
    };
    BOOST_TEST(count("1024") == 1024u);
    for (const std::string number : {"1025", "-1", "4294967296"})
        BOOST_TEST((error_in([&] { (void)count(number); }) == errc::unexpected_answer), number);
}

BOOST_AUTO_TEST_CASE(a_job_has_used_none_of_more_retries_than_it_had)
{
    const auto job = texts({"60", "1732182000.5", "1", "mail", "{}", "0", least, most, "0", "[]", "{}", ""});
    const auto fetched = ask(job, [](auto redis) -> asio::awaitable<std::vector<fetched_job>> {
        managed_source source{redis, "mail", {}};
        auto result = co_await source.ack_and_fetch({}, 1);
        co_return std::move(result.fetched);
    });
    BOOST_TEST_REQUIRE(fetched.size() == 1u);
    BOOST_TEST(fetched[0].attempt == 1u);
}

BOOST_AUTO_TEST_CASE(no_connection_is_younger_than_now_or_older_than_time)
{
    const timestamp now{1'800'000'000s};
    for (const auto& age : {most, least, std::string{"-5"}}) {
        const auto since = read_connections("addr=a name=w age=" + age + "\n", now).at("w").since;
        BOOST_TEST((since >= timestamp{} && since <= now), age);
    }
}

BOOST_AUTO_TEST_SUITE_END()
