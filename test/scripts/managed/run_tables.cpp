// SPDX-License-Identifier: MIT

// Runs the tables of this folder: a suite for every `.test` file, a case for every test in it.
#include "comparison.hpp"
#include "managed_redis.hpp"
#include "named_steps.hpp"
#include "table.hpp"
#include "table_run.hpp"

#include "redis/script.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace coworker::test {
namespace {

namespace ut = boost::unit_test;

std::ifstream opened(const std::string& file)
{
    std::ifstream lines{file};
    if (!lines)
        throw std::runtime_error{file + ": cannot be read"};
    return lines;
}

named_steps& steps()
{
    static auto all = [] {
        const std::string file = std::string{MANAGED_TABLES} + "/steps.table";
        auto lines = opened(file);
        return named_steps{lines, file};
    }();
    return all;
}

void run_once(const table_test& test)
{
    table_run run{test.given};
    const auto before = run.state();
    const auto place = [&](const table_row& row) { return test.file + ':' + std::to_string(row.line); };
    for (const auto& row : test.answers)
        if (!run.call(row, before)) {
            BOOST_ERROR(place(row) << run.difference());
            return; // what follows would not find the state that it was written for
        }
    if (!test.when.call.name.empty())
        BOOST_CHECK_MESSAGE(run.call(test.when, before, test.outcome), place(test.when) << run.difference());
}

bool uses_short_way(const std::vector<table_call>& calls)
{
    return std::any_of(calls.begin(), calls.end(), [](const auto& call) {
        return !call.is_command() && managed_redis::has_short_way(call.name);
    });
}

/// Where a script has a short way, once without it.
void run(const table_test& test)
{
    run_once(test);
    auto calls = test.given;
    for (const auto& row : test.answers)
        calls.push_back(row.call);
    if (!test.when.call.name.empty())
        calls.push_back(test.when.call);
    if (!uses_short_way(calls))
        return;
    managed_redis::are_short_ways_barred = true;
    BOOST_TEST_CONTEXT("without the short way")
    {
        run_once(test);
    }
    managed_redis::are_short_ways_barred = false;
}

ut::test_suite* make_suite(const std::filesystem::path& file)
{
    auto* suite = new ut::test_suite{file.stem().string(), file.string(), 1}; // Boost.Test deletes it
    try {
        auto lines = opened(file.string());
        for (const auto& test : read_table(lines, file.string(), steps()))
            suite->add(ut::make_test_case([test] { run(test); }, test.name, test.file, test.line));
    } catch (const std::exception& error) {
        const std::string what = error.what();
        suite->add(ut::make_test_case([what] { BOOST_FAIL(what); }, "is_readable", file.string(), 1));
    }
    return suite;
}

/// Before main, as Boost.Test's own macros do it.
const bool registered = [] {
    for (const auto& entry : std::filesystem::directory_iterator{MANAGED_TABLES})
        if (entry.path().extension() == ".test")
            ut::framework::current_auto_test_suite().add(make_suite(entry.path()));
    return true;
}();

} // namespace
} // namespace coworker::test

BOOST_AUTO_TEST_SUITE(tables)

BOOST_AUTO_TEST_CASE(exist_for_every_script)
{
    for (const auto& script : coworker::detail::embedded_scripts())
        if (script.name.starts_with("managed/")) {
            const std::string file = std::string{script.name.substr(8)} + ".test";
            BOOST_TEST(std::filesystem::exists(std::filesystem::path{MANAGED_TABLES} / file), file);
        }
}

BOOST_AUTO_TEST_CASE(use_every_step)
{
    for (const auto& place : coworker::test::steps().unused())
        BOOST_ERROR(place << " is used in no table");
}

BOOST_AUTO_TEST_SUITE_END()
