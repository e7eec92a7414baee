// SPDX-License-Identifier: MIT
#include "account_lines.hpp"

#include "storm_account.hpp"
#include "support/temporary_folder.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;

/// What the account of a storm finds in what its processes have written down.
BOOST_AUTO_TEST_SUITE(account_lines)

namespace {

/// Job "a" was pushed, ran, and has counted itself.
struct storm_of_one_job
{
    temporary_folder folder;
    int file = open_record(folder.file("lines").c_str());
    std::vector<std::string> effects{"q a 0", "1"}, counters{"1", ""};

    storm_of_one_job()
    {
        write_pushed(file, "q", "a", 500);
        write_ended(file, "q", "a", 700, true);
        tell_success();
    }
    ~storm_of_one_job() { ::close(file); }

    void tell_success() const { write_heard(file, "q", {.kind = event_kind::succeeded, .job_id = "a"}); }

    std::vector<std::string> ask(const std::vector<std::string>& words) const
    {
        if (words[0] == "HEXISTS")
            return {words[2] == effects[0] ? "1" : "0"};
        return words[0] == "HGETALL" ? effects : counters;
    }

    std::string violations() const
    {
        storm_account all{folder.file("lines"), false, [this](const auto& words) { return ask(words); }};
        std::string text;
        for (const auto& what : all.check())
            text += what + '\n';
        return text;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(finds_nothing_where_all_is_well, storm_of_one_job)
{
    BOOST_TEST(violations() == "");
}

BOOST_FIXTURE_TEST_CASE(tolerates_a_second_run_whose_end_redis_refuses, storm_of_one_job)
{
    write_ended(file, "q", "a", 900, true);
    write_heard(file, "q", {.kind = event_kind::lease_lost, .job_id = "a"});
    BOOST_TEST(violations() == "");
}

BOOST_FIXTURE_TEST_CASE(finds_a_job_that_never_ran, storm_of_one_job)
{
    write_pushed(file, "q", "b", 0);
    BOOST_TEST(violations() == "its push was acknowledged, and it never ran: q b\n");
}

BOOST_FIXTURE_TEST_CASE(finds_an_end_that_was_written_twice, storm_of_one_job)
{
    write_ended(file, "q", "a", 700, true);
    BOOST_TEST(violations() == "run 1 has ended twice: q a\n");
}

BOOST_FIXTURE_TEST_CASE(finds_an_end_that_was_told_twice, storm_of_one_job)
{
    tell_success();
    BOOST_TEST(violations() == "its end is told twice: q a\n");
}

BOOST_FIXTURE_TEST_CASE(finds_an_end_that_redis_counts_twice, storm_of_one_job)
{
    counters = {"2", ""};
    BOOST_TEST(violations() == "jobs of q have ended 2 times; there are 1 to 1\n");
}

BOOST_FIXTURE_TEST_CASE(finds_an_effect_that_was_carried_out_twice, storm_of_one_job)
{
    effects[1] = "2";
    BOOST_TEST(violations() == "its effect was carried out more than once: q a 0\n");
}

BOOST_FIXTURE_TEST_CASE(finds_an_effect_that_is_missing, storm_of_one_job)
{
    effects = {"q b 0", "1"};
    BOOST_TEST(violations() == "its success was told, and Redis has not carried it out: q a\n"
                               "it succeeded without its effect: q a\n");
}

BOOST_FIXTURE_TEST_CASE(finds_a_job_that_begins_before_its_delay_is_over, storm_of_one_job)
{
    write_pushed(file, "q", "b", 20 * millisecond);
    write_ended(file, "q", "b", 10 * millisecond, false);
    counters = {"2", ""};
    BOOST_TEST(violations() == "it begins before its delay is over: q b\n");
}

BOOST_FIXTURE_TEST_CASE(finds_a_notification_that_was_missed, storm_of_one_job)
{
    write_heard(file, "q", {.kind = event_kind::fallback_poll_found_work});
    BOOST_TEST(violations() == "a notification was missed: q -\n");
}

BOOST_AUTO_TEST_SUITE_END()
