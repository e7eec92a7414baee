// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

/// What the views show.
BOOST_AUTO_TEST_SUITE(looking, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(teaches_how_to_queue_a_first_job, dashboard_test)
{
    start();
    open("", "Queues");
    BOOST_TEST(shows("No queues yet"));
    BOOST_TEST(shows("curl " + place + "/v1/queues/mail/jobs"));
    screenshot("empty");
    push("mail", R"(["id-1",{"to":"ada"}])"); // the page finds it by itself
    page.until("the queue is there", "return document.querySelector('td.name a')?.textContent === 'mail'");
    BOOST_TEST(!shows("No queues yet"));
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_list_queues_with_their_sizes, dashboard_test)
{
    start();
    fail_jobs("mail", 3);
    push("mail", R"(["id-1",{"to":"ada"}])");
    push("report", R"(["id-1",{"month":1}])");
    redis("SET", "hworker-paused-report", 1);
    open("", "Queues");
    const auto row = page.run("return [...document.querySelectorAll('tbody tr')].map("
                              "  (row) => [...row.cells].map((cell) => cell.textContent))");
    BOOST_TEST(row.at(0).at(0).as_string() == "mailno worker"); // a job waits
    BOOST_TEST(row.at(0).at(1).as_string() == "1");
    BOOST_TEST(row.at(0).at(4).as_string() == "3");
    BOOST_TEST(row.at(0).at(7).as_string() == "0");
    BOOST_TEST(row.at(1).at(0).as_string() == "reportpaused");
    BOOST_TEST(row.at(1).at(9).as_string() == "Resume");
    screenshot("queues");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_the_partitions_of_a_queue, dashboard_test)
{
    start();
    know("mail");
    redis("SET", "hworker-partitions-mail", "2");
    push("{mail:0}", R"(["id-1",{"to":"ada"}])");
    push("{mail:1}", R"(["id-2",{"to":"bob"}])");
    push("{mail:1}", R"(["id-3",{"to":"eve"}])");
    open("queue/mail", "mail");
    const auto rows =
        page.run("return [...document.querySelectorAll('table[aria-label=Partitions] tbody tr')].map("
                 "  (row) => [...row.cells].map((cell) => cell.textContent))");
    BOOST_TEST(rows.as_array().size() == 2u);
    BOOST_TEST(rows.at(0).at(0).as_string() == "{mail:0}");
    BOOST_TEST(rows.at(0).at(1).as_string() == "1");
    BOOST_TEST(rows.at(1).at(1).as_string() == "2");
    screenshot("partitions");
    open("queue/%7Bmail%3A1%7D", "{mail:1}");
    BOOST_TEST(!shows("Partitions"));
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(marks_queues_whose_jobs_nobody_takes, dashboard_test)
{
    redis("LPUSH", "hworker-jobs-forgotten", R"(["id-1",1])"); // by some program that tells nobody
    redis("ZADD", "hworker-scheduled-late", 1000, R"(x:["id-1",1])");
    start();
    open("", "Queues");
    BOOST_TEST(shows("forgottenno worker"));
    BOOST_TEST(shows("lateno worker"));
    screenshot("no-worker");
    open("queue/late", "late");
    BOOST_TEST(shows("1 overdue job"));
    BOOST_TEST(shows("no worker"));
    screenshot("overdue");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_very_many_queues_by_page, dashboard_test)
{
    for (int i = 0; i != 700; ++i) {
        const auto number = std::to_string(i);
        know("queue-" + number);
        if (i < 60)
            qless("put", "", "managed-" + number, 'j' + number, "k", "{}", "0");
    }
    start();
    open("", "Queues");
    BOOST_TEST(shows("more queues than fit on a page"));
    const auto count = "return document.querySelectorAll('tbody tr').length";
    BOOST_TEST(page.run(count).as_int64() < 200);
    page.click("//section[contains(.,'Managed')]//a[.='Next page']");
    page.until("the other managed queues are there",
               "return document.querySelectorAll('[aria-label=\"Managed queues\"] tbody tr').length === 10");
    page.click("//section[contains(.,'List')]//a[.='Next page']");
    page.until(
        "there is a way back",
        "return [...document.querySelectorAll('.pager a')].some((one) => one.textContent === 'First page')");
    page.type("//input[@id='find']", "not listed/here");
    page.click("//button[.='Show']");
    wait_for_text("There is no queue 'not listed/here'");
    (void)page.errors(); // of the requests that have found nothing
}

BOOST_FIXTURE_TEST_CASE(draws_the_last_hour_and_what_it_sees, dashboard_test)
{
    start();
    push("mail", R"(["id-1",{"to":"ada"}])");
    redis("RPUSH", "hworker-history-mail", minutes_ago(0) + " 1000 0 0", minutes_ago(30) + " 2000 1 4",
          minutes_ago(90) + " 5 5 5");
    open("queue/mail", "mail");
    BOOST_TEST(page.label("//figure[1]//*[local-name()='svg']") ==
               "Jobs per minute, last hour. In all: succeeded 3,000, retried 4, failed 1");
    BOOST_TEST(shows("Jobs per minute, last hour"));
    BOOST_TEST(shows("Jobs per minute, last day"));
    page.until("a rate is shown", "return parseFloat(document.querySelector('.tile dd').textContent) > 0");
    page.until("there are two looks", "const lines = document.querySelectorAll('.chart polyline');"
                                      "return lines[3].getAttribute('points').split(' ').length >= 2");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(draws_the_last_day, dashboard_test)
{
    know("mail");
    know("odd");
    redis("RPUSH", "hworker-history-mail", minutes_ago(3) + " 1200 7 30", minutes_ago(600) + " 34 0 0");
    redis("RPUSH", "ql:coworker:history:press", minutes_ago(70) + " 5 0 0");
    qless("put", "", "press", "j", "K", "{}", "0");
    start();
    open("queue/mail", "mail");
    const auto label = page.label("//figure[contains(@class,'wide')]//*[local-name()='svg']");
    BOOST_TEST(label == "Jobs per minute, last day. In all: succeeded 1,234, retried 30, failed 7");
    screenshot("day");
    open("managed/press", "press");
    BOOST_TEST(shows("succeeded 5"));
    redis("SET", "hworker-history-odd", "surprise");
    open("queue/odd", "odd");
    BOOST_TEST(!shows("Jobs per minute"));
    (void)page.errors(); // of that request
}

BOOST_FIXTURE_TEST_CASE(shows_failed_jobs_by_page, dashboard_test)
{
    start();
    fail_jobs("mail", 45);
    open("queue/mail/failed", "mail");
    const auto count = "return document.querySelectorAll('tbody tr').length";
    BOOST_TEST(page.run(count).as_int64() == 20);
    BOOST_TEST(shows("it broke at step 44"));
    BOOST_TEST(shows("id-44"));
    screenshot("failed");
    for (const auto* last : {"it broke at step 24", "it broke at step 4"}) {
        page.click("//a[.='Next page']");
        wait_for_text(last);
    }
    BOOST_TEST(page.run(count).as_int64() == 5);
    BOOST_TEST(!shows("Next page"));
    page.run("history.back()");
    wait_for_text("it broke at step 24");
    page.click("//a[.='First page']");
    wait_for_text("it broke at step 44");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(opens_a_payload_and_keeps_it_open, dashboard_test)
{
    start();
    know("mail");
    redis(
        "LPUSH", "hworker-failed-mail",
        R"(["id-1",{"to":"ada@example.com","subject":"a subject that is long enough to be cut","body":"the end"}])");
    open("queue/mail/failed", "mail");
    page.click("//td//summary");
    page.run("document.querySelector('td details').mine = true");
    redis("LPUSH", "hworker-failed-mail", R"(["id-2",1])");
    wait_for_text("id-2");
    BOOST_TEST(
        page.run("return [...document.querySelectorAll('details')].find((one) => one.mine).open").as_bool());
    BOOST_TEST(shows("\"body\": \"the end\""));
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(asks_for_nothing_while_nobody_can_see_it, dashboard_test)
{
    push("mail", R"(["id-1",{"to":"ada"}])");
    start();
    open("", "Queues");
    page.run("const ask = fetch; window.asked = 0;"
             "window.fetch = (...words) => { ++asked; return ask(...words); };"
             "window.see = (is_hidden) => { Object.defineProperty(document, 'hidden', {value: is_hidden, "
             "configurable: true});"
             "  document.dispatchEvent(new Event('visibilitychange')); }");
    page.until("it looks", "return asked > 2");
    page.run("see(true)");
    page.until("a look that was under way has ended", "window.begin = window.begin || performance.now();"
                                                      "return performance.now() - begin > 300");
    page.run("window.before = asked; window.begin = performance.now()");
    page.until("a second has passed", "return performance.now() - begin > 1000");
    BOOST_TEST(page.run("return asked === before").as_bool());
    page.run("see(false)");
    page.until("it looks again", "return asked > before");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(goes_back_and_forth_by_the_address, dashboard_test)
{
    start();
    fail_jobs("mail", 1);
    open("", "Queues");
    page.click("//td//a[.='mail']");
    wait_for_heading("mail");
    BOOST_TEST(page.run("return document.title").as_string() == "mail · coworker");
    page.click("//nav//a[.='Failures']");
    wait_for_heading("Failures");
    page.run("history.back()");
    wait_for_heading("mail");
    page.run("history.back()");
    wait_for_heading("Queues");
    for (const auto* nonsense : {"nonsense/x", "queue/%", "%zz"}) {
        page.go(place + query + "#/" + nonsense);
        page.until("something is shown", "return document.querySelector('main h1')");
    }
    page.go(place + query + "#/queue/" + std::string(513, 'a'));
    wait_for_text("is too long");
}

BOOST_AUTO_TEST_SUITE_END()
