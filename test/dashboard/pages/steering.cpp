// SPDX-License-Identifier: MIT
#include "steering_test.hpp"

/// Limits and the turns of groups.
BOOST_AUTO_TEST_SUITE(steering, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

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
