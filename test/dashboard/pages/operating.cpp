// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

/// What operators do day by day: look at what is over, find a job, page on and back, act on failures of several queues.
BOOST_AUTO_TEST_SUITE(operating, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

struct operating_test : dashboard_test
{
    std::string column(int cell)
    {
        const auto text = page.run("return [...document.querySelectorAll('tbody tr')].map("
                                   "  (row) => row.cells[arguments[0]].textContent).join(' ')",
                                   {cell});
        return std::string{text.as_string()};
    }

    std::string tile(const std::string& title)
    {
        const auto text =
            page.run("return [...document.querySelectorAll('.tile')].find("
                     "  (one) => one.firstChild.textContent === arguments[0])?.lastChild.textContent ?? ''",
                     {title});
        return std::string{text.as_string()};
    }

    void complete(const std::string& jid, const std::string& queue)
    {
        qless("put", "", queue, jid, "Image", R"({"n":1})", "0");
        qless("pop", queue, "w", "1");
        qless("complete", jid, "w", queue, R"({"n":1})");
    }

    /// Jobs of a list queue that have failed with this message.
    void fail_with(const std::string& queue, const std::string& message, int count)
    {
        know(queue);
        for (int i = 0; i != count; ++i) {
            const auto payload = "[\"" + queue + '-' + std::to_string(i) + "\",{}]";
            redis("LPUSH", "hworker-failed-" + queue, payload);
            redis("HSET", "hworker-failures-" + queue, payload,
                  R"("2026-11-21T09:54:29.000000000000Z" 3 )" + message);
        }
    }
};

BOOST_FIXTURE_TEST_CASE(lists_the_completed_jobs_of_a_queue, operating_test)
{
    complete("first", "mail");
    complete("other", "letters");
    complete("second", "mail");
    start();
    open("managed/mail", "mail");
    page.click("//nav[@aria-label='Jobs by state']//a[.='Completed']");
    page.until(
        "the jobs are listed",
        "return [...document.querySelectorAll('tbody a')].some((one) => one.textContent === 'second')");
    BOOST_TEST(column(0) == "second first"); // newest first, and only its own
    BOOST_TEST(!shows("Retries left"));
    screenshot("completed");
    page.click("//a[.='first']");
    wait_for_heading("first");
    BOOST_TEST(shows("complete"));
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(a_job_of_a_list_queue_has_a_page_and_is_found_by_its_id, operating_test)
{
    push("letters", R"(["019c2fc6-5a00-7000-8000-000000000001",{"to":"ada"}])");
    fail_with("mail", "no <b>disk</b>", 2);
    start();
    open("queue/letters", "letters");
    BOOST_TEST(page.run("return document.querySelector('tbody time') !== null")
                   .as_bool()); // its id says since when it waits
    page.type("//input[@id='find']", "mail-1");
    page.press({"Enter"});
    wait_for_heading("mail-1");
    BOOST_TEST(page.run("return location.hash").as_string() == "#/listjob/mail/mail-1");
    BOOST_TEST(shows("no <b>disk</b>"));
    screenshot("list-job");
    page.click("//button[.='Retry']");
    wait_for_result("1 job queued again");
    wait_for_text("waiting");
    BOOST_TEST(length("hworker-failed-mail") == 1);
    page.click("//button[.='Delete']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("1 job deleted");
    BOOST_TEST(length("hworker-jobs-mail") == 0);
    wait_for_heading("Not there");
}

BOOST_FIXTURE_TEST_CASE(pages_lead_on_and_back_and_have_the_length_that_is_wanted, operating_test)
{
    fail_jobs("mail", 130);
    start();
    open("queue/mail/failed", "mail");
    const auto first = "return document.querySelector('tbody tr').cells[1].innerText";
    BOOST_TEST(page.run(first).as_string() == "id-129");
    BOOST_TEST(!shows("Previous page"));
    page.click("//a[.='Next page']");
    page.until("the second page is there",
               std::string{"return (function () {"} + first + "})() === 'id-109'");
    page.click("//a[.='Next page']");
    page.until("the third page is there", std::string{"return (function () {"} + first + "})() === 'id-89'");
    page.run("location.reload()"); // it is remembered
    wait_for_heading("mail");
    page.click("//a[.='Previous page']");
    page.until("the second page is there",
               std::string{"return (function () {"} + first + "})() === 'id-109'");
    page.click("//a[.='Previous page']");
    page.until("the first page is there", std::string{"return (function () {"} + first + "})() === 'id-129'");
    page.run("const one = document.querySelector('[name=page-size]'); one.value = '100'; "
             "one.onchange({target: one})");
    page.until("the page is longer", "return document.querySelectorAll('tbody tr').length === 100");
    page.click("//a[.='Next page']");
    page.until("the rest is there", "return document.querySelectorAll('tbody tr').length === 30");
    page.run("localStorage.clear()");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(failures_are_counted_over_queues_filtered_and_retried_after_a_question,
                        operating_test)
{
    fail_with("letters", "no disk", 2);
    fail_with("mail", "no disk", 3);
    fail_with("mail-of-others", "timeout", 1);
    put_and_fail("images", "j1", "io", "no disk");
    start();
    open("failures", "Failures");
    BOOST_TEST(page.run("return document.querySelector('tbody tr').cells[2].innerText").as_string() == "6");
    screenshot("failures");
    page.type("//input[@name='text']", "letters");
    page.click("//button[.='Filter']");
    page.until("one row is left", "return document.querySelectorAll('table[aria-label=\"Failures by "
                                  "message\"] tbody tr').length === 1");
    page.click("//button[@aria-label='Retry all with \"no disk\"']");
    page.until("it asks", "return document.querySelector('#ask').open");
    BOOST_TEST(shows("Retry 2 failed jobs?"));
    BOOST_TEST(length("hworker-failed-letters") == 2);
    page.click("//button[@id='ask-yes']");
    wait_for_result("2 jobs queued again");
    BOOST_TEST(length("hworker-failed-letters") == 0);
    BOOST_TEST(length("hworker-failed-mail") == 3); // what the filter hides stays as it is
    page.click("//a[.='Show all']");
    page.until("the rest is there", "return document.querySelectorAll('table[aria-label=\"Failures by "
                                    "message\"] tbody tr').length === 2");
    page.click("//button[@aria-label='Delete all with \"no disk\"']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("4 jobs deleted"); // of both kinds of queue
    BOOST_TEST(length("hworker-failed-mail") == 0);
    BOOST_TEST(redis("LLEN", "ql:f:io").integer == 0);
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_workers_of_managed_queues_and_when_those_over_http_were_seen, operating_test)
{
    put("j1", "Image");
    start();
    open("managed/mail", "mail");
    BOOST_TEST(shows("no worker"));
    BOOST_TEST(tile("Workers") == "0");
    qless("sign_in", "line <b>7</b>", "mail");
    page.until("it is there",
               "return [...document.querySelectorAll('.tile')].find("
               "(one) => one.firstChild.textContent === 'Workers').lastChild.textContent === '1'");
    BOOST_TEST(!shows("no worker"));
    open("workers", "Workers");
    BOOST_TEST(shows("line <b>7</b>"));
    BOOST_TEST(page.run("return document.querySelector('tbody time') !== null").as_bool());
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_what_a_job_logs_while_it_runs, operating_test)
{
    put("j1", "Image");
    qless("pop", "mail", "w", "1");
    start();
    open("job/j1", "j1");
    BOOST_TEST(page.run("return document.querySelector('.log') === null").as_bool());
    qless("note", "mail", "w", 4, "j1", "", "log", R"([[0,"page <b>12</b>"]])");
    wait_for_text("page <b>12</b>");
    qless("note", "mail", "w", 4, "j1", "", "log", R"([[0,"page 13\nis empty"]])");
    page.until("the next line is there", "return document.querySelectorAll('.log li').length === 2");
    screenshot("log");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(the_first_page_has_the_memory_of_redis_and_what_all_queues_do, operating_test)
{
    know("letters");
    put("j1", "Image");
    redis("LPUSH", "hworker-history-letters", minutes_ago(2) + " 30 0 0");
    redis("LPUSH", "ql:coworker:history:mail", minutes_ago(2) + " 12 1 0");
    redis("CONFIG", "SET", "maxmemory", "100mb");
    start();
    open("", "Queues");
    const auto version = redis("INFO", "server").text;
    const auto at = version.find("redis_version:") + 14;
    const bool is_valkey = version.find("valkey_version:") != version.npos;
    if (!is_valkey)
        BOOST_TEST(
            tile("Redis " + version.substr(at, version.find('\r', at) - at)).ends_with(" of 100.0 MiB"));
    BOOST_TEST(shows("succeeded 42"));
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(the_bar_of_a_phone_has_one_line, operating_test)
{
    know("letters");
    start();
    page.set_size(390, 800);
    open("", "Queues");
    const auto height = page.run("return document.querySelector('.bar').getBoundingClientRect().height");
    BOOST_TEST(height.to_number<double>() < 56);
    page.click("//button[@id='more']");
    page.type("//input[@id='find']", "letters");
    page.press({"Enter"});
    wait_for_heading("letters");
    page.until("the line is gone", "return !document.querySelector('#find').checkVisibility()");
    expect_no_errors();
}

BOOST_AUTO_TEST_SUITE_END()
