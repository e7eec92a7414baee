// SPDX-License-Identifier: MIT
#include "steering_test.hpp"

/// Schedules, and the form that sets them.
BOOST_AUTO_TEST_SUITE(scheduling, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

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

BOOST_FIXTURE_TEST_CASE(sets_and_steers_schedules_of_list_queues, steering_test)
{
    start();
    open("schedules", "Schedules");
    page.click("//summary[.='Set a schedule']");
    fill("name", "digest");
    fill("queue", "mail");
    fill("payload", R"({"to":"all"})");
    fill("every", "1h");
    page.click("//button[.='Set']");
    wait_for_result("The schedule digest is set");
    wait_for_text("Run now"); // in the row of the schedule
    BOOST_TEST(cell(4) == "mail");
    page.click("//button[@aria-label='Run now digest']");
    wait_for_result("digest was pushed as job digest@");
    BOOST_TEST(redis("LLEN", "hworker-jobs-mail").integer == 1);
    page.click("//button[@aria-label='Change digest']");
    BOOST_TEST(field_of("kind") == "");
    fill("every", "2h");
    page.click("//button[.='Set']");
    wait_for_result("The schedule digest is changed");
    page.click("//button[@aria-label='Delete digest']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("digest is deleted");
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

/// The digest of large members does not tell which they were, so the form cannot set the same again.
BOOST_FIXTURE_TEST_CASE(asks_what_makes_jobs_unique_where_the_key_is_a_digest, steering_test)
{
    const auto large = R"({"a":1,"b":")" + std::string(1000, 'x') + "\"}";
    run_program({"schedules", "set", "books", "--every", "90m", "--queue", "managed:reports", "--kind",
                 "Book", "--retries", "3", "--data", large, "--unique-field", "b"});
    const auto options = of_schedule("books", "options");
    BOOST_TEST(options.find(R"({\"kind\":)") != options.npos, options);
    BOOST_TEST(options.find("xxx") == options.npos, options);
    const auto expect_nothing_changed = [&] {
        wait_for_result(R"(is no longer known: type "unique" under other options)");
        BOOST_TEST(of_schedule("books", "options") == options);
        BOOST_TEST(of_schedule("books", "every") == "5400");
        BOOST_TEST(of_schedule("books", "data") == large);
    };
    start();
    open("schedules", "Schedules");
    page.click("//button[@aria-label='Change books']");
    fill("every", "2h");
    page.click("//button[.='Set']");
    expect_nothing_changed();
    BOOST_TEST(field_of("every") == "2h"); // to be sent again
    screenshot("schedule-digest");

    // Where the name is typed, its options are kept.
    open("queues", "Queues");
    open("schedules", "Schedules");
    page.click("//summary[.='Set a schedule']");
    for (const auto& [field, text] : {std::pair{"name", "books"}, std::pair{"queue", "reports"},
                                      std::pair{"kind", "Book"}, std::pair{"every", "2h"}})
        fill(field, text);
    page.click("//button[.='Set']");
    expect_nothing_changed();

    open("queues", "Queues");
    open("schedules", "Schedules");
    page.click("//button[@aria-label='Change books']");
    fill("every", "2h");
    page.run(R"(document.querySelector('[name=options]').value = '{"retries":3,"unique":{"fields":["b"]}}')");
    page.click("//button[.='Set']");
    wait_for_result("The schedule books is changed");
    BOOST_TEST(of_schedule("books", "every") == "7200");
    BOOST_TEST(of_schedule("books", "options") == options);
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(does_not_overwrite_what_somebody_else_has_changed_meanwhile, steering_test)
{
    const auto set_polls = [&](const std::string& every, const std::string& priority) {
        run_program({"schedules", "set", "polls", "--every", every, "--queue", "managed:reports", "--kind",
                     "Poll", "--priority", priority});
    };
    set_polls("90m", "7");
    start();
    open("schedules", "Schedules");
    page.click("//button[@aria-label='Change polls']");
    fill("every", "2h");
    set_polls("3h", "8"); // by somebody else
    page.click("//button[.='Set']");
    wait_for_result("The schedule polls was changed by somebody else");
    BOOST_TEST(of_schedule("polls", "every") == "10800");
    page.until("the row follows",
               "return document.querySelector('tbody tr').cells[1].innerText === 'every 3 h'");
    page.click("//button[@aria-label='Change polls']");
    BOOST_TEST(field_of("every") == "3h");
    fill("every", "2h");
    run_program({"schedules", "run", "polls"}); // changes nothing of what is set
    page.click("//button[.='Set']");
    wait_for_result("The schedule polls is changed");
    BOOST_TEST(of_schedule("polls", "every") == "7200");
    BOOST_TEST(of_schedule("polls", "options").find("\"8\"") != std::string::npos);
    expect_no_errors();
}

BOOST_AUTO_TEST_SUITE_END()
