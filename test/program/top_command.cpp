#include "program/commands/top_frame.hpp"
#include "program/terminal/terminal_screen.hpp"
#include "program_test.hpp"
#include "terminal_program.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <csignal>

BOOST_AUTO_TEST_SUITE(top_command)

using namespace coworker::test;
using namespace coworker::cli;
using namespace std::chrono_literals;

namespace {

const std::string other_screen = "\x1b[?1049h", former_screen = "\x1b[?1049l", shown_cursor = "\x1b[?25h";

queue_look look_of(std::string name, std::uint64_t waiting, std::uint64_t succeeded)
{
    queue_look look;
    look.queue = {false, std::move(name)};
    look.waiting = waiting;
    look.total_succeeded = succeeded;
    return look;
}

struct terminal_test : program_test
{
    terminal_program top(std::vector<std::string> arguments = {})
    {
        arguments.insert(arguments.begin(), "top");
        return {arguments, {"COWORKER_REDIS=" + server.url()}};
    }
};

void expect_restored(const terminal_program& program, const std::string& rest)
{
    BOOST_TEST(rest.find(former_screen) != rest.npos);
    BOOST_TEST(rest.find(shown_cursor) != rest.npos);
    BOOST_TEST(!program.is_raw());
}

} // namespace

BOOST_FIXTURE_TEST_CASE(writes_a_snapshot_for_each_look, program_test)
{
    push({"mail"}, "1\n2\n");
    put("a", "k");
    const auto result = coworker({"top", "--count", "2", "--interval", "100ms"});
    BOOST_TEST(result.code == 0);
    BOOST_TEST(result.errors == "");
    BOOST_TEST(result.output.find('\x1b') == std::string::npos);
    BOOST_TEST_REQUIRE(result.lines().size() == 10);
    BOOST_TEST(result.lines()[2].starts_with("mail "));
    BOOST_TEST(result.lines()[3].starts_with("managed:mail "));
    BOOST_TEST(result.lines()[5].starts_with("coworker top  "));
}

BOOST_FIXTURE_TEST_CASE(writes_an_object_for_each_queue, program_test)
{
    push({"mail"}, "1\n2\n");
    push({"other\x1b"}, "1\n");
    const auto result = coworker({"top", "--count", "2", "--interval", "100ms", "--json", "mail"});
    BOOST_TEST_REQUIRE(result.lines().size() == 2);
    const auto first = boost::json::parse(result.lines()[0]).as_object();
    BOOST_TEST(first.at("queue").as_string() == "mail");
    BOOST_TEST(first.at("waiting").to_number<int>() == 2);
    BOOST_TEST(!first.contains("succeeded_per_second"));
    const auto second = boost::json::parse(result.lines()[1]).as_object();
    BOOST_TEST(second.at("succeeded_per_second").to_number<double>() == 0);
    BOOST_TEST(coworker({"top", "--count", "1", "--json"}).lines().size() == 2);
    BOOST_TEST(coworker({"top", "--count", "1"}).says("other\\x1b"));
}

BOOST_FIXTURE_TEST_CASE(refuses_what_makes_no_sense, program_test)
{
    BOOST_TEST(coworker({"top", "nobody", "--count", "1"}).code == 3);
    for (const auto* interval : {"0s", "1ms", "soon", ""})
        BOOST_TEST(coworker({"top", "--count", "1", "--interval", interval}).code == 2);
    BOOST_TEST(coworker({"top", "--count", "-1"}).code == 2);
    BOOST_TEST(coworker({"top", "--count", "1"}).says("There are no queues."));
}

BOOST_FIXTURE_TEST_CASE(draws_on_a_terminal_and_gives_it_back, terminal_test)
{
    push({"mail"}, "1\n2\n");
    auto program = top();
    program.read_until(other_screen);
    program.read_until("mail ");
    program.read_until("q quit");
    BOOST_TEST(program.is_raw());
    program.type("q");
    std::string rest;
    BOOST_TEST(program.finish(rest) == 0);
    expect_restored(program, rest);
}

BOOST_FIXTURE_TEST_CASE(gives_the_terminal_back_at_signals, terminal_test)
{
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
        auto program = top();
        program.read_until("q quit");
        program.signal(number);
        std::string rest;
        BOOST_TEST(program.finish(rest) == 0);
        expect_restored(program, rest);
    }
    auto program = top();
    program.read_until("q quit");
    program.type("\x03");
    std::string rest;
    BOOST_TEST(program.finish(rest) == 0);
    expect_restored(program, rest);
}

