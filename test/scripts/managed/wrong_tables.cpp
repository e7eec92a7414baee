// SPDX-License-Identifier: MIT

// What is refused in tables and in steps, and what is said where a call did something else.
#include "named_steps.hpp"
#include "table_run.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>
#include <stdexcept>
#include <string>

BOOST_AUTO_TEST_SUITE(wrong_tables)

using namespace coworker::test;

namespace {

const std::string completed = "step: completed JOB at TIME\n"
                              "messages:\n"
                              "  ql:log JOB\n"
                              "changes:\n"
                              "  ql:completed scores {\"JOB\": \"TIME\"}\n";

named_steps read_steps(const std::string& text)
{
    std::istringstream lines{text};
    return {lines, "steps.table"};
}

std::vector<table_test> read(const std::string& text, named_steps& steps)
{
    std::istringstream lines{text};
    return read_table(lines, "x.test", steps);
}

template<class Function>
std::string error_of(Function function)
{
    try {
        function();
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "none";
}

std::string error_in_steps(const std::string& text)
{
    return error_of([&] { read_steps(text); });
}

std::string error_in_table(const std::string& text)
{
    return error_of([&] {
        auto steps = read_steps(completed);
        read(text, steps);
    });
}

} // namespace

BOOST_AUTO_TEST_CASE(a_step_needs_its_words)
{
    BOOST_TEST(error_in_table("test: t\nwhen: length 1 q => 0\nthen: finished a at 1\n") ==
               "x.test:3: no such step: finished a at 1");
    for (const auto* use : {"completed a", "completed a at 1 2", "completed a on 1"})
        BOOST_TEST(error_in_table(std::string{"test: t\nwhen: length 1 q => 0\nthen: "} + use) ==
                   std::string{"x.test:3: no such step: "} + use +
                       "\n  there is completed JOB at TIME in steps.table:1");
    BOOST_TEST(error_in_table("test: t\nwhen: length 1 q => 0\nthen: completed a at 1 | key\n") ==
               "x.test:3: no step has a |: completed a at 1 | key");
}

BOOST_AUTO_TEST_CASE(a_step_uses_its_parameters_and_no_others)
{
    BOOST_TEST(error_in_steps("step: done JOB at TIME\nchanges:\n  JOB none\n") ==
               "steps.table:3: the step does not use TIME");
    BOOST_TEST(error_in_steps("step: done JOB\nchanges:\n  JOB string \"TIME\"\n") ==
               "steps.table:3: no parameter of the step: TIME");
    BOOST_TEST(error_in_steps("step: done JOB\nchanges:\n  JOB\n") ==
               "steps.table:3: not a key, its type and its content: JOB");
}

BOOST_AUTO_TEST_CASE(steps_are_told_apart)
{
    BOOST_TEST(error_in_steps(completed + "\nstep: completed JOB at once\nchanges:\n  JOB none\n") ==
               "steps.table:7: cannot be told from a step above: completed JOB at TIME");
    BOOST_TEST(error_in_steps(completed + "\nstep: completed JOB\nchanges:\n  JOB none\n") == "none");
}

BOOST_AUTO_TEST_CASE(what_nobody_uses_is_named)
{
    auto steps = read_steps(completed + "\nstep: removed JOB\nchanges:\n  JOB none\n");
    read("test: t\nwhen: length 1 q => 0\nthen: completed a at 1\n", steps);
    BOOST_TEST(steps.unused() == std::vector<std::string>{"steps.table:7: removed JOB"},
               boost::test_tools::per_element());
    BOOST_TEST(error_in_table("setup: a waits\n  put 1 w q a k {} 0\n") ==
               "x.test:2: no test uses the setup a waits");
}

BOOST_AUTO_TEST_CASE(sections_have_their_form)
{
    BOOST_TEST(error_in_table("test: t\nwhen:\n") == "x.test:2: unknown section when:");
    BOOST_TEST(error_in_table("test: t\nwhen: length 1 q\n") ==
               "x.test:2: no => behind the call: length 1 q");
    BOOST_TEST(error_in_table("test: t\nthen: completed a at 1\n") == "x.test:2: t has no section when:");
    BOOST_TEST(
        error_in_table("test: t\nwhen: length 1 q => 0\nchanges:\n  a none\nthen: completed a at 1\n") ==
        "x.test:5: then: stands behind messages or changes");
}

BOOST_AUTO_TEST_CASE(a_difference_names_the_lines_that_say_otherwise)
{
    auto steps = read_steps(completed);
    const auto test = read("test: t\n"
                           "when: ZADD ql:completed 5 a => 1\n"
                           "then: completed a at 6\n"
                           "changes:\n"
                           "  ql:completed scores {\"b\": \"7\"}\n",
                           steps)
                          .front();
    table_run run{test.given};
    BOOST_TEST(!run.call(test.when, run.state(), test.outcome));
    BOOST_TEST(run.difference() == "\n the messages:"
                                   "\n  found:    (none)"
                                   "\n  expected: ql:log a"
                                   "\n  in x.test:3, from steps.table:3"
                                   "\n the state:"
                                   "\n  ql:completed:"
                                   "\n  found:    zset [[\"a\",\"5\"]]"
                                   "\n  expected: zset [[\"a\",\"6\"],[\"b\",\"7\"]]"
                                   "\n  in x.test:3, from steps.table:5"
                                   "\n  in x.test:5");
}

BOOST_AUTO_TEST_CASE(a_change_fits_the_state_before)
{
    const auto error = [](const std::string& change) {
        return error_of([&] {
            auto changes = std::vector{parse_change(change)};
            changes[0].place = "x.test:3";
            changed({{"h", "hash {\"f\":\"1\"}"}, {"z", "zset [[\"m\",\"1\"]]"}}, changes);
        });
    };
    BOOST_TEST(error("x none") == "x.test:3: x is not there before the call");
    BOOST_TEST(error("x fields {\"f\": \"1\"}") == "x.test:3: x is no hash before the call");
    BOOST_TEST(error("h scores {\"m\": \"1\"}") == "x.test:3: h is no zset before the call");
    BOOST_TEST(error("h more [\"e\"]") == "x.test:3: h is no list before the call");
    BOOST_TEST(error("z scores {\"n\": null}") == "x.test:3: n is no member before the call");
    BOOST_TEST(error("z scores {\"m\": null}") == "none");
}

BOOST_AUTO_TEST_SUITE_END()
