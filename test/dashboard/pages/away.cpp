// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

/// Redis, or the gateway, goes away and comes back.
BOOST_AUTO_TEST_SUITE(away, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

struct away_test : dashboard_test
{
    void wait_for_banner(const std::string& text)
    {
        page.until("the banner says " + text,
                   "const banner = document.querySelector('#banner');"
                   "return !banner.hidden && banner.innerText.includes(arguments[0])",
                   {text});
    }
    /// As a click does; but the page may try by itself at that moment, and hide the button.
    void try_now() { page.run("document.querySelector('#banner-retry').click()"); }
    void wait_until_live()
    {
        page.until("it is live again", "return document.querySelector('#banner').hidden &&"
                                       "  document.querySelector('#state').dataset.state === 'live'");
    }
};

BOOST_FIXTURE_TEST_CASE(tells_that_redis_is_away_and_goes_on_when_it_is_back, away_test)
{
    push("mail", "[\"id-1\",1]");
    start({"--redis-timeout", "0.2"});
    open("", "Queues");
    redis.kill();
    wait_for_banner("Redis");
    BOOST_TEST(shows("mail")); // what was known stays
    screenshot("away");
    redis.restart();
    push("back", "[\"id-1\",1]");
    try_now();
    wait_until_live();
    wait_for_text("back");
}

BOOST_FIXTURE_TEST_CASE(opens_while_redis_is_away, away_test)
{
    redis.kill();
    start({"--redis-timeout", "0.2"});
    page.go(place + query);
    wait_for_banner("Redis");
    redis.restart();
    wait_until_live(); // by itself
    BOOST_TEST(shows("No queues yet"));
}

BOOST_FIXTURE_TEST_CASE(tells_that_the_gateway_is_away, away_test)
{
    fail_jobs("mail", 1);
    start();
    open("queue/mail/failed", "mail");
    gateway.reset();
    wait_for_banner("The gateway does not answer");
    page.click("//button[@aria-label='Retry job id-0']");
    wait_for_result("The gateway does not answer");
    BOOST_TEST(length("hworker-failed-mail") == 1);
    start();
    try_now();
    wait_until_live();
    page.click("//button[@aria-label='Retry job id-0']");
    wait_for_result("1 job queued again");
}

BOOST_FIXTURE_TEST_CASE(asks_less_often_while_nothing_answers, away_test)
{
    query = "/?interval=1";
    start();
    open("", "Queues");
    gateway.reset();
    wait_for_banner("in 1 s");
    wait_for_banner("in 2 s");
    wait_for_banner("in 4 s");
}

BOOST_AUTO_TEST_SUITE_END()
