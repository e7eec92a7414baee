// SPDX-License-Identifier: MIT
#include "program/service/log_format.hpp"

#include "finished_program.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(log_formats)

using namespace coworker;
using namespace coworker::program;
using namespace std::chrono_literals;

namespace {

const std::chrono::system_clock::time_point noon{std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} +
                                                 12h};

event failed_job()
{
    return {.kind = event_kind::failed,
            .queue = "mail",
            .job_id = "j1",
            .message = "no such address",
            .attempt = 3,
            .duration = 12'345'678ns};
}

const std::string hostile = "\x1b[2J\n{\"}\\ \xff\xc2\x9b\xe2\x80\xae=";

} // namespace

BOOST_AUTO_TEST_CASE(writes_for_people)
{
    BOOST_TEST(
        human_log_line(failed_job(), noon, false) ==
        "2026-11-21T12:00:00.000Z warning failed queue=mail job=j1 attempt=3 ms=12.346 message=\"no such "
        "address\"");
    const event retried{.kind = event_kind::retried, .queue = "mail", .delay = 1500ms};
    BOOST_TEST(human_log_line(retried, noon + 7ms, false) ==
               "2026-11-21T12:00:00.007Z info    retried queue=mail retry_in_ms=1500");
    BOOST_TEST(human_log_line(retried, noon, true).find("\x1b[32minfo   \x1b[0m") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(writes_objects)
{
    BOOST_TEST(json_log_line(failed_job(), noon) ==
               R"({"time":"2026-11-21T12:00:00.000Z","level":"warning","event":"failed","queue":"mail",)"
               R"("job_id":"j1","attempt":3,"duration_seconds":0.012345678,"message":"no such address"})");
    const event taken{.kind = event_kind::fetched, .queue = "mail", .count = 7};
    BOOST_TEST(
        json_log_line(taken, noon) ==
        R"({"time":"2026-11-21T12:00:00.000Z","level":"trace","event":"fetched","queue":"mail","count":7})");
}

BOOST_AUTO_TEST_CASE(no_text_steers_a_terminal_or_ends_a_line)
{
    const event what{.kind = event_kind::failed, .queue = hostile, .job_id = hostile, .message = hostile};
    for (const auto& line : {human_log_line(what, noon, false), json_log_line(what, noon)}) {
        for (const char letter : line)
            BOOST_TEST(static_cast<unsigned char>(letter) >= 0x20);
        for (const auto* bytes : {"\x7f", "\xff", "\xc2\x9b"})
            BOOST_TEST(line.find(bytes) == line.npos);
    }
    const auto line = boost::json::parse(json_log_line(what, noon)).as_object();
    BOOST_TEST(line.at("message_hex").as_string().starts_with("1b5b324a0a"));
    const event utf8{.kind = event_kind::warning, .message = "\x1b\n\"\\ü"};
    BOOST_TEST(boost::json::parse(json_log_line(utf8, noon)).at("message").as_string() == "\x1b\n\"\\ü");
}

BOOST_AUTO_TEST_CASE(every_event_has_a_level)
{
    for (int kind = 0; kind <= static_cast<int>(event_kind::stopped); ++kind)
        BOOST_TEST(!to_string(level_of(static_cast<event_kind>(kind))).empty());
    BOOST_TEST((level_of(event_kind::ack_failed) == log_level::error));
    BOOST_TEST((level_of(event_kind::started) == log_level::trace));
}

BOOST_AUTO_TEST_CASE(refuses_formats_and_levels_that_there_are_not)
{
    using coworker::test::run_coworker;
    for (const auto* option : {"--log-format=xml", "--log-level=loud"})
        BOOST_TEST(run_coworker({"monitor", "mail", option}).code == 2, option);
}

BOOST_AUTO_TEST_SUITE_END()
