// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

/// Buttons, checked in Redis.
BOOST_AUTO_TEST_SUITE(acting, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(pauses_and_resumes_a_queue, dashboard_test)
{
    start();
    push("mail", "[\"id-1\",1]");
    open("", "Queues");
    BOOST_TEST(page.label("//button[@data-action='pause']") == "Pause mail");
    page.click("//button[@data-action='pause']");
    wait_for_result("mail is paused");
    BOOST_TEST(redis("EXISTS", "hworker-paused-mail").integer == 1);
    page.until("it may be resumed", "return document.querySelector('[data-action=resume]')");
    open("queue/mail", "mail");
    page.click("//button[@data-action='resume']");
    wait_for_result("mail is worked on again");
    BOOST_TEST(redis("EXISTS", "hworker-paused-mail").integer == 0);
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(asks_before_it_deletes, dashboard_test)
{
    start();
    fail_jobs("mail", 3);
    open("queue/mail/failed", "mail");
    page.click("//button[@aria-label='Delete job id-1']");
    wait_for_text("Delete 1 failed job?");
    screenshot("delete");
    BOOST_TEST(page.run("return document.activeElement.id").as_string() == "ask-no");
    page.click("//button[@id='ask-no']");
    page.click("//button[@aria-label='Delete job id-1']");
    page.press({"Escape"});
    page.until("it is not asked", "return !document.querySelector('#ask').open");
    BOOST_TEST(length("hworker-failed-mail") == 3);
    page.click("//button[@aria-label='Delete job id-1']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("1 job deleted");
    BOOST_TEST(length("hworker-failed-mail") == 2);
    BOOST_TEST(length("hworker-jobs-mail") == 0);
    page.until("its row is gone", "return document.querySelectorAll('tbody tr').length === 2");
    page.click("//button[@aria-label='Retry job id-0']");
    wait_for_result("1 job queued again");
    BOOST_TEST(length("hworker-jobs-mail") == 1);
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(acts_on_the_chosen_ones, dashboard_test)
{
    start();
    fail_jobs("mail", 5);
    open("queue/mail/failed", "mail");
    page.click("//input[@aria-label='Choose job id-0']");
    page.click("//input[@aria-label='Choose job id-4']");
    wait_for_text("2 chosen");
    redis("LPUSH", "hworker-failed-mail", "[\"new\",1]");
    wait_for_text("new"); // the choice outlives another look
    screenshot("chosen");
    page.click("//button[.='Retry chosen']");
    wait_for_result("2 jobs queued again");
    const auto jobs = redis("LRANGE", "hworker-jobs-mail", 0, -1).texts();
    BOOST_TEST(jobs.size() == 2u);
    wait_for_text("none chosen");
    page.click("//label[contains(.,'This page')]/input");
    wait_for_text("4 chosen");
    page.click("//button[.='Delete chosen']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("4 jobs deleted");
    BOOST_TEST(length("hworker-failed-mail") == 0);
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(acts_on_all, dashboard_test)
{
    start();
    fail_jobs("mail", 60);
    open("queue/mail/failed", "mail");
    page.click("//button[.='Retry all']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("60 jobs queued again");
    BOOST_TEST(length("hworker-jobs-mail") == 60);
    fail_jobs("mail", 30);
    wait_for_text("id-29");
    page.click("//button[.='Delete all']");
    page.until("it is asked", "return document.querySelector('#ask').open");
    BOOST_TEST(shows("failed jobs?"));
    page.click("//button[@id='ask-yes']");
    wait_for_result("30 jobs deleted");
    BOOST_TEST(length("hworker-failed-mail") == 0);
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(acts_on_broken_payloads, dashboard_test)
{
    start();
    know("mail");
    for (const auto* text : {"one", "two", "three"})
        redis("HSET", "hworker-broken-mail", text, R"("2026-11-21T09:54:29Z")");
    open("queue/mail/broken", "mail");
    page.click("//tr[contains(.,'two')]//button[.='Retry']");
    wait_for_result("1 job queued again");
    BOOST_TEST(redis("LINDEX", "hworker-jobs-mail", 0).text == "two");
    page.click("//button[.='Delete all']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("2 jobs deleted");
    BOOST_TEST(redis("HLEN", "hworker-broken-mail").integer == 0);
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(tells_of_jobs_that_are_gone, dashboard_test)
{
    start();
    fail_jobs("mail", 2);
    open("queue/mail/failed", "mail");
    page.run("window.answers = [];"
             "const ask = fetch;"
             "window.fetch = (url, options) => options.method === 'POST' ? ask(url, options) : new "
             "Promise(() => {})");
    redis("DEL", "hworker-failed-mail");
    page.click("//button[@aria-label='Retry job id-1']");
    wait_for_result("0 jobs queued again, 1 not there any more");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(acts_on_all_jobs_that_failed_with_a_message, dashboard_test)
{
    start();
    fail_jobs("mail", 3);
    for (const auto* jid : {"f1", "f2"})
        put_and_fail("mail", jid, "io", "no disk");
    open("failures", "Failures");
    wait_for_text("it broke at step 1");
    BOOST_TEST(page.run("return document.querySelector('tbody tr').cells[2].textContent").as_string() == "2");
    screenshot("messages");
    page.click("//button[@aria-label='Retry all with \"no disk\"']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("2 jobs queued again");
    BOOST_TEST(state("f1") == "waiting");
    page.click("//button[@aria-label='Delete all with \"it broke at step 1\"']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("1 job deleted");
    BOOST_TEST(length("hworker-failed-mail") == 2);
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(runs_gives_back_and_cancels_jobs_of_managed_queues, dashboard_test)
{
    for (const auto* jid : {"r1", "r2", "r3"})
        put(jid, "Image");
    qless("pop", "mail", "worker-1", 3);
    for (const auto* jid : {"s1", "s2"})
        qless("put", "", "mail", jid, "Image", "{}", "3600");
    start();
    open("managed/mail/scheduled", "mail");
    page.click("//button[@aria-label='Run now job s1']");
    wait_for_result("1 job queued");
    BOOST_TEST(state("s1") == "waiting");
    open("managed/mail/running", "mail");
    page.click("//button[@aria-label='Release job r1']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("1 job released");
    page.click("//input[@aria-label='Choose job r2']");
    page.click("//button[.='Cancel chosen']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("1 job cancelled");
    BOOST_TEST(redis("EXISTS", "ql:j:r2").integer == 0);
    BOOST_TEST(state("r3") == "running");
    BOOST_TEST(broken() == "");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(cancels_running_jobs_of_list_queues, dashboard_test)
{
    know("letters");
    for (const auto* payload : {"[\"p1\",1]", "[\"p2\",2]"})
        redis("HSET", "hworker-progress-letters", payload, R"("2026-11-21T09:54:29.000000000007Z")");
    start();
    open("queue/letters/running", "letters");
    page.click("//button[@aria-label='Cancel job p1']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("1 job cancelled");
    BOOST_TEST(redis("HKEYS", "hworker-progress-letters").texts().at(0) == "[\"p2\",2]");
    BOOST_TEST(redis("LINDEX", "hworker-failed-letters", 0).text == "[\"p1\",1]");
    BOOST_TEST(broken() == "");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(pushes_a_job_by_hand, dashboard_test)
{
    know("letters");
    put("j1", "Image");
    start();
    open("queue/letters", "letters");
    page.click("//summary[.='Push a job']");
    page.type("//textarea[@name='payload']", "{\"to\": ");
    page.click("//button[.='Push']");
    wait_for_result("not JSON");
    page.type("//textarea[@name='payload']", "\"ada\"}");
    page.type("//textarea[@name='options']", "[");
    page.click("//button[.='Push']");
    wait_for_result("The text of the other options is not JSON");
    page.type("//textarea[@name='options']", "]");
    page.click("//button[.='Push']");
    wait_for_result("The other options are no JSON object");
    BOOST_TEST(redis("LLEN", "hworker-jobs-letters").integer == 0);
    page.run("document.querySelector('[name=options]').value = '{\"id\":\"mail-17\"}'");
    page.click("//button[.='Push']");
    wait_for_result("pushed");
    BOOST_TEST(redis("LINDEX", "hworker-jobs-letters", 0).text == R"(["mail-17",{"to":"ada"}])");
    page.run("document.querySelector('[name=payload]').value = '{}'");
    page.click("//button[.='Push']");
    wait_for_result("Nothing was pushed: the job mail-17 is there already");
    BOOST_TEST(redis("LLEN", "hworker-jobs-letters").integer == 1);
    open("managed/mail", "mail");
    page.click("//summary[.='Push a job']");
    page.type("//details//input[@name='kind']", "Letter");
    page.type("//input[@name='tags']", "red, blue");
    page.type("//details//textarea[@name='options']",
              R"({"id":"x","unique":{"key":"daily"},"group":"a","retries":3})");
    page.click("//button[.='Push']");
    wait_for_result("Job x pushed");
    BOOST_TEST(redis("HGET", "ql:j:x", "remaining").text == "3");
    BOOST_TEST(redis("HGET", "ql:j:x", "unique").text == "daily");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(deletes_all_waiting_jobs_and_the_queue, dashboard_test)
{
    start();
    push("mail", "[\"id-1\",1]");
    push("mail", "[\"id-2\",1]");
    fail_jobs("mail", 3);
    open("queue/mail", "mail");
    page.click("//button[.='Delete all']");
    wait_for_text("Delete 2 waiting jobs?");
    page.click("//button[@id='ask-yes']");
    wait_for_result("2 jobs deleted");
    BOOST_TEST(redis("EXISTS", "hworker-jobs-mail").integer == 0);
    BOOST_TEST(length("hworker-failed-mail") == 3);
    page.click("//button[@aria-label='Delete mail']");
    wait_for_text("Delete mail?");
    page.click("//button[@id='ask-yes']");
    wait_for_text("No queues yet");
    BOOST_TEST(redis("KEYS", "hworker-*-mail").elements.empty());
}

BOOST_AUTO_TEST_SUITE_END()
