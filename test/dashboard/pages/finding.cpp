// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

/// Searching, sorting, and going to a queue or job by its name.
BOOST_AUTO_TEST_SUITE(finding, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(searches_jobs_of_a_list_queue, dashboard_test)
{
    start();
    fail_jobs("mail", 45);
    open("queue/mail/failed", "mail");
    page.type("//form[@role='search']//input[@name='text']", "id-17");
    page.click("//main//button[.='Search']");
    page.until("one is found", "return document.querySelectorAll('tbody tr').length === 1");
    BOOST_TEST(shows("it broke at step 17"));
    BOOST_TEST(!shows("Retry all")); // of what is found
    page.click("//button[@aria-label='Retry job id-17']");
    wait_for_text("No job matches.");
    page.click("//a[.='Show all']");
    wait_for_text("id-44");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(searches_jobs_of_a_managed_queue_and_acts_on_those, dashboard_test)
{
    for (int i = 0; i != 25; ++i)
        put("a" + std::to_string(i), "Image", R"({"file":"a.png"})", "tags",
            i % 5 == 0 ? R"(["red"])" : "[]");
    start();
    open("managed/mail/waiting", "mail");
    page.type("//input[@name='tag']", "red");
    page.click("//main//button[.='Search']");
    page.until("five are found", "return document.querySelectorAll('tbody tr').length === 5");
    page.click("//button[.='Cancel all']");
    wait_for_text("all waiting jobs that this search finds");
    page.click("//button[@id='ask-yes']");
    wait_for_result("5 jobs cancelled");
    BOOST_TEST(redis("ZCARD", "ql:q:mail-work").integer == 20);
    BOOST_TEST(broken() == "");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(goes_to_what_is_named, dashboard_test)
{
    put("j1", "Image");
    know("letters");
    start();
    open("", "Queues");
    page.type("//input[@id='find']", "letters");
    page.press({"Enter"});
    wait_for_heading("letters");
    page.type("//input[@id='find']", "mail");
    page.click("//button[.='Show']");
    wait_for_heading("mail");
    BOOST_TEST(page.run("return location.hash").as_string() == "#/managed/mail");
    page.type("//input[@id='find']", "j1");
    page.press({"Enter"});
    wait_for_heading("j1");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(sorts_queues_and_sums_them_up, dashboard_test)
{
    push("a", R"(["id-1",1])");
    fail_jobs("b", 3);
    know("c");
    start();
    open("", "Queues");
    const auto names =
        "return [...document.querySelectorAll('tbody td.name a')].map((one) => one.textContent).join('')";
    BOOST_TEST(page.run(names).as_string() == "abc");
    page.click("//th//a[.='Failed']");
    page.until("it is sorted", std::string{"return (function () {"} + names + "})() === 'bac'");
    BOOST_TEST(
        page.run("return document.querySelector('th[aria-sort=descending]').textContent").as_string() ==
        "Failed");
    const auto sums =
        page.run("return [...document.querySelector('tfoot tr').cells].map((cell) => cell.textContent)");
    BOOST_TEST(sums.at(1).as_string() == "1");
    BOOST_TEST(sums.at(4).as_string() == "3");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_a_queue_in_two_lines_on_a_phone, dashboard_test)
{
    for (int i = 0; i != 1200; ++i)
        push("mail", "[\"id-" + std::to_string(i) + "\",1]");
    fail_jobs("mail", 100);
    start();
    page.set_size(360, 700);
    open("", "Queues");
    const auto height =
        page.run("return document.querySelectorAll('tbody tr')[0].getBoundingClientRect().height");
    BOOST_TEST(height.to_number<double>() < 70);
    screenshot("phone");
    expect_no_errors();
}

BOOST_AUTO_TEST_SUITE_END()
