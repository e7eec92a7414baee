// SPDX-License-Identifier: MIT
#pragma once

#include "browser.hpp"
#include "support/qless_client.hpp"
#include "support/redis_server.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <vector>

namespace coworker::test {

/// For suites: skips them where there is no browser.
boost::test_tools::assertion_result has_browser(boost::unit_test::test_unit_id);

/// Redis, `coworker gateway` on it, and a browser, which all tests of a program share.
struct dashboard_test : qless_client
{
    redis_server redis;
    std::string other_url{}; ///< of what the gateway works on instead
    browser& page;
    std::unique_ptr<piped_program> gateway;
    std::string place; ///< the gateway's URL, without a slash at its end
    /// Of the page's address: it looks more often than it does for people.
    std::string query = "/?interval=0.25";

    dashboard_test();
    ~dashboard_test();

    /// Starts the gateway, again at the same port if it ran before.
    void start(const std::vector<std::string>& options = {});

    /// Opens a view, and waits until it has data and this heading.
    void open(const std::string& view, const std::string& heading);
    void wait_for_heading(const std::string& heading);
    /// Waits until the page tells what came of an action.
    void wait_for_result(const std::string& text);
    void wait_for_text(const std::string& text);

    bool shows(const std::string& text);
    /// Nothing went wrong in the page so far.
    void expect_no_errors();
    void screenshot(const std::string& name)
    {
        page.save_screenshot(std::string{SCREENSHOTS} + '/' + name + ".png");
    }

    /// Puts failed jobs into a list queue: {"n":0}, {"n":1}, …
    void fail_jobs(const std::string& queue, int count);
    void push(const std::string& queue, const std::string& payload);
    void know(const std::string& queue) { redis("SADD", "hworker-queues", queue); }
    /// A minute of the past as histories have it: the second in which it began.
    std::string minutes_ago(int count)
    {
        const auto now = std::stoll(redis("TIME").texts().at(0));
        return std::to_string(now - now % 60 - 60 * count);
    }
    std::int64_t length(const std::string& key) { return redis("LLEN", key).integer; }
};

} // namespace coworker::test
