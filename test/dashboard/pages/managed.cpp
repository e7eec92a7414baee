// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

/// Managed queues, their jobs and their failures.
BOOST_AUTO_TEST_SUITE(managed, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

struct managed_test : dashboard_test
{
    /// One job of each kind: j1 failed, j2 done, j3 runs, j4 waits for j5, j5 waits, j6 is due later.
    void make_jobs()
    {
        put("j1", "Image", R"({"file":"a.png"})", "tags", R"(["new"])");
        qless("pop", "mail", "worker-1", 1);
        qless("fail", "j1", "worker-1", "decode", "cannot read a.png\n  at line 3", "{}");
        put("j2", "Image");
        qless("pop", "mail", "worker-1", 1);
        qless("complete", "j2", "worker-1", "mail", "{}");
        put("j3", "Image");
        qless("pop", "mail", "worker-2", 1);
        put("j5", "Image", R"({"file":"<b>bold</b>"})", "priority", "7");
        put("j4", "Image", "{}", "depends", R"(["j5"])");
        qless("put", "", "mail", "j6", "Image", "{}", "3600");
        qless("recur", "mail", "r1", "Clean", "{}", "interval", "60", "3600");
    }

    std::int64_t rows() { return page.run("return document.querySelectorAll('tbody tr').length").as_int64(); }

    /// Failed jobs f0, f1, … of a group.
    void fail_in_group(const std::string& group, int count)
    {
        for (int i = 0; i != count; ++i)
            put_and_fail("mail", 'f' + std::to_string(i), group, "it broke");
    }
};

BOOST_FIXTURE_TEST_CASE(shows_queues_with_their_sizes_and_pauses_them, managed_test)
{
    make_jobs();
    start();
    open("", "Queues");
    const auto cells =
        page.run("return [...document.querySelector('tbody tr').cells].map((cell) => cell.textContent)");
    const std::vector<std::string> expected{"mail", "1", "1", "0", "1", "1", "1"};
    for (std::size_t i = 0; i != expected.size(); ++i)
        BOOST_TEST(cells.at(i).as_string() == expected[i]);
    page.click("//button[@aria-label='Pause mail']");
    wait_for_result("mail is paused");
    BOOST_TEST(redis("SISMEMBER", "ql:paused_queues", "mail").integer == 1);
    open("managed/mail", "mail");
    screenshot("managed");
    page.click("//button[@aria-label='Resume mail']");
    wait_for_result("worked on again");
    BOOST_TEST(redis("SISMEMBER", "ql:paused_queues", "mail").integer == 0);
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(figures_of_all_queues_are_of_both_kinds, managed_test)
{
    fail_in_group("decode", 3);
    fail_jobs("letters", 2);
    know("letters");
    start();
    open("", "Queues");
    const auto tile = "return [...document.querySelectorAll('.tile')].find("
                      "  (one) => one.firstChild.textContent === arguments[0]).lastChild.textContent";
    BOOST_TEST(page.run(tile, {"Failed and broken"}).as_string() == "5");
    BOOST_TEST(page.run(tile, {"Jobs per second"}).as_string() == "0");
    redis("LPUSH", "ql:coworker:history:mail", minutes_ago(0) + " 1000000 0 0");
    page.until("jobs of managed queues count",
               "return [...document.querySelectorAll('.tile')].find("
               "  (one) => one.firstChild.textContent === arguments[0])"
               ".lastChild.textContent.replaceAll(',', '') > 100",
               {"Jobs per second"});
    screenshot("both_kinds");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(bars_of_a_histogram_are_of_the_same_kinds_as_in_the_command_line, managed_test)
{
    put("j1", "Image");
    const std::string day = "2026-01-01";
    redis("HSET", "ql:s:wait:1767225600:mail", "total", 12, "mean", 60, "vk", 1, "s2", 1, "s3", 2, "s4", 3,
          "m1", 4, "m4", 1);
    start();
    open("managed/mail/statistics?day=" + day, "mail");
    wait_for_text("On " + day);
    const auto bars =
        page.run("return [...document.querySelectorAll('.histogram li')].map((one) => one.textContent)");
    const std::vector<std::string> expected{"2 s – 5 s6",     "5 s – 10 s0",    "10 s – 20 s0",
                                            "20 s – 30 s0",   "30 s – 60 s0",   "60 s – 2 min4",
                                            "2 min – 5 min1", "5 min – 10 min0"};
    BOOST_TEST_REQUIRE(bars.as_array().size() >= 7u);
    for (std::size_t i = 0; i != 7; ++i)
        BOOST_TEST(bars.at(i).as_string() == expected[i]);
    BOOST_TEST(bars.as_array().back().as_string() == "7 d or more1"); // in no bin
    screenshot("histogram");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(tells_retries_from_lost_locks, managed_test)
{
    put("j1", "Image");
    redis("HSET", "ql:s:stats:1767225600:mail", "retries", 2, "failures", 3, "failed", 1);
    redis("HSET", "ql:coworker:retries:1767225600", "mail", 7);
    start();
    open("managed/mail/statistics?day=2026-01-01", "mail");
    wait_for_text("On 2026-01-01");
    const auto tile = "return [...document.querySelectorAll('.tile')].find("
                      "  (one) => one.firstChild.textContent === arguments[0]).lastChild.textContent";
    BOOST_TEST(page.run(tile, {"Retries"}).as_string() == "7");
    BOOST_TEST(page.run(tile, {"Lost leases"}).as_string() == "2");
    BOOST_TEST(page.run(tile, {"Failures"}).as_string() == "3");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(says_how_many_retries_are_left_only_where_there_are, managed_test)
{
    make_jobs();
    put("once", "Image", "{}", "retries", "0");
    start();
    const auto left =
        "const name = [...document.querySelectorAll('dt')].find((one) => one.textContent === 'Retries left');"
        "return name.nextSibling.textContent";
    for (const auto& [jid, expected] :
         {std::pair{"j3", "5 of 5"}, std::pair{"once", "none"}, std::pair{"j1", "–"}, std::pair{"j2", "–"}}) {
        open(std::string{"job/"} + jid, jid);
        BOOST_TEST(page.run(left).as_string() == expected, jid);
    }
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_jobs_by_state, managed_test)
{
    make_jobs();
    start();
    for (const auto& [state, text] :
         {std::pair{"waiting", "j5"}, std::pair{"running", "worker-2"}, std::pair{"scheduled", "j6"},
          std::pair{"depends", "j4"}, std::pair{"recurring", "Clean"}}) {
        open(std::string{"managed/mail/"} + state, "mail");
        wait_for_text(text);
        BOOST_TEST(rows() == 1, state);
    }
    open("managed/mail/waiting", "mail");
    BOOST_TEST(page.run("return document.querySelector('main b') === null").as_bool());
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_what_happened_on_a_day, managed_test)
{
    make_jobs();
    start();
    open("managed/mail/statistics", "mail");
    BOOST_TEST(shows("Jobs waited"));
    BOOST_TEST(page.run("return document.querySelectorAll('.histogram li').length").as_int64() >= 2);
    BOOST_TEST(shows("3 jobs, mean"));
    screenshot("statistics");
    page.click("//a[.='Day before']");
    wait_for_text("No jobs on this day");
    page.click("//a[.='Day after']");
    wait_for_text("3 jobs, mean");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_a_job_with_its_history_and_failure, managed_test)
{
    make_jobs();
    start();
    open("job/j1", "j1");
    for (const auto* text : {"failed", "decode", "at line 3", "worker-1", "a.png", "new", "popped", "put"})
        BOOST_TEST(shows(text), text);
    screenshot("job");
    page.click("//button[@data-action='retry']");
    wait_for_result("1 job queued again");
    BOOST_TEST(state("j1") == "waiting");
    page.until("it may not be retried now", "return !document.querySelector('[data-action=retry]')");
    open("job/j4", "j4");
    page.click("//dd/a[.='j5']"); // what it waits for
    wait_for_heading("j5");
    page.click("//button[@data-action='delete']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("1 refused because other jobs depend on them");
    BOOST_TEST(state("j5") == "waiting");
    open("job/j6", "j6");
    page.click("//button[@data-action='delete']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("1 job deleted");
    BOOST_TEST(redis("EXISTS", "ql:j:j6").integer == 0);
    for (const auto& error : page.errors())
        BOOST_TEST(error.find("status of 404") != error.npos, error); // it is gone
}

BOOST_FIXTURE_TEST_CASE(shows_what_a_job_was_pushed_with, managed_test)
{
    start();
    open("queues", "Queues");
    page.until(
        "a job is pushed",
        "if (!window.sent) { window.sent = true;"
        "  fetch('v1/queues/managed:mail/jobs', {method: 'POST', headers: {'Content-Type': "
        "'application/json'},"
        "    body: JSON.stringify({kind: 'Image', id: 'full', limits: ['gpu', {name: 'api', units: 2}], "
        "group: 'acme',"
        "      description: 'for ada', order_key: 'customer 7', unique: {key: 'daily'}, timeout: '90s', "
        "retention: '2d', "
        "expiry: '3h', backoff: {initial: '5s', maximum: '10m'},"
        "      metadata: {tenant: '42'}})}).then((reply) => { window.done = reply.ok; }); }"
        "return window.done");
    open("job/full", "full");
    const std::pair<const char*, const char*> facts[] = {{"Limits", "gpu api (2 units)"},
                                                         {"Description", "for ada"},
                                                         {"Group", "acme"},
                                                         {"Order key", "customer 7"},
                                                         {"Unique key", "daily"},
                                                         {"Timeout", "90 s"},
                                                         {"Kept when done", "2 d"},
                                                         {"Back-off", "5 s, times 2, at most 10 min"},
                                                         {"Metadata", "tenant: 42"}};
    for (const auto& [name, value] : facts)
        BOOST_TEST(page.run("return [...document.querySelectorAll('dt')].find((one) => one.innerText === "
                            "arguments[0])?.nextSibling.innerText.trim() ?? 'nothing'",
                            {name})
                           .as_string() == value,
                   name);
    BOOST_TEST(shows("Expires"));
    screenshot("job-with-options");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(acts_on_groups_of_failures, managed_test)
{
    const std::string group = "a/b <i>&?#% ü";
    fail_in_group(group, 25);
    fail_in_group("other", 0);
    start();
    open("failures", "Failures");
    page.click("//td//a[contains(.,'a/b')]");
    wait_for_heading(group);
    BOOST_TEST(rows() == 20);
    screenshot("group");
    page.click("//button[@aria-label='Retry job f24']");
    wait_for_result("1 job queued again");
    BOOST_TEST(state("f24") == "waiting");
    page.click("//input[@aria-label='Choose job f22']");
    page.click("//input[@aria-label='Choose job f20']");
    page.click("//button[.='Delete chosen']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("2 jobs deleted");
    BOOST_TEST(failed(group).size() == 22u);
    page.click("//button[.='Retry all']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("22 jobs queued again");
    BOOST_TEST(failed(group).empty());
    wait_for_text("No job of this group is failed any more.");
    BOOST_TEST(broken() == "");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_failed_jobs_of_a_queue_and_acts_on_them, managed_test)
{
    fail_in_group("decode", 3);
    start();
    open("", "Queues");
    page.click("//tbody//a[.='3']");
    wait_for_heading("mail");
    for (const auto* text : {"f0", "it broke"})
        wait_for_text(text);
    BOOST_TEST(rows() == 3);
    screenshot("managed_failed");
    page.click("//button[@aria-label='Retry job f1']");
    wait_for_result("1 job queued again");
    BOOST_TEST(state("f1") == "waiting");
    page.click("//button[.='Delete all']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("2 jobs deleted");
    BOOST_TEST(failed("decode").empty());
    wait_for_text("No job has failed.");
    BOOST_TEST(broken() == "");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_workers, managed_test)
{
    make_jobs();
    redis("SADD", "hworker-queues", "report");
    redis("HSET", "hworker-progress-report", "[\"p1\",{\"month\":1}]",
          R"("2026-11-21T09:54:29.000000000007Z")");
    redis("HSET", "hworker-workers-report", "7", "report-worker:1");
    start();
    open("workers", "Workers");
    for (const auto* text : {"worker-1", "worker-2", "p1", "report"})
        BOOST_TEST(shows(text), text);
    screenshot("workers");
    open("queue/report/running", "report");
    BOOST_TEST(shows("p1"));
    expect_no_errors();
}

BOOST_AUTO_TEST_SUITE_END()
