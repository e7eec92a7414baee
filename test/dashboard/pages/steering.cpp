// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

/// Schedules, limits and the turns of groups.
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

BOOST_FIXTURE_TEST_CASE(shows_schedules_and_runs_one_now, steering_test)
{
    run_program({"schedules", "set", "nightly", "--cron", "30 2 * * *", "--zone", "UTC", "--queue",
                 "managed:reports", "--kind", "Report"});
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

BOOST_FIXTURE_TEST_CASE(sets_a_schedule_with_a_cron_line_or_an_interval, steering_test)
{
    start();
    open("schedules", "Schedules");
    wait_for_text("No schedule is set.");
    page.click("//summary[.='Set a schedule']");
    fill("name", "nightly/1");
    fill("queue", "reports");
    fill("kind", "Report");
    fill("payload", R"({"to":"ada")");
    fill("cron", "30 2 * * mon-fri");
    fill("zone", "Europe/Berlin");
    page.click("//button[.='Set']");
    wait_for_result("The data is not JSON");
    fill("payload", R"({"to":12345678901234567890})");
    page.click("//button[.='Set']");
    wait_for_result("a number that a browser does not keep");
    fill("payload", R"({"to":"ada"})");
    BOOST_TEST(redis("EXISTS", "ql:coworker:schedules").integer == 0);
    screenshot_of_form("schedule-form");
    expect_narrow();
    screenshot_of_form("narrow-schedule-form");
    page.set_size(1280, 900);
    page.click("//button[.='Set']");
    wait_for_result("The schedule nightly/1 is set");
    BOOST_TEST(of_schedule("nightly/1", "cron") == "30 2 * * mon-fri");
    BOOST_TEST(of_schedule("nightly/1", "zone") == "Europe/Berlin");
    BOOST_TEST(of_schedule("nightly/1", "queue") == "reports");
    BOOST_TEST(of_schedule("nightly/1", "klass") == "Report");
    BOOST_TEST(of_schedule("nightly/1", "data") == R"({"to":"ada"})");
    wait_for_text("30 2 * * mon-fri Europe/Berlin");
    BOOST_TEST(field_of("name") == "");

    fill("name", "polls");
    fill("queue", "reports");
    fill("kind", "Poll");
    fill("every", "5m");
    page.click("//button[.='Set']");
    wait_for_result("The schedule polls is set");
    BOOST_TEST(of_schedule("polls", "every") == "300");
    BOOST_TEST(of_schedule("polls", "data") == "{}");
    wait_for_text("every 5 min");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(says_what_is_wrong_with_a_schedule, steering_test)
{
    start();
    open("schedules", "Schedules");
    page.click("//summary[.='Set a schedule']");
    fill("name", "nightly");
    fill("queue", "reports");
    fill("kind", "Report");
    page.click("//button[.='Set']");
    wait_for_result("either a cron line or an interval");
    fill("cron", "30 25 * * *");
    page.click("//button[.='Set']");
    wait_for_result("hour");
    BOOST_TEST(field_of("cron") == "30 25 * * *"); // to be corrected
    fill("cron", "30 2 * * *");
    fill("zone", "Nowhere/Town");
    page.click("//button[.='Set']");
    wait_for_result("Nowhere/Town");
    fill("every", "often");
    page.click("//button[.='Set']");
    wait_for_result("every");
    BOOST_TEST(page.run("return document.querySelector('#result').classList.contains('bad')").as_bool());
    BOOST_TEST(redis("EXISTS", "ql:coworker:schedules").integer == 0);
    for (const auto& error : page.errors())
        BOOST_TEST(error.find("status of 400") != error.npos, error);
}

BOOST_FIXTURE_TEST_CASE(changes_a_schedule_and_keeps_what_the_form_does_not_show, steering_test)
{
    run_program({"schedules",
                 "set",
                 "polls",
                 "--every",
                 "90m",
                 "--anchor",
                 "2026-11-22T06:30:00Z",
                 "--missed",
                 "all",
                 "--queue",
                 "managed:reports",
                 "--kind",
                 "Poll",
                 "--limit",
                 "gpu=4",
                 "--order-key",
                 "o",
                 "--priority",
                 "7",
                 "--timeout",
                 "30s",
                 "--data",
                 R"({"n":1})"});
    const auto options = of_schedule("polls", "options"), anchor = of_schedule("polls", "anchor");
    BOOST_TEST(options.find("gpu") != options.npos);
    start();
    open("schedules", "Schedules");
    page.click("//button[@aria-label='Change polls']");
    BOOST_TEST(field_of("name") == "polls");
    BOOST_TEST(field_of("queue") == "reports");
    BOOST_TEST(field_of("kind") == "Poll");
    BOOST_TEST(field_of("every") == "90m");
    BOOST_TEST(field_of("cron") == "");
    fill("every", "2h");
    page.click("//button[.='Set']");
    wait_for_result("The schedule polls is changed");
    BOOST_TEST(of_schedule("polls", "every") == "7200");
    BOOST_TEST(of_schedule("polls", "options") == options);
    BOOST_TEST(of_schedule("polls", "anchor") == anchor);
    BOOST_TEST(of_schedule("polls", "missed") == "all");
    BOOST_TEST(of_schedule("polls", "data") == R"({"n":1})");

    page.click("//button[@aria-label='Change polls']");
    BOOST_TEST(field_of("every") == "2h");
    page.click("//button[.='Set']");
    wait_for_result("The schedule polls is as it was");
    page.click("//button[@aria-label='Change polls']");
    fill("cron", "@daily");
    page.run("document.querySelector('[name=every]').value = ''");
    page.click("//button[.='Set']");
    wait_for_result("The schedule polls is changed");
    BOOST_TEST(of_schedule("polls", "cron") == "@daily");
    BOOST_TEST(of_schedule("polls", "every") == "0");
    BOOST_TEST(of_schedule("polls", "options") == options);
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_recurring_jobs_beside_schedules, steering_test)
{
    qless("recur", "checks", "pulse", "Check", "{}", "interval", "3600", "1800");
    start();
    open("schedules", "Schedules");
    wait_for_text("Recurring jobs of qless");
    page.click("//a[.='1 job in checks']");
    wait_for_text("pulse");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(changes_a_schedule_of_unique_jobs, steering_test)
{
    run_program({"schedules", "set", "polls", "--every", "90m", "--queue", "managed:reports", "--kind",
                 "Poll", "--unique"});
    const auto options = of_schedule("polls", "options");
    start();
    open("schedules", "Schedules");
    page.click("//button[@aria-label='Change polls']");
    fill("every", "2h");
    page.click("//button[.='Set']");
    wait_for_result("The schedule polls is changed");
    BOOST_TEST(of_schedule("polls", "every") == "7200");
    BOOST_TEST(of_schedule("polls", "options") == options);

    run_program({"schedules", "set", "letters", "--every", "90m", "--queue", "managed:reports", "--kind",
                 "Letter", "--unique-key", "daily", "--unique-for", "1h", "--on-conflict",
                 "replace-payload"});
    const auto of_letters = of_schedule("letters", "options");
    open("queues", "Queues");
    open("schedules", "Schedules");
    page.click("//button[@aria-label='Change letters']");
    page.click("//button[.='Set']");
    wait_for_result("The schedule letters is as it was");
    BOOST_TEST(of_schedule("letters", "options") == of_letters);

    // What makes its jobs unique goes on with other data.
    run_program({"schedules", "set", "books", "--every", "90m", "--queue", "managed:reports", "--kind",
                 "Book", "--data", R"({"a":1,"b":2})", "--unique-field", "b"});
    open("queues", "Queues");
    open("schedules", "Schedules");
    page.click("//button[@aria-label='Change books']");
    fill("payload", R"({"a":3,"b":4})");
    page.click("//button[.='Set']");
    wait_for_result("The schedule books is changed");
    const auto type_options = [&](const char* name) {
        open("queues", "Queues");
        open("schedules", "Schedules");
        page.click(name);
        page.run("document.querySelector('[name=options]').value = '{\"retries\":2}'");
    };
    type_options("//summary[.='Set a schedule']");
    for (const auto& [field, text] :
         {std::pair{"name", "books"}, std::pair{"queue", "reports"}, std::pair{"kind", "Book"},
          std::pair{"payload", R"({"a":3,"b":4})"}, std::pair{"every", "90m"}})
        fill(field, text);
    page.click("//button[.='Set']");
    wait_for_result("The schedule books is changed");
    const auto of_books = of_schedule("books", "options");
    BOOST_TEST(of_books.find(R"({\"kind\":\"Book\",\"data\":{\"b\":4}})") != of_books.npos, of_books);
    BOOST_TEST(of_books.find("\"retries\",\"2\"") != of_books.npos, of_books);

    // What is taken out of all that it has is gone.
    type_options("//button[@aria-label='Change books']");
    page.click("//button[.='Set']");
    wait_for_result("The schedule books is changed");
    BOOST_TEST(of_schedule("books", "options").find("unique") == std::string::npos);
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_and_sets_the_limits_of_a_queue, steering_test)
{
    put("j1", "Image");
    qless("queue_limits", "mail", R"([["mail server",1],["gpu",4]])");
    start();
    open("managed/mail", "mail");
    wait_for_text("All its jobs are subject to the limits mail server, gpu (4 units each).");
    page.click("//summary[.='Set its limits']");
    BOOST_TEST(field_of("limits") == "mail server\ngpu=4");
    screenshot_of_form("queue-limits-form");
    qless("queue_limits", "mail", R"([["api",2]])"); // by somebody else
    page.until("it follows", "return document.querySelector('[name=limits]').value === 'api=2'");
    fill("limits", "api = 3\n\n a=b=1\ngpu");
    page.click("//button[.='Set']");
    wait_for_result("mail has 3 limits");
    BOOST_TEST(qless("queue_limits", "mail").text == R"([["api",3],["a=b",1],["gpu",1]])");
    wait_for_text("the limits api (3 units each), a=b, gpu.");
    page.until("it shows them",
               "return document.querySelector('[name=limits]').value === 'api=3\\na=b=1\\ngpu'");

    for (const auto& [typed, wrong] :
         {std::pair{"gpu=none", "units"}, std::pair{"gpu=0", "units"}, std::pair{"order:x", "order:"},
          std::pair{"gpu\ngpu=2", "different limits"}}) {
        fill("limits", typed);
        page.click("//button[.='Set']");
        wait_for_result(wrong);
        BOOST_TEST(field_of("limits") == typed); // to be corrected
    }
    BOOST_TEST(qless("queue_limits", "mail").text == R"([["api",3],["a=b",1],["gpu",1]])");
    page.run("document.querySelector('[name=limits]').value = ''");
    page.click("//button[.='Set']");
    wait_for_result("mail has no limits");
    BOOST_TEST(qless("queue_limits", "mail").text == "[]");
    page.until("it does not name them any more",
               "return !document.querySelector('main').innerText.includes('subject to')");
    for (const auto& error : page.errors())
        BOOST_TEST(error.find("status of 400") != error.npos, error);
}

BOOST_FIXTURE_TEST_CASE(shows_and_changes_the_settings_of_a_queue, steering_test)
{
    put("j1", "Image");
    start();
    open("managed/mail", "mail");
    page.click("//summary[.='Change its settings']");
    const std::string button = "//details[summary='Change its settings']//button";
    fill("max_concurrency", "8");
    page.click(button);
    wait_for_text("Its settings: at most 8 jobs at the same time.");
    fill("heartbeat", "90s");
    page.click(button);
    wait_for_text("Its settings: at most 8 jobs at the same time; a job without a sign of its worker runs "
                  "again after 90 s.");
    page.until("it shows them", "return document.querySelector('[name=heartbeat]').value === '90s'");
    BOOST_TEST(qless("config_get", "mail-max-concurrency").text == "8");
    BOOST_TEST(qless("config_get", "mail-heartbeat").text == "90");
    fill("heartbeat", "0");
    page.click(button);
    wait_for_result("greater than zero");
    page.run("document.querySelector('[name=heartbeat]').value = ''");
    page.run("document.querySelector('[name=max_concurrency]').value = ''");
    page.click(button);
    page.until("it names none any more",
               "return !document.querySelector('main').innerText.includes('Its settings')");
    for (const auto& error : page.errors())
        BOOST_TEST(error.find("status of 400") != error.npos, error);
}

BOOST_FIXTURE_TEST_CASE(sets_the_weight_of_a_group, steering_test)
{
    put("j1", "Image");
    start();
    open("managed/mail", "mail");
    page.click("//summary[.='Set the weight of a group']");
    fill("group", "acme");
    fill("weight", "2.5");
    page.click("//details[summary='Set the weight of a group']//button");
    wait_for_result("The group acme has the weight 2.5");
    BOOST_TEST(qless("group_weight", "mail", "acme").text == "2.5");
    wait_for_text("Jobs in their turn: acme (2.5); each other group 1.");
    fill("group", "acme");
    fill("weight", "1001");
    page.click("//details[summary='Set the weight of a group']//button");
    wait_for_result("0.001 to 1000");
    BOOST_TEST(qless("group_weight", "mail", "acme").text == "2.5");
    page.click("//summary[.='Set its limits']");
    expect_narrow();
    screenshot_of_form("narrow-queue-forms");
    for (const auto& error : page.errors())
        BOOST_TEST(error.find("status of 400") != error.npos, error);
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
        "  fetch('v1/queues/managed:mail/jobs', {method: 'POST', headers: {'Content-Type': "
        "'application/json'},"
        "    body: '{\"kind\":\"Image\",\"limits\":[\"gpu\"]}'}))).then(() => { window.done = true; }); }"
        "return window.done");
    qless("pop", "mail", "worker-1", 3);
    page.until("it holds jobs back", "return document.querySelector('tbody tr').cells[1].innerText === '2'");
    BOOST_TEST(cell(2) == "1");
    BOOST_TEST(cell(3) == "1");
    screenshot("limits");
    open("managed/mail", "mail");
    BOOST_TEST(shows("2 jobs with limits, order keys or groups"));
    open("limits", "Limits");
    page.click("//button[@aria-label='Remove gpu']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("The limit gpu is removed");
    wait_for_text("No limit is set.");
    expect_no_errors();
}

BOOST_AUTO_TEST_SUITE_END()
