// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

/// Schedules and limits.
BOOST_AUTO_TEST_SUITE(steering, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

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

    std::string cell(int column)
    {
        const auto text =
            page.run("return document.querySelector('tbody tr').cells[arguments[0]].innerText", {column});
        return std::string{text.as_string()};
    }
};

BOOST_FIXTURE_TEST_CASE(shows_schedules_and_runs_one_now, steering_test)
{
    run_program({"schedules", "set", "nightly", "--cron", "30 2 * * *", "--zone", "UTC", "--queue",
                 "managed:reports", "--klass", "Report"});
    start();
    open("schedules", "Schedules");
    BOOST_TEST(cell(0) == "nightly");
    BOOST_TEST(cell(1) == "30 2 * * * UTC");
    BOOST_TEST(cell(2).starts_with("in "), cell(2));
    BOOST_TEST(cell(3) == "never");
    BOOST_TEST(cell(4) == "Report to reports");
    BOOST_TEST(page.run("return document.querySelectorAll('.times li').length").as_int64() == 10);
    page.click("//button[@aria-label='Run now nightly']");
    wait_for_result("nightly was pushed as job nightly@");
    BOOST_TEST(redis("ZCARD", "ql:q:reports-work").integer == 1);
    page.click("//button[@aria-label='Pause nightly']");
    wait_for_result("nightly is paused");
    BOOST_TEST(shows("paused"));
    screenshot("schedules");
    page.click("//button[@aria-label='Resume nightly']");
    wait_for_result("nightly runs again");
    page.click("//button[@aria-label='Delete nightly']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("nightly is deleted");
    wait_for_text("No schedule is set.");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_sets_and_removes_limits, steering_test)
{
    start();
    open("limits", "Limits");
    BOOST_TEST(shows("No limit is set."));
    page.click("//summary[.='Set a limit']");
    page.type("//input[@name='name']", "gpu");
    page.type("//input[@name='max_running']", "1");
    page.click("//button[.='Set']");
    wait_for_result("The limit gpu is set");
    page.until(
        "three jobs are pushed",
        "if (!window.sent) { window.sent = true; Promise.all([1, 2, 3].map(() =>"
        "  fetch('v1/managed/queues/mail/jobs', {method: 'POST', headers: {'Content-Type': "
        "'application/json'},"
        "    body: '{\"klass\":\"Image\",\"limits\":[\"gpu\"]}'}))).then(() => { window.done = true; }); }"
        "return window.done");
    qless("pop", "mail", "worker-1", 3);
    page.until("it holds jobs back", "return document.querySelector('tbody tr').cells[1].innerText === '2'");
    BOOST_TEST(cell(2) == "1");
    BOOST_TEST(cell(3) == "1");
    screenshot("limits");
    open("managed/mail", "mail");
    BOOST_TEST(shows("2 jobs held back by limits"));
    open("limits", "Limits");
    page.click("//button[@aria-label='Remove gpu']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("The limit gpu is removed");
    wait_for_text("No limit is set.");
    expect_no_errors();
}

BOOST_AUTO_TEST_SUITE_END()
