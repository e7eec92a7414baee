// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

/// Keyboard, narrow windows, colours.
BOOST_AUTO_TEST_SUITE(layout, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

struct layout_test : dashboard_test
{
    std::string focused()
    {
        const auto text = page.run("const one = document.activeElement;"
                                   "return one.getAttribute('aria-label') ?? (one.id || one.innerText)");
        return std::string{text.as_string()};
    }

    /// Presses Tab until an element has the focus, which has to be visible on the way there.
    void tab_to(const std::string& name)
    {
        for (int i = 0; i != 60; ++i) {
            page.press({"Tab"});
            const auto outline =
                page.run("const one = document.activeElement;" // from the end to the beginning
                         "return one === document.body ? 'solid' :"
                         "  getComputedStyle(one).outlineStyle");
            BOOST_TEST(outline.as_string() != "none", focused());
            if (focused() == name)
                return;
        }
        BOOST_ERROR("the keyboard does not reach " + name);
    }

    /// The least contrast of a text to what is behind it.
    void expect_contrast(double least)
    {
        const auto found = page.run(R"(
            const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
            const rgba = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour;
              canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
            const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) =>
              c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, i) =>
              sum + c * [0.2126, 0.7152, 0.0722][i], 0);
            const behind = (one) => { for (; one; one = one.parentElement) {
              const colour = rgba(getComputedStyle(one).backgroundColor); if (colour[3] === 255) return colour; }
              return [255, 255, 255]; };
            let worst = [21, ''];
            for (const one of document.querySelectorAll('body *')) {
              const has_text = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
              if (!has_text || !one.checkVisibility() || one.closest(':disabled') || one.closest('.result')) continue;
              const [a, b] = [light(rgba(getComputedStyle(one).color)), light(behind(one))];
              const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
              if (contrast < worst[0]) worst = [contrast, one.outerHTML.slice(0, 200)];
            }
            return worst;)");
        BOOST_TEST(found.at(0).to_number<double>() >= least, found.at(1).as_string());
    }
};

BOOST_FIXTURE_TEST_CASE(can_be_used_with_the_keyboard_alone, layout_test)
{
    fail_jobs("mail", 3);
    start();
    open("", "Queues");
    page.press({"Tab"});
    BOOST_TEST(focused() == "Skip to the content");
    page.press({"Enter"});
    BOOST_TEST(focused() == "main");
    tab_to("mail");
    page.press({"Enter"});
    wait_for_heading("mail");
    open("queue/mail/failed", "mail");
    tab_to("Choose job id-1");
    page.press({"Space"});
    wait_for_text("1 chosen");
    tab_to("Delete job id-1");
    page.press({"Enter"});
    page.until("it asks", "return document.querySelector('#ask').open");
    page.press({"Tab"});
    BOOST_TEST(focused() == "ask-yes");
    page.press({"Enter"});
    wait_for_result("1 job deleted");
    BOOST_TEST(length("hworker-failed-mail") == 2);
    page.until("the focus is at the next job",
               "return document.activeElement.getAttribute('aria-label') === 'Delete job id-0'");
    open("", "Queues");
    tab_to("find");
    page.press({"m", "a", "i", "l", "Enter"});
    wait_for_heading("mail");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(has_landmarks_headings_and_names, layout_test)
{
    fail_jobs("mail", 3);
    start();
    open("queue/mail/failed", "mail");
    BOOST_TEST(page.run("return document.documentElement.lang").as_string() == "en");
    for (const auto* one : {"header", "main", "nav[aria-label]", "h1", "[role=status][aria-live=polite]",
                            "table[role=table][aria-label]", "th[scope=col]"})
        BOOST_TEST(page.run("return document.querySelectorAll(arguments[0]).length > 0", {one}).as_bool(),
                   one);
    BOOST_TEST(page.run("return document.querySelectorAll('h1').length").as_int64() == 1 + 0);
    const auto nameless = page.run(
        "return [...document.querySelectorAll('button, input, select, a')].filter((one) =>"
        "  one.checkVisibility() && !one.innerText.trim() && !one.ariaLabel && !one.labels?.length).length");
    BOOST_TEST(nameless.as_int64() == 0);
    BOOST_TEST(page.label("//select") == "Colours");
    BOOST_TEST(
        page.run("return document.querySelector('nav a[aria-current=page]').textContent").as_string() ==
        "Queues");
}

BOOST_FIXTURE_TEST_CASE(fits_into_a_narrow_window, layout_test)
{
    fail_jobs("mail", 30);
    fail_jobs("a-queue-with-a-name-that-is-as-long-as-they-come-" + std::string(70, 'x'), 1);
    redis("HSET", "hworker-broken-mail", std::string(500, 'y'), R"("2026-11-21T09:54:29Z")");
    qless("batch_open", "import", "description", std::string(60, 'z'));
    put("j1", "Image");
    qless("queue_limits", "mail", R"(["gpu",")" + std::string(100, 'g') + "\"]");
    qless("schedule_set", "polls", "4000000000", "", "", "60", "0", "once", "mail", "Poll", "{}", "[]");
    start();
    page.set_size(320, 700);
    for (const auto& [view, heading] :
         {std::pair{"", "Queues"}, std::pair{"queue/mail/failed", "mail"},
          std::pair{"queue/mail/broken", "mail"}, std::pair{"failures", "Failures"},
          std::pair{"workers", "Workers"}, std::pair{"batches", "Batches"},
          std::pair{"batch/import", "import"}, std::pair{"managed/mail", "mail"},
          std::pair{"schedules", "Schedules"}}) {
        open(view, heading);
        page.run("for (const one of document.querySelectorAll('details.push')) one.open = true");
        const auto width = page.run("return document.documentElement.scrollWidth");
        BOOST_TEST(width.as_int64() <= 320, view);
        std::string name{"narrow-"};
        for (const char c : std::string{view})
            name += c == '/' ? '-' : c;
        screenshot(name);
    }
    page.click("//nav//a[.='Queues']");
    wait_for_heading("Queues");
    page.click("//button[@aria-label='Pause mail']");
    wait_for_result("mail is paused");
}

