// SPDX-License-Identifier: MIT
#pragma once

#include "dashboard_test.hpp"

namespace coworker::test {

/// The forms of schedules and limits.
struct steering_test : dashboard_test
{
    /// Runs `coworker` to its end.
    void run_program(std::vector<std::string> words)
    {
        words.insert(words.begin(), COWORKER_PROGRAM);
        words.insert(words.end(), {"--redis", redis.url()});
        piped_program program{words};
        BOOST_TEST(program.finish() == 0);
    }

    /// Types into a field of a form, in place of what stands there.
    void fill(const std::string& name, const std::string& text)
    {
        page.run("document.querySelector(`main form [name=${arguments[0]}]`).value = ''", {name});
        page.type("//main//form//*[@name='" + name + "']", text);
    }

    std::string field_of(const std::string& name)
    {
        const auto value = page.run(
            "return document.querySelector(`main details.push [name=${arguments[0]}]`).value", {name});
        return std::string{value.as_string()};
    }

    std::string of_schedule(const std::string& name, const std::string& member)
    {
        return redis("HGET", "ql:coworker:schedule:" + name, member).text;
    }

    void screenshot_of_form(const std::string& name)
    {
        page.run("document.querySelector('.push[open]').scrollIntoView({block: 'center'});"
                 "document.querySelector('#result').classList.remove('shown')");
        screenshot(name);
    }

    void expect_narrow()
    {
        page.set_size(360, 800);
        BOOST_TEST(page.run("return document.documentElement.scrollWidth").as_int64() <= 360);
        const auto widest = page.run("return Math.max(...[...document.querySelectorAll('.push[open] *')]"
                                     "  .map((one) => one.getBoundingClientRect().right))");
        BOOST_TEST(widest.to_number<double>() <= 360);
    }

    std::string cell(int column)
    {
        const auto text =
            page.run("return document.querySelector('tbody tr').cells[arguments[0]].innerText", {column});
        return std::string{text.as_string()};
    }
};

} // namespace coworker::test
