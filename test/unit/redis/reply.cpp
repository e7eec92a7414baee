// SPDX-License-Identifier: MIT
#include "redis/reply.hpp"

#include "support/crafted_reply.hpp"
#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(reply)

using coworker::errc;
using coworker::detail::reply;
using coworker::detail::says_read_only;
using coworker::test::crafted_reply;
using coworker::test::error_in;

BOOST_AUTO_TEST_CASE(reads_scalars_and_flat_arrays)
{
    const auto answers = crafted_reply("+OK\r\n:5\r\n*3\r\n$1\r\na\r\n:7\r\n_\r\n$0\r\n\r\n_\r\n");
    BOOST_TEST(answers[0].text() == "OK");
    BOOST_TEST(answers[1].integer() == 5);
    BOOST_TEST(answers[1].size() == 0u);
    BOOST_TEST(answers[2].size() == 3u);
    BOOST_TEST(answers[2][0] == "a");
    BOOST_TEST(answers[2].integer(1) == 7);
    BOOST_TEST(answers[2].integer(2) == 0); // null
    BOOST_TEST(answers[3].text() == "");
    BOOST_TEST(answers[4].is_null());
    BOOST_TEST(answers.back().is_null());
}

BOOST_AUTO_TEST_CASE(reads_the_parts_of_nested_arrays)
{
    const auto answers = crafted_reply("*4\r\n$1\r\na\r\n*2\r\n:1\r\n:2\r\n*0\r\n$1\r\nb\r\n");
    const auto whole = answers[0];
    BOOST_TEST(reply::part(whole, 0).text() == "a");
    BOOST_TEST(reply::part(whole, 1).size() == 2u);
    BOOST_TEST(reply::part(whole, 1).integer(1) == 2);
    BOOST_TEST(reply::part(whole, 2).size() == 0u);
    BOOST_TEST(reply::part(whole, 3).text() == "b");
    BOOST_TEST(whole.nodes(2).size() == 4u);
    BOOST_TEST(whole.nodes(6).empty());
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_answer_are_refused)
{
    const std::string deep = "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n";
    for (const std::string bytes : {"\r\n", "$\r\n", "!\r\n", "=\r\n", ";0\r\n", ";\r\n", "#\r\n", "#x\r\n",
                                    ":\r\n", "*\r\n", "*-1\r\n", "$18446744073709551615\r\na\r\n",
                                    "*18446744073709551615\r\n", "%9223372036854775808\r\n", "x\r\n"}) {
        BOOST_CHECK_THROW(crafted_reply(bytes), std::invalid_argument);
        BOOST_CHECK_THROW(crafted_reply("*2\r\n+a\r\n" + bytes), std::invalid_argument);
    }
    for (const std::string bytes : {"$?\r\n", "*1\r\n", "%1\r\n"})
        BOOST_CHECK_THROW(crafted_reply(deep + bytes), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_text_may_come_in_parts)
{
    const auto answers = crafted_reply("$?\r\n;2\r\nab\r\n;1\r\nc\r\n;0\r\n+OK\r\n");
    BOOST_TEST(answers.back().text() == "OK");
}

/// Calls everything that reads an answer, with places within it and beyond.
void read_in_every_way(const reply& answers)
{
    const auto quietly = [](auto read) {
        const auto error = error_in(read);
        BOOST_TEST((!error.code || error == errc::unexpected_answer), error);
    };
    constexpr std::array<std::size_t, 7> places{0, 1, 2, 3, 5, 100, SIZE_MAX};
    const auto read_answer = [&](const reply::answer& answer) {
        quietly([&] { (void)answer.text(); });
        quietly([&] { (void)answer.integer(); });
        for (const auto i : places) {
            quietly([&] { (void)answer[i]; });
            quietly([&] { (void)answer.integer(i); });
            quietly([&] { (void)answer.node(i); });
            quietly([&] { (void)answer.position(i, 3); });
            quietly([&] {
                for (const auto& node : answer.nodes(i))
                    BOOST_TEST(node.value.size() < 100u);
            });
            quietly([&] {
                const auto part = reply::part(answer, i);
                for (std::size_t k = 0; k != part.size(); ++k)
                    (void)part.node(k);
            });
        }
    };
    for (const auto i : places)
        quietly([&] { read_answer(answers[i]); });
    quietly([&] { read_answer(answers.back()); });
}

BOOST_AUTO_TEST_CASE(never_reads_beyond_an_answer_of_another_shape)
{
    for (const char* bytes :
         {"", "+OK\r\n", ":1\r\n", "_\r\n", "*0\r\n", "%0\r\n", "*1\r\n*0\r\n", "*1\r\n*1\r\n*1\r\n:1\r\n",
          "*2\r\n:1\r\n*2\r\n:1\r\n:2\r\n", "%1\r\n$1\r\na\r\n*2\r\n:1\r\n:2\r\n", "-ERR no\r\n",
          "~1\r\n:9\r\n", ":1\r\n*2\r\n:1\r\n:2\r\n", "#t\r\n", ",1.5\r\n", "*3\r\n:0\r\n:4\r\n:-1\r\n"})
        BOOST_TEST_CONTEXT(bytes)
        {
            read_in_every_way(crafted_reply(bytes));
        }
}

BOOST_AUTO_TEST_CASE(says_what_is_wrong_with_the_shape)
{
    const auto scalar = crafted_reply(":1\r\n");
    BOOST_TEST(error_in([&] { (void)scalar[0][0]; }) == errc::unexpected_answer);
    BOOST_TEST(error_in([&] { (void)scalar[1]; }) == errc::unexpected_answer);
    BOOST_TEST(error_in([&] { (void)reply::part(scalar[0], 0); }) == errc::unexpected_answer);
    const auto list = crafted_reply("*2\r\n:1\r\n*0\r\n");
    const auto error = error_in([&] { (void)list[0][1]; });
    BOOST_TEST(error == errc::unexpected_answer);
    BOOST_TEST(error.says("a list where a value was expected"), error);
    BOOST_TEST(error_in([&] { (void)list[0].text(); }) == errc::unexpected_answer);
    BOOST_TEST(error_in([&] { (void)crafted_reply("").back(); }) == errc::unexpected_answer);
}

BOOST_AUTO_TEST_CASE(checks_positions_before_they_are_used_as_indexes)
{
    const auto list = crafted_reply("*4\r\n:1\r\n:3\r\n:0\r\n:-9223372036854775808\r\n");
    BOOST_TEST(list[0].position(0, 3) == 0u);
    BOOST_TEST(list[0].position(1, 3) == 2u);
    BOOST_TEST(error_in([&] { (void)list[0].position(1, 2); }) == errc::unexpected_answer);
    BOOST_TEST(error_in([&] { (void)list[0].position(2, 3); }) == errc::unexpected_answer);
    BOOST_TEST(error_in([&] { (void)list[0].position(3, 3); }) == errc::unexpected_answer);
}

BOOST_AUTO_TEST_CASE(knows_the_errors_of_a_server_that_accepts_no_writes)
{
    BOOST_TEST(says_read_only("READONLY You can't write against a read only replica."));
    BOOST_TEST(says_read_only(
        "READONLY You can't write against a read only replica. script: 2bd5, on @user_script:1."));
    BOOST_TEST(says_read_only("NOREPLICAS Not enough good replicas to write."));
    BOOST_TEST(!says_read_only("READONLYNESS"));
    BOOST_TEST(!says_read_only("ERR the job READONLY is not there")); // what a job is called must not matter
    BOOST_TEST(!says_read_only("-READONLY"));
    BOOST_TEST(!says_read_only(""));
}

BOOST_AUTO_TEST_CASE(tells_a_refusal_of_everything_from_one_of_a_part)
{
    constexpr auto refusal = "-READONLY You can't write.\r\n";
    const auto all = crafted_reply(refusal + std::string{refusal});
    BOOST_TEST(all.is_refused_as_read_only());
    BOOST_TEST(all.read_only_refusal() == "READONLY You can't write.");
    BOOST_TEST(error_in([&] { all.throw_if_error(); }) == errc::read_only_server);
    const auto part = crafted_reply("+OK\r\n" + std::string{refusal});
    BOOST_TEST(!part.is_refused_as_read_only());
    BOOST_TEST(part.read_only_refusal() == "READONLY You can't write.");
    const auto none = crafted_reply("+READONLY\r\n-ERR no\r\n");
    BOOST_TEST(!none.is_refused_as_read_only());
    BOOST_TEST(none.read_only_refusal() == "");
    BOOST_TEST(!crafted_reply("").is_refused_as_read_only());
}

BOOST_AUTO_TEST_SUITE_END()
