// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

#include "support/process.hpp"

/// A job from its request to its end, through all programs, as the dashboard shows it.
BOOST_AUTO_TEST_SUITE(whole_way, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(a_killed_worker_and_the_one_that_comes_after_it, dashboard_test)
{
    const auto work = [&](const std::string& command) {
        return process{{COWORKER_PROGRAM, "work", "mail", "--redis", redis.url(), "--concurrency", "1", "--",
                        "sh", "-c", command}};
    };
    know("mail");
    start();
    open("queue/mail/running", "mail");
    const auto status =
        page.until("the job is queued",
                   "if (!window.sent) { window.sent = true;"
                   "  fetch('jobber/queue', {method: 'POST', headers: {'Content-Type': 'application/json'},"
                   "    body: JSON.stringify({type: 'mail', id: 'job-1', payload: {to: 'ada'}})})"
                   "  .then((answer) => window.answered = answer.status); }"
                   "return window.answered");
    BOOST_TEST(status.as_int64() == 201);

    auto first = work("sleep 600");
    page.until("the job runs", "return document.querySelector('tbody tr')?.textContent.includes('job-1')");
    const auto holder = page.run("return document.querySelector('tbody tr').cells[4].textContent");
    BOOST_TEST(holder.as_string().starts_with("coworker"));
    screenshot("running");

    first.kill();
    auto second = work("cat > /dev/null; echo 'no such mailbox' >&2; exit 65");
    page.until("it has failed",
               "return [...document.querySelectorAll('.tabs .amount')][3].textContent === '1'");
    page.click("//nav[@class='tabs']//a[contains(.,'Failed')]");
    wait_for_text("no such mailbox");
    BOOST_TEST(shows("job-1"));
    screenshot("killed");
    second.signal(15);
    BOOST_TEST(second.wait() == 0);

    page.click("//button[@data-action='retry']");
    wait_for_result("1 job queued again");
    auto last = work("exit 0");
    const auto figure =
        "return [...document.querySelectorAll('.tile')].find("
        "  (one) => one.firstChild.textContent === arguments[0]).lastChild.textContent === arguments[1]";
    page.until("it is done", figure, {"Succeeded", "1"});
    page.until("that it was recovered is told", figure, {"Recovered", "1"});
    last.signal(15);
    BOOST_TEST(last.wait() == 0);
    BOOST_TEST(length("hworker-jobs-mail") == 0);
    BOOST_TEST(redis("HLEN", "hworker-progress-mail").integer == 0);
    expect_no_errors();
}

BOOST_AUTO_TEST_SUITE_END()
