// SPDX-License-Identifier: MIT
#include "json/job_text.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <memory>

/// How jobs are described in JSON.
BOOST_AUTO_TEST_SUITE(job_texts)

using namespace coworker;
using namespace std::chrono_literals;

namespace {

/// A job of the queue "reports" that is complete, and so in no queue any more.
job_info a_complete_job()
{
    managed_job record;
    for (const auto* const what : {"put", "done"}) {
        auto& entry = record.history.emplace_back();
        entry.what = what;
        entry.when = timestamp{std::chrono::sys_days{std::chrono::year{2026} / 11 / 21} + 9h + 250ms};
    }
    record.history.front().queue = "reports";
    job_info job;
    job.queue = queue_ref::managed("");
    job.data = "{}";
    job.record = std::make_shared<const managed_job>(std::move(record));
    return job;
}

} // namespace

BOOST_AUTO_TEST_CASE(one_that_is_complete_has_the_queue_in_which_it_was_last)
{
    const auto shown =
        boost::json::parse(detail::describe(a_complete_job(), detail::json_for::programs).str());
    BOOST_TEST(shown.at("queue").as_string() == "managed:reports");
}

BOOST_AUTO_TEST_CASE(times_of_a_history_have_no_more_than_is_stored)
{
    const auto shown =
        boost::json::parse(detail::describe(a_complete_job(), detail::json_for::programs).str());
    BOOST_TEST(shown.at("history").at(0).at("at").as_string() == "2026-11-21T09:00:00Z");
}

BOOST_AUTO_TEST_SUITE_END()
