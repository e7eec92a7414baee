// SPDX-License-Identifier: MIT
#include "exec/output_lines.hpp"

#include "program/service/output_object.hpp"

#include "work_test.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <poll.h>
#include <sstream>

BOOST_AUTO_TEST_SUITE(output_lines)

using coworker::exec::output_lines;

namespace {

constexpr const char* about = R"({"queue":"mail","job_id":"j1","attempt":2})";

/// The messages of lines that all have to be objects about the job.
std::vector<std::string> messages_of(const std::string& shown)
{
    std::vector<std::string> messages;
    std::istringstream text{shown};
    for (std::string line; std::getline(text, line);) {
        BOOST_TEST(line.size() < 4096u);
        const auto object = boost::json::parse(line).as_object();
        BOOST_TEST(object.at("event").as_string() == "output");
        BOOST_TEST(object.at("job_id").as_string() == "j1");
        BOOST_TEST(object.at("queue").as_string() == "mail");
        BOOST_TEST(object.at("attempt").as_int64() == 2);
        messages.emplace_back(object.at("message").as_string());
    }
    return messages;
}

} // namespace

BOOST_AUTO_TEST_CASE(text_stays_as_it_is_without_a_job)
{
    output_lines lines{"", coworker::program::output_object};
    BOOST_TEST(lines.add("a\xff\nb") == "a\xff\nb");
    BOOST_TEST(lines.end() == "");
}

BOOST_AUTO_TEST_CASE(each_line_becomes_an_object)
{
    output_lines lines{about, coworker::program::output_object};
    auto shown = lines.add("fir");
    BOOST_TEST(shown == "");
    shown += lines.add("st\r\n\nsecond \"quoted\"\nthi");
    shown += lines.add("rd");
    shown += lines.end();
    const std::vector<std::string> expected{"first", "", "second \"quoted\"", "third"};
    BOOST_TEST(messages_of(shown) == expected, boost::test_tools::per_element());
    BOOST_TEST(lines.end() == "");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_do_no_harm)
{
    output_lines lines{about, coworker::program::output_object};
    const auto messages = messages_of(lines.add("caf\xe9 \x1b[2J\n\x1b\xc3\xa9\n"));
    BOOST_TEST_REQUIRE(messages.size() == 2u);
    BOOST_TEST(messages[0] == "caf\\xe9 \\x1b[2J");
    BOOST_TEST(messages[1] == "\x1b\xc3\xa9");
}

BOOST_AUTO_TEST_CASE(a_line_that_is_too_long_becomes_several)
{
    for (const std::string letter : {"x", "\xc3\xa9", "\x01", "\xff", "\xf0\x9f\x98\x80"}) {
        output_lines lines{about, coworker::program::output_object};
        std::string text, shown;
        for (int i = 0; i != 5000; ++i)
            text += letter;
        for (std::size_t i = 0; i < text.size(); i += 777)
            shown += lines.add(std::string_view{text}.substr(i, 777));
        shown += lines.add("\n");
        std::string together;
        for (const auto& message : messages_of(shown))
            together += message;
        if (letter == "\xff")
            BOOST_TEST(together.size() == 4 * text.size());
        else
            BOOST_TEST(together == text);
    }
}

BOOST_AUTO_TEST_CASE(a_loss_is_told_as_everything_is)
{
    BOOST_TEST(
        output_lines("", coworker::program::output_object).describe_loss(7).starts_with("coworker: 7 bytes"));
    BOOST_TEST(messages_of(output_lines(about, coworker::program::output_object).describe_loss(7))
                   .at(0)
                   .starts_with("7 bytes"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(command_output, coworker::test::work_test)

using namespace coworker::test;

BOOST_AUTO_TEST_CASE(a_log_of_objects_has_nothing_but_objects)
{
    push({"mail", "--id-field", "id"}, R"({"id":"first"})");
    running_program worker{work({"mail", "--log-format", "json", "--fail-on", "3"},
                                R"(cat > /dev/null; printf 'one\n\377 two\nend' >&2; exit 3)")};
    std::vector<std::string> messages;
    for (bool has_failed = false; !has_failed;) {
        const auto line = boost::json::parse(worker.wait_for("")).as_object();
        has_failed = line.at("event").as_string() == "failed";
        if (line.at("event").as_string() != "output")
            continue;
        BOOST_TEST(line.at("queue").as_string() == "mail");
        BOOST_TEST(line.at("job_id").as_string() == "first");
        BOOST_TEST(line.at("attempt").as_int64() == 1);
        messages.emplace_back(line.at("message").as_string());
    }
    const std::vector<std::string> expected{"one", "\\xff two", "end"};
    BOOST_TEST(messages == expected, boost::test_tools::per_element());
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(a_command_whose_output_nobody_reads_comes_to_its_end)
{
    push({"mail"}, "1\n");
    const auto path = sandboxes.file("ended");
    BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    const int ended = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    gate gate;
    running_program worker{
        work({"mail"}, "head -c 1000000 /dev/zero | tr '\\0' 'x' | fold -w 99 >&2; printf x > " + path +
                           "; " + gate.wait())};
    BOOST_REQUIRE(worker.make_pipe_small());
    pollfd file{ended, POLLIN, 0};
    BOOST_TEST(::poll(&file, 1, 60'000) == 1);
    ::close(ended);
    worker.wait_for("were dropped, since nobody read them");
    BOOST_TEST(gate.let_pass(1));
    worker.wait_for("succeeded");
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_SUITE_END()
