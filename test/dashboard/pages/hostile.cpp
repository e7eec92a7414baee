// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

#include <boost/json/serialize.hpp>

/// Payloads, names and messages that want to be more than text; and very many jobs.
BOOST_AUTO_TEST_SUITE(hostile, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

namespace {

const std::string attacks[] = {
    "<img src=x onerror=\"window.hit=1\">",
    "</script><script>window.hit=1</script>",
    "</pre></code><svg onload=\"window.hit=1\"></svg>",
    "<iframe src=\"javascript:parent.hit=1\"></iframe>",
    "javascript:window.hit=1",
    "\" onmouseover=\"window.hit=1\" x=\"",
    "{{constructor.constructor('window.hit=1')()}}",
};

std::string quoted(const std::string& text)
{
    return json::serialize(json::value{text});
}

} // namespace

struct hostile_test : dashboard_test
{
    /// No attack has run, and none has become an element.
    void expect_harmless()
    {
        BOOST_TEST(!page.run("return 'hit' in window").as_bool());
        BOOST_TEST(
            page.run("return document.querySelectorAll('main img, main iframe, main script, main [onload],"
                     " main [onerror], main [onmouseover]').length")
                .as_int64() == 0);
        expect_no_errors();
    }
};

BOOST_FIXTURE_TEST_CASE(shows_markup_as_text, hostile_test)
{
    know("mail");
    for (const auto& attack : attacks) {
        const auto text = quoted(attack);
        const auto payload = '[' + text + ",{\"x\":" + text + ',' + text + ":1}]";
        redis("LPUSH", "hworker-failed-mail", payload);
        redis("HSET", "hworker-failures-mail", payload, R"("2026-11-21T09:54:29.000000000000Z" 3 )" + attack);
        redis("HSET", "hworker-broken-mail", attack, R"("2026-11-21T09:54:29Z")");
    }
    start();
    open("queue/mail/failed", "mail");
    for (const auto& attack : attacks)
        BOOST_TEST(shows(attack), attack);
    page.run("document.querySelectorAll('details').forEach((one) => one.open = true)");
    screenshot("hostile");
    page.run("document.querySelectorAll('td, summary, code').forEach("
             "  (one) => one.dispatchEvent(new MouseEvent('mouseover', {bubbles: true})))");
    expect_harmless();
    open("queue/mail/broken", "mail");
    for (const auto& attack : attacks)
        BOOST_TEST(shows(attack), attack);
    expect_harmless();
}

BOOST_FIXTURE_TEST_CASE(makes_invisible_characters_visible, hostile_test)
{
    const std::string text = "abc\xe2\x80\xae"
                             "gpj.exe\xe2\x81\xa6\xe2\x80\x8b end\x7f";
    know("mail");
    redis("LPUSH", "hworker-failed-mail",
          "[\"id-1\",{\"file\":" + quoted(text) + ",\"tail\":\"\\u001b[31m red\"}]");
    start();
    open("queue/mail/failed", "mail");
    BOOST_TEST(shows("abc\\u202egpj.exe\\u2066\\u200b end\\u007f"));
    BOOST_TEST(
        page.run("return !/[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\u001b]/.test(document.body.textContent)")
            .as_bool());
    expect_harmless();
}

/// Of queues, kinds, tags and messages, in the page and in what is read out of it.
BOOST_FIXTURE_TEST_CASE(names_keep_to_themselves, hostile_test)
{
    const std::string turned = "x\xe2\x80\xaetxt.exe", long_name(300, 'n');
    std::string marked = "z";
    for (int i = 0; i != 100; ++i)
        marked += "\xcc\x81"; // an accent above the one before
    for (const auto& name : {turned, long_name, marked, std::string{"  blank "}})
        know(name);
    redis("LPUSH", "hworker-failed-" + turned, R"(["id-1",1])");
    redis("HSET", "hworker-failures-" + turned, R"(["id-1",1])",
          R"("2026-11-21T09:54:29.000000000000Z" 3 )" + turned);
    qless("put", "w-1", turned, "job-1", "K\xe2\x80\xae", "{}", "0", "tags", "[\"t\xe2\x80\xae\"]");
    start();
    const auto expect_visible = [&] {
        BOOST_TEST(page.run("const read = [...document.querySelectorAll('[title], [aria-label]')]"
                            "  .map((one) => one.title + one.getAttribute('aria-label'));"
                            "return !/[\\u202a-\\u202e]/.test(document.body.textContent + document.title + "
                            "read.join())")
                       .as_bool());
        // Nothing is wider than the page, whose place is told with what is.
        const auto too_wide =
            page.run("if (document.documentElement.scrollWidth <= innerWidth) return '';"
                     "return location.hash + ': ' + [...document.querySelectorAll('main *')]"
                     "  .filter((one) => one.getBoundingClientRect().right > innerWidth)"
                     "  .map((one) => one.tagName + '.' + one.className).join(' ')");
        BOOST_TEST(too_wide.as_string() == "");
        expect_harmless();
    };
    open("", "Queues");
    BOOST_TEST(shows("x\\u202etxt.exe"));
    BOOST_TEST(shows("\\u0020\\u0020blank\\u0020"));
    screenshot("names");
    BOOST_TEST(
        page.run("return [...document.querySelectorAll('td.name bdi')].every((one) => one.offsetHeight < 40"
                 " && getComputedStyle(one).unicodeBidi === 'isolate' && getComputedStyle(one).overflow === "
                 "'hidden')")
            .as_bool());
    BOOST_TEST(page.run("return [...document.querySelectorAll('td.name bdi')].some((one) => one.title.length "
                        "=== 300)")
                   .as_bool());
    expect_visible();
    open("queue/x%E2%80%AEtxt.exe/failed", "x\\u202etxt.exe");
    expect_visible();
    open("managed/x%E2%80%AEtxt.exe", "x\\u202etxt.exe");
    expect_visible();
    open("job/job-1", "job-1");
    BOOST_TEST(shows("t\\u202e"));
    expect_visible();
    open("failures", "Failures");
    expect_visible();
}

BOOST_FIXTURE_TEST_CASE(survives_a_megabyte_and_bytes_that_are_no_text, hostile_test)
{
    know("mail");
    const std::string large(1'000'000, 'x');
    redis("LPUSH", "hworker-failed-mail", "[\"large\",{\"text\":\"" + large + "\"}]");
    redis("LPUSH", "hworker-failed-mail",
          "[\"wide\"," + std::string(5000, '[') + std::string(5000, ']') + "]");
    redis("HSET", "hworker-broken-mail", "\xff\xfe\x01 no text", R"("2026-11-21T09:54:29Z")");
    start();
    open("queue/mail/failed", "mail");
    page.click("//tr[contains(.,'large')]//summary");
    wait_for_text("characters more");
    BOOST_TEST(page.run("return document.body.textContent.length < 100000").as_bool());
    BOOST_TEST(page.run("return document.documentElement.scrollWidth <= innerWidth").as_bool());
    wait_for_text("not updated by itself"); // a megabyte every two seconds would be too much
    redis("DEL", "hworker-failed-mail");
    page.click("//button[.='Update']");
    wait_for_text("No job has failed.");
    open("queue/mail/broken", "mail");
    BOOST_TEST(shows("no text"));
    expect_harmless();
}

BOOST_FIXTURE_TEST_CASE(shows_a_million_jobs, hostile_test)
{
    know("mail");
    // In Redis itself, a few thousand at a time.
    redis("EVAL",
          "for i = 1, 1000 do local part = {} for j = 1, 1000 do "
          "part[j] = '[\"' .. i .. '-' .. j .. '\",{\"n\":' .. j .. '}]' end "
          "redis.call('LPUSH', KEYS[1], unpack(part)) end",
          1, "hworker-jobs-mail");
    start();
    open("", "Queues");
    BOOST_TEST(shows("1,000,000"));
    screenshot("million");
    open("queue/mail/waiting", "mail");
    BOOST_TEST(page.run("return document.querySelectorAll('tbody tr').length <= 50").as_bool());
    // Nothing but pages was asked for.
    const auto largest =
        page.run("return Math.max(...performance.getEntriesByType('resource')"
                 ".filter((one) => one.name.includes('queues')).map((one) => one.decodedBodySize))");
    BOOST_TEST(largest.to_number<double>() < 100'000);
    expect_harmless();
}

BOOST_AUTO_TEST_SUITE_END()
