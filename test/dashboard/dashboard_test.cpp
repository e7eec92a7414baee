// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

#include <filesystem>
#include <iostream>
#include <utility>

namespace coworker::test {
namespace {

browser& shared_browser()
{
    static browser shared;
    return shared;
}

} // namespace

boost::test_tools::assertion_result has_browser(boost::unit_test::test_unit_id)
{
    const bool is_there = browser_programs::find().are_there();
    static bool has_told = false;
    if (!is_there && !std::exchange(has_told, true))
        std::cerr
            << "Skipped: there is no chromium, or no chromedriver; 'scripts/setup --tests' installs them.\n";
    return is_there;
}

dashboard_test::dashboard_test() : qless_client{redis}, page{shared_browser()}
{
    std::filesystem::create_directories(SCREENSHOTS);
    page.set_size(1280, 900);
    page.set_colours("light");
    (void)page.errors();
}

dashboard_test::~dashboard_test()
{
    try {
        page.go("about:blank"); // it asks for nothing any more
    } catch (const std::exception& error) {
        BOOST_TEST_MESSAGE(error.what());
    }
}

void dashboard_test::start(const std::vector<std::string>& options)
{
    gateway.reset();
    std::vector<std::string> words{"sh",
                                   "-c",
                                   "exec \"$@\" 2>/dev/null",
                                   "sh",
                                   "env",
                                   "-u",
                                   "COWORKER_TOKEN",
                                   COWORKER_PROGRAM,
                                   "gateway",
                                   "--redis",
                                   other_url.empty() ? redis.url() : other_url};
    words.insert(words.end(),
                 {"--listen", place.empty() ? "127.0.0.1:0" : place.substr(place.find("//") + 2)});
    words.insert(words.end(), options.begin(), options.end());
    gateway = std::make_unique<piped_program>(words);
    const auto line = gateway->read();
    BOOST_REQUIRE(line.starts_with("Listening on http"));
    place = line.substr(line.find("http"));
}

void dashboard_test::open(const std::string& view, const std::string& heading)
{
    page.go(place + query + "#/" + view);
    wait_for_heading(heading);
}

void dashboard_test::wait_for_heading(const std::string& heading)
{
    page.until("there is the heading " + heading,
               "return document.querySelector('main h1')?.textContent === arguments[0] &&"
               "  !document.querySelector('main').hasAttribute('aria-busy')",
               {heading});
}

void dashboard_test::wait_for_result(const std::string& text)
{
    page.until("it says " + text,
               "return document.querySelector('[role=status]').textContent.includes(arguments[0])", {text});
}

void dashboard_test::wait_for_text(const std::string& text)
{
    page.until("there is the text " + text, "return document.body.innerText.includes(arguments[0])", {text});
}

bool dashboard_test::shows(const std::string& text)
{
    return page.run("return document.body.innerText.includes(arguments[0])", {text}).as_bool();
}

void dashboard_test::expect_no_errors()
{
    for (const auto& error : page.errors())
        BOOST_ERROR(error);
}

void dashboard_test::fail_jobs(const std::string& queue, int count)
{
    know(queue);
    for (int i = 0; i != count; ++i) {
        const auto number = std::to_string(i);
        const auto payload = "[\"id-" + number + "\",{\"n\":" + number + "}]";
        redis("LPUSH", "hworker-failed-" + queue, payload);
        redis("HSET", "hworker-failures-" + queue, payload,
              R"("2026-11-21T09:54:29.000000000000Z" 3 it broke at step )" + number);
    }
}

void dashboard_test::push(const std::string& queue, const std::string& payload)
{
    know(queue);
    redis("LPUSH", "hworker-jobs-" + queue, payload);
}

} // namespace coworker::test
