// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

/// The jobs around a job, as a picture.
BOOST_AUTO_TEST_SUITE(picturing, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

namespace {

struct picturing_test : dashboard_test
{
    void put_behind(const std::string& jid, const std::string& parent)
    {
        put(jid, "Step", "{}", "depends", R"([")" + parent + "\"]");
    }

    std::string texts(const std::string& selector)
    {
        const auto found = page.run("return [...document.querySelectorAll(arguments[0])]"
                                    "  .map((one) => one.textContent).join('|')",
                                    {selector.c_str()});
        return std::string{found.as_string()};
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(shows_two_steps_before_and_behind_a_job, picturing_test)
{
    put("a", "Step");
    put_behind("b", "a");
    put_behind("c", "b");
    put_behind("<b>d</b>", "c");
    put_behind("e", "<b>d</b>");
    put_behind("f", "e");
    qless("pop", "mail", "w", "1");
    start();
    open("job/c", "c");
    wait_for_text("Jobs around it");
    BOOST_TEST(texts(".graph .id") == "c|b|<b>d</b>|a|e");
    BOOST_TEST(texts(".graph rect.good + text") == "a"); // it runs
    BOOST_TEST(texts(".graph .here .what") == "depends, Step");
    BOOST_TEST(page.run("return document.querySelectorAll('.graph .edge').length").as_int64() == 4);
    BOOST_TEST(page.run("return document.querySelectorAll('.graph a')[1].getAttribute('href')").as_string() ==
               "#/job/%3Cb%3Ed%3C%2Fb%3E");
    BOOST_TEST(page.label("//*[local-name()='svg'][@class='graph']") ==
               "The jobs around this one, 4; below they are as a list");
    for (const auto* colours : {"light", "dark"}) {
        page.set_colours(colours);
        screenshot(std::string{"picture-"} + colours);
    }
    page.click("//summary[.='As a list']");
    BOOST_TEST(texts(".around li") ==
               "a running Step|b depends Step, after a|c depends Step, this job, after b|"
               "<b>d</b> depends Step, after c|e depends Step, after <b>d</b>");
    page.set_size(390, 800);
    BOOST_TEST(page.run("return document.documentElement.scrollWidth").as_int64() <= 390);
    screenshot("narrow-picture");
    page.click("//li/a[.='b']");
    wait_for_heading("b");
    page.until("the picture is another one",
               "return document.querySelector('.graph .here .id')?.textContent === 'b'");
    BOOST_TEST(texts(".graph .id") == "b|a|c|<b>d</b>");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_fifty_jobs_at_most_and_nothing_for_a_job_alone, picturing_test)
{
    put("a", "Step");
    put("alone", "Step");
    for (int i = 0; i != 60; ++i)
        put_behind("part-" + std::to_string(i), "a");
    start();
    open("job/a", "a");
    wait_for_text("11 more jobs not shown.");
    BOOST_TEST(page.run("return document.querySelectorAll('.graph rect').length").as_int64() == 50);
    screenshot("picture-wide");
    open("job/alone", "alone");
    BOOST_TEST(!shows("Jobs around it"));
    expect_no_errors();
}

BOOST_AUTO_TEST_SUITE_END()
