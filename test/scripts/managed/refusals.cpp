// SPDX-License-Identifier: MIT

// Runs refusals.table: a case for each script, which makes all its calls.
#include "table.hpp"
#include "table_run.hpp"

#include "redis/script.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

namespace coworker::test {
namespace {

namespace ut = boost::unit_test;

const std::string refusals_file = std::string{MANAGED_TABLES} + "/refusals.table";

table_row parse_refusal(const std::string& text, std::size_t line)
{
    auto row = parse_row(text, line);
    if (!row.reply.starts_with("raised: "))
        row.reply = "error: " + row.reply;
    return row;
}

/// `section` is where the line stands: empty, `given:` or `refused:`.
void add_line(std::vector<refusal_group>& groups, std::string& section, const std::string& text,
              std::size_t line)
{
    if (text.empty() || text.find_first_not_of(' ') == text.find('#')) {
        section = text.empty() ? "" : section;
    } else if (text == "given:" || (text == "refused:" && section.empty())) {
        if (!section.empty())
            throw std::runtime_error{"no empty line in front of " + text};
        groups.emplace_back();
        section = text;
    } else if (text == "refused:") {
        section = text;
    } else if (!text.starts_with("  ") || section.empty()) {
        throw std::runtime_error{"outside of a section: " + text};
    } else if (section == "given:") {
        groups.back().given.push_back(parse_call(text.substr(2)));
    } else {
        groups.back().refusals.push_back(parse_refusal(text.substr(2), line));
    }
}

/// All calls of a script in the state of a group, which they leave as it is.
void run(const refusal_group& group, const std::string& script)
{
    std::unique_ptr<table_run> run;
    database before;
    for (const auto& each : group.refusals) {
        if (each.call.name != script)
            continue;
        if (!run) {
            run = std::make_unique<table_run>(group.given);
            before = run->state();
        }
        const bool fits = run->call(each, before);
        BOOST_CHECK_MESSAGE(fits, refusals_file + ":" + std::to_string(each.line) << run->difference());
        if (!fits)
            run.reset(); // the next call finds the state that it was written for
    }
}

std::set<std::string> scripts_of(const std::vector<refusal_group>& groups)
{
    std::set<std::string> scripts;
    for (const auto& group : groups)
        for (const auto& each : group.refusals)
            scripts.insert(each.call.name);
    return scripts;
}

ut::test_suite* make_suite()
{
    auto* suite = new ut::test_suite{"refusals", refusals_file, 1}; // Boost.Test deletes it
    try {
        const auto groups = read_refusals(refusals_file);
        for (const auto& script : scripts_of(groups)) {
            const auto all = [groups, script] {
                for (const auto& group : groups)
                    run(group, script);
            };
            suite->add(ut::make_test_case(all, script, refusals_file, 1));
        }
    } catch (const std::exception& error) {
        const std::string what = error.what();
        suite->add(ut::make_test_case([what] { BOOST_FAIL(what); }, "is_readable", refusals_file, 1));
    }
    return suite;
}

/// Before main, as Boost.Test's own macros do it.
const bool refusals_registered = [] {
    ut::framework::current_auto_test_suite().add(make_suite());
    return true;
}();

} // namespace

std::vector<refusal_group> read_refusals(const std::string& name)
{
    std::ifstream lines{name};
    if (!lines)
        throw std::runtime_error{name + ": cannot be read"};
    std::vector<refusal_group> groups;
    std::string section;
    std::size_t number = 0;
    try {
        for (std::string line; std::getline(lines, line);)
            add_line(groups, section, line, ++number);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error{name + ':' + std::to_string(number) + ": " + error.what()};
    }
    return groups;
}

} // namespace coworker::test

BOOST_AUTO_TEST_SUITE(every_script)

using namespace coworker::test;

namespace {

/// Makes this call of every script on an empty server.
void check_refusal(const std::vector<std::string>& arguments, const std::string& error)
{
    for (const auto& script : coworker::detail::embedded_scripts()) {
        if (!script.name.starts_with("managed/"))
            continue;
        const std::string name{script.name.substr(8)};
        table_run run{{}};
        BOOST_CHECK_MESSAGE(run.call({0, {name, arguments}, "error: " + error}, {}),
                            name << run.difference());
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(refuses_a_missing_time)
{
    check_refusal({}, "bad argument #1 to 'tonumber' (value expected)");
}

BOOST_AUTO_TEST_CASE(refuses_a_time_that_is_no_number)
{
    check_refusal({"soon"}, "Arg \"now\" missing or not a number: nil");
}

BOOST_AUTO_TEST_SUITE_END()