BOOST_FIXTURE_TEST_CASE(gives_the_terminal_back_after_the_last_look, terminal_test)
{
    auto program = top({"--count", "1"});
    std::string rest;
    BOOST_TEST(program.finish(rest) == 0);
    expect_restored(program, rest);
    auto refused = top({"nobody"});
    BOOST_TEST(refused.finish(rest) == 3);
    BOOST_TEST(!refused.is_raw());
}

BOOST_FIXTURE_TEST_CASE(gives_the_terminal_back_while_it_is_stopped, terminal_test)
{
    auto program = top({"--interval", "1h"});
    program.read_until("q quit");
    program.signal(SIGTSTP);
    program.read_until(former_screen);
    program.wait_until_stopped();
    BOOST_TEST(!program.is_raw());
    program.signal(SIGCONT);
    program.read_until(other_screen);
    program.read_until("q quit");
    BOOST_TEST(program.is_raw());
}

BOOST_FIXTURE_TEST_CASE(fits_the_window_and_obeys_keys, terminal_test)
{
    push({"apples"}, "1\n");
    push({"pears"}, "1\n2\n");
    auto program = top({"--interval", "1h"});
    program.read_until("apples");
    program.read_until("q quit");
    program.type("\x1b[C"); // by what waits: the most first
    program.read_until("WAITINGv");
    program.read_until("pears");
    program.read_until("apples");
    program.type("r");
    program.read_until("WAITING^");
    program.read_until("apples");
    program.read_until("pears");
    program.resize(40, 4); // a row and three lines around it
    program.read_until("\x1b[H");
    const auto frame = program.read_until("\x1b[J");
    BOOST_TEST(frame.find("apples") != frame.npos);
    BOOST_TEST(frame.find("pears") == frame.npos);
    BOOST_TEST(frame.find("SCHEDULED") == frame.npos);
    program.type("\x1b[B");
    program.read_until("pears");
}

BOOST_FIXTURE_TEST_CASE(goes_on_while_redis_is_away, terminal_test)
{
    auto program = top({"--interval", "100ms"});
    program.read_until("q quit");
    server.kill();
    program.read_until("Redis: ");
    program.type("q");
    std::string rest;
    BOOST_TEST(program.finish(rest) == 0);
    expect_restored(program, rest);
}

BOOST_AUTO_TEST_CASE(tells_rates_from_two_looks)
{
    top_rates rates;
    const std::chrono::steady_clock::time_point start{};
    BOOST_TEST(!rates.update({look_of("a", 10, 5)}, start)[0].succeeded);
    auto later = look_of("a", 8, 15);
    later.total_failed = 2;
    later.total_broken = 2;
    later.total_retried = 6;
    const auto rows = rates.update({later, look_of("new", 0, 7)}, start + 2s);
    BOOST_TEST(*rows[0].succeeded == 5);
    BOOST_TEST(*rows[0].failed == 2);
    BOOST_TEST(*rows[0].retried == 3);
    BOOST_TEST(*rows[0].queued == 6); // 14 ended, and 2 fewer wait
    BOOST_TEST(!rows[1].succeeded);
    // Counters began anew: the queue was made again, or a new day began.
    BOOST_TEST(*rates.update({look_of("a", 8, 4)}, start + 4s)[0].succeeded == 2);
}

BOOST_AUTO_TEST_CASE(keeps_every_line_within_the_window)
{
    top_state state;
    state.rows.resize(50);
    for (auto& row : state.rows) {
        row.look = look_of(std::string(300, 'x') + "\x1b[2J", ~std::uint64_t{0}, 0);
        row.look.failed = ~std::uint64_t{0};
        row.succeeded = 1e300;
    }
    const output out;
    for (std::size_t columns = 1; columns != 140; ++columns)
        for (const std::size_t rows : {1, 2, 3, 4, 24}) {
            const auto lines = draw_frame(state, {columns, rows}, out);
            BOOST_TEST(lines.size() <= rows);
            for (const auto& line : lines) {
                BOOST_TEST(line.find('\x1b') == line.npos);
                std::size_t width = 0;
                for (const char byte : line)
                    width += (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
                BOOST_TEST(width <= columns);
            }
        }
}

BOOST_AUTO_TEST_CASE(reads_keys)
{
    const std::vector<key> expected{key::up, key::down, key::right, key::left, key::page_up, key::quit};
    BOOST_TEST((read_keys("\x1b[A\x1bOB\x1b[C\x1b[D\x1b[5~q") == expected));
    BOOST_TEST((read_keys("\x1b[") == std::vector<key>{key::other}));
    BOOST_TEST((read_keys("\x1b[1;5A") == std::vector<key>{key::other}));
}

BOOST_AUTO_TEST_SUITE_END()
