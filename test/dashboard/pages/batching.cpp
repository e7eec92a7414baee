// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

/// Batches, and searching by kind and time.
BOOST_AUTO_TEST_SUITE(batching, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

namespace {

struct batching_test : dashboard_test
{
    void put_into(const std::string& batch, const std::string& jid)
    {
        put(jid, "Row", R"({"n":1})", "options", R"({"batch":")" + batch + "\"}");
    }

    /// An import with two parts: of the first one job has failed, one is done, and one waits; the other is empty.
    void open_import()
    {
        qless("batch_open", "import", "description", "Import of Monday");
        qless("batch_open", "part-1", "parent", "import");
        qless("batch_open", "part-2", "parent", "import");
        for (const auto* jid : {"a", "b"})
            put_into("part-1", jid);
        qless("pop", "mail", "w", "2");
        qless("fail", "a", "w", "io", "no disk");
        qless("complete", "b", "w", "mail", "{}");
        put_into("part-1", "c");
        put_into("import", "d");
    }

    std::string label_of_bar(const std::string& row)
    {
        return page.label("//tr[contains(.,'" + row + "')]//*[local-name()='svg']");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(shows_batches_with_how_far_they_are, batching_test)
{
    start();
    open("batches", "Batches");
    wait_for_text("There are no batches.");
    screenshot("batches-empty");
    open_import();
    wait_for_text("Import of Monday");
    BOOST_TEST(label_of_bar("part-1") == "1 succeeded, 1 failed, 1 pending of 3");
    BOOST_TEST(label_of_bar("part-2") == "no job yet");
    BOOST_TEST(label_of_bar("Import") == "3 pending of 3");
    BOOST_TEST(shows("66 % 1 failed"));
    for (const auto* colours : {"light", "dark"}) {
        page.set_colours(colours);
        screenshot(std::string{"batches-"} + colours);
    }
    page.set_size(320, 700);
    BOOST_TEST(page.run("return document.documentElement.scrollWidth").as_int64() <= 320);
    const auto height = page.run("return Math.max(...[...document.querySelectorAll('tbody tr')]"
                                 "  .map((row) => row.getBoundingClientRect().height))");
    BOOST_TEST(height.to_number<double>() < 80); // two lines
    screenshot("narrow-batches");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(shows_what_is_inside_retries_and_cancels, batching_test)
{
    open_import();
    start();
    open("batches", "Batches");
    page.click("//a[.='Import of Monday']");
    wait_for_heading("import");
    wait_for_text("Batches inside of it");
    BOOST_TEST(shows("part-1"));
    BOOST_TEST(
        page.run("return document.querySelectorAll('[data-key=pending] tbody tr').length").as_int64() == 1);
    page.click("//a[.='part-1']");
    wait_for_heading("part-1");
    page.click("//nav[@aria-label='Jobs of the batch']//a[.='Failed']");
    wait_for_text("no disk");
    BOOST_TEST(page.run("return document.querySelectorAll('[data-key=failed] tbody tr').length").as_int64() ==
               1);
    screenshot("batch");
    page.set_size(320, 700);
    BOOST_TEST(page.run("return document.documentElement.scrollWidth").as_int64() <= 320);
    screenshot("narrow-batch");
    page.set_size(1280, 900);
    page.click("//button[.='Retry all']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("1 job queued again");
    wait_for_text("No job of this batch has failed.");
    page.click("//button[@aria-label='Cancel part-1']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("2 jobs cancelled");
    wait_for_text("cancelled");
    BOOST_TEST(redis("HGET", "ql:coworker:batch:part-1", "outcome").text == "cancelled");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(seals_batches_that_are_open, batching_test)
{
    open_import();
    start();
    open("batches", "Batches");
    page.click("//button[@aria-label='Seal part-2']");
    BOOST_TEST(shows("Nothing of it is pending, so it ends at once"));
    page.click("//button[@id='ask-no']");
    BOOST_TEST(redis("HGET", "ql:coworker:batch:part-2", "open").text == "1");
    page.click("//button[@aria-label='Seal part-2']");
    page.click("//button[@id='ask-yes']");
    wait_for_result("part-2 is sealed");
    BOOST_TEST(redis("HGET", "ql:coworker:batch:part-2", "outcome").text == "succeeded");
    page.until("it cannot be sealed again", "return !document.querySelector('[aria-label=\"Seal part-2\"]')");
    BOOST_TEST(page.run("return document.querySelectorAll('[data-action=seal]').length").as_int64() == 2);
    screenshot("batches-to-seal");
    open("batch/part-1", "part-1");
    page.click("//button[@aria-label='Seal part-1']");
    BOOST_TEST(shows("It ends when nothing of it is pending"));
    screenshot("batch-to-seal");
    page.click("//button[@id='ask-yes']");
    wait_for_result("part-1 is sealed");
    page.until("it runs", "return document.querySelector('.heading .badge').textContent === 'running'");
    BOOST_TEST(page.run("return document.querySelectorAll('[data-action=seal]').length").as_int64() == 0);
    open("batch/import", "import");
    page.until("it can be sealed", "return document.querySelector('[aria-label=\"Seal import\"]')");
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(opens_a_batch, batching_test)
{
    start();
    open("batches", "Batches");
    page.click("//summary[.='Open a batch']");
    page.type("//input[@name='id']", "import");
    page.type("//input[@name='description']", "Tonight's import");
    page.type("//textarea[@name='options']", R"({"on_success":{"queue":"reports","kind":"Summary"}})");
    page.click("//button[.='Open']");
    wait_for_result("The batch import is open");
    wait_for_text("Tonight's import");
    BOOST_TEST(redis("HGET", "ql:coworker:batch:import", "on_success").text.find("Summary") !=
               std::string::npos);
    expect_no_errors();
}

BOOST_FIXTURE_TEST_CASE(says_that_a_batch_cannot_be_sealed_any_more, batching_test)
{
    qless("batch_open", "import");
    start();
    open("batches", "Batches");
    page.click("//button[@aria-label='Seal import']");
    redis("DEL", "ql:coworker:batch:import"); // meanwhile
    page.click("//button[@id='ask-yes']");
    wait_for_result("There is no batch of this id");
    for (const auto& error : page.errors())
        BOOST_TEST(error.find("status of 404") != error.npos, error);
}

BOOST_FIXTURE_TEST_CASE(searches_jobs_by_kind_and_time, batching_test)
{
    put("a", "Letter");
    put("b", "Report");
    start();
    open("managed/mail/waiting?kind=Letter", "mail");
    wait_for_text("Show all");
    const std::string rows = "return [...document.querySelectorAll('[data-key=waiting] tbody tr')]"
                             "  .map((row) => row.dataset.key).join(' ')";
    BOOST_TEST(page.run(rows).as_string() == "a");
    page.run("document.querySelector('.search [name=kind]').value = 'Report';"
             "document.querySelector('[name=since]').value = '2020-01-01T00:00'");
    page.click("//button[.='Search']");
    page.until("the report is found", rows + " === 'b'");
    BOOST_TEST(page.run("return new URLSearchParams(location.hash.split('?')[1]).get('since')")
                   .as_string()
                   .ends_with("Z"));
    page.run("document.querySelector('[name=until]').value = '2021-01-01T00:00'");
    page.click("//button[.='Search']");
    wait_for_text("No job matches.");
    screenshot("search");
    BOOST_TEST(page.run("return document.querySelector('[name=until]').value").as_string() ==
               "2021-01-01T00:00");
    expect_no_errors();
}

BOOST_AUTO_TEST_SUITE_END()
