// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

#include <fstream>
#include <tuple>

/// The token, and pages of other sites.
BOOST_AUTO_TEST_SUITE(admitting, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

struct admitting_test : dashboard_test
{
    temporary_folder folder;

    void start_with_token()
    {
        std::ofstream{folder.file("token")} << "s3cret\n";
        start({"--token-file", folder.file("token")});
    }

    void enter(const std::string& token)
    {
        page.until("it asks for the token", "return document.querySelector('#token').open");
        page.type("//input[@id='token-input']", token);
        page.press({"Enter"});
    }
};

BOOST_FIXTURE_TEST_CASE(asks_for_the_token_and_keeps_it_for_the_tab_only, admitting_test)
{
    fail_jobs("mail", 2);
    start_with_token();
    page.go(place + query);
    page.until("it asks for the token", "return document.querySelector('#token').open");
    BOOST_TEST(page.run("return document.activeElement.id").as_string() == "token-input");
    BOOST_TEST(!shows("mail"));
    screenshot("token");
    enter("wrong");
    wait_for_text("does not accept this token");
    enter("two words \xc3\xa9");
    wait_for_text("does not accept this token");
    enter("s3cret");
    wait_for_heading("Queues");
    BOOST_TEST(shows("mail"));
    const auto stored =
        page.run("return [JSON.stringify(sessionStorage), JSON.stringify(localStorage), document.cookie,"
                 " location.href].map((text) => text.includes('s3cret'))");
    BOOST_TEST(stored.at(0).as_bool());
    for (const std::size_t other : {1u, 2u, 3u})
        BOOST_TEST(!stored.at(other).as_bool());

    page.go(place + query + "#/queue/mail/failed"); // the same tab
    wait_for_heading("mail");
    page.click("//button[.='Retry all']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("2 jobs queued again");
    page.click("//button[.='Forget token']");
    page.until("it asks again", "return document.querySelector('#token').open && !sessionStorage.length");
    for (const auto& error : page.errors())
        BOOST_TEST(error.find("status of 401") != error.npos, error);
}

BOOST_FIXTURE_TEST_CASE(hides_what_can_be_done_from_who_may_only_read, admitting_test)
{
    fail_jobs("mail", 2);
    put("j1", "Image");
    qless("queue_limits", "mail", R"(["gpu"])");
    qless("batch_open", "import");
    qless("schedule_set", "polls", "4000000000", "", "", "60", "0", "once", "mail", "Poll", "{}", "[]");
    std::ofstream{folder.file("token")} << "s3cret\nguest read look\n";
    start({"--token-file", folder.file("token")});
    page.go(place + query + "#/queue/mail/failed");
    enter("look");
    wait_for_heading("mail");
    wait_for_text("it broke at step 1");
    BOOST_TEST(shows("Read only"));
    BOOST_TEST(!shows("Retry"));
    BOOST_TEST(!shows("Delete"));
    BOOST_TEST(!shows("Pause"));
    BOOST_TEST(!shows("Push a job"));
    screenshot("read-only");
    for (const auto& [view, heading, text] :
         {std::tuple{"managed/mail", "mail", "subject to the limit gpu"},
          std::tuple{"schedules", "Schedules", "every 60 s"}, std::tuple{"batches", "Batches", "import"},
          std::tuple{"batch/import", "import", "open"}}) {
        page.go(place + query + "#/" + view);
        wait_for_heading(heading);
        wait_for_text(text);
        for (const auto* action : {"Set its limits", "Set the weight", "Set a schedule", "Change", "Seal"})
            BOOST_TEST(!shows(action), action);
    }
    page.go(place + query + "#/queue/mail/failed");
    wait_for_heading("mail");
    page.click("//button[.='Forget token']");
    enter("s3cret");
    wait_for_text("Retry all");
    BOOST_TEST(!shows("Read only"));
    for (const auto& error : page.errors())
        BOOST_TEST(error.find("status of 401") != error.npos, error);
}

BOOST_FIXTURE_TEST_CASE(asks_again_when_the_token_has_changed, admitting_test)
{
    fail_jobs("mail", 1);
    start_with_token();
    page.go(place + query + "#/queue/mail/failed");
    enter("s3cret");
    wait_for_heading("mail");
    std::ofstream{folder.file("token")} << "another\n";
    start({"--token-file", folder.file("token")});
    enter("another");
    page.until("it is live", "return document.querySelector('#state').dataset.state === 'live'");
    BOOST_TEST(shows("id-0"));
}

BOOST_FIXTURE_TEST_CASE(refuses_what_a_page_of_another_site_sends, admitting_test)
{
    fail_jobs("mail", 1);
    start();
    dashboard_test other; // another origin
    other.start();
    other.open("", "Queues");
    // Without a policy of its own: a page that may ask whomever it likes.
    page.go("data:text/html,<h1>elsewhere</h1>");
    const auto target = place + "/v1/queues/mail/jobs/delete";
    const auto send = [&](const std::string& type) {
        return page.until("the request has ended",
                          "window.sent = window.sent || {}; const [url, type] = arguments;"
                          "if (!(type in sent)) { sent[type] = '';"
                          "  fetch(url, {method: 'POST', mode: type === 'text/plain' ? 'no-cors' : 'cors',"
                          "    headers: {'Content-Type': type}, body: '{\"all\":true}'})"
                          "  .then(() => sent[type] = 'answered', () => sent[type] = 'refused'); }"
                          "return sent[type]",
                          {target, type});
    };
    BOOST_TEST(send("application/json").as_string() ==
               "refused"); // by the browser, which asked the gateway first
    send("text/plain");
    page.run("const form = document.createElement('form'); form.method = 'POST'; form.action = arguments[0];"
             "form.enctype = 'text/plain'; form.innerHTML = '<input name=\\'{\"all\":true,\"x\":\"\\' "
             "value=\\'\"}\\'>';"
             "document.body.append(form); form.submit()",
             {target});
    page.until("the form was answered",
               "return location.href.startsWith('http') && document.readyState === 'complete'");
    BOOST_TEST(shows("another site"));
    BOOST_TEST(length("hworker-failed-mail") == 1);
    // It may be linked to, but not be shown inside of another page.
    page.go("data:text/html,<a id=a href='" + place + "/'>link</a>");
    page.click("//a");
    wait_for_heading("Queues");
    page.go("data:text/html,<iframe src='" + place + "/'></iframe>");
    BOOST_TEST(page.frame_address().starts_with("chrome-error:"));
}

BOOST_AUTO_TEST_SUITE_END()