BOOST_FIXTURE_TEST_CASE(a_button_below_the_pointer_can_be_read, layout_test)
{
    start();
    open("limits", "Limits");
    page.click("//summary[.='Set a limit']");
    page.click("//button[.='Set']"); // without a name nothing is sent
    for (const auto* scheme : {"light", "dark"}) {
        page.set_colours(scheme);
        BOOST_TEST(page.run("return document.querySelector('.push button').matches(':hover')").as_bool());
        expect_contrast(4.5);
    }
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(is_dark_or_light_as_the_system_or_the_user_wants, layout_test)
{
    fail_jobs("mail", 3);
    redis("SET", "hworker-paused-mail", 1);
    qless("batch_open", "import");
    put("j", "Row", "{}", "options", R"({"batch":"import"})");
    qless("pop", "mail", "w", "1");
    qless("fail", "j", "w", "io", "no disk");
    start();
    const auto is_dark = [&] {
        return page
            .run("const [r] = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g);"
                 "return Number(r) < 100")
            .as_bool();
    };
    for (const auto* scheme : {"light", "dark"}) {
        page.set_colours(scheme);
        for (const auto& [view, heading] :
             {std::pair{"", "Queues"}, std::pair{"batches", "Batches"}, std::pair{"batch/import", "import"},
              std::pair{"queue/mail/failed", "mail"}}) {
            open(view, heading);
            BOOST_TEST(is_dark() == (scheme == std::string{"dark"}));
            expect_contrast(4.5);
            std::string name{heading};
            screenshot(name + '-' + scheme);
        }
    }
    page.run("const one = document.querySelector('#theme'); one.value = 'light'; one.onchange()");
    BOOST_TEST(!is_dark());
    page.run("location.reload()");
    wait_for_heading("mail");
    BOOST_TEST(!is_dark()); // it is remembered
    page.set_colours("light");
    page.run("const one = document.querySelector('#theme'); one.value = 'dark'; one.onchange()");
    BOOST_TEST(is_dark());
    expect_no_errors();
}

BOOST_AUTO_TEST_SUITE_END()
