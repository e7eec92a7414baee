// SPDX-License-Identifier: MIT
#include "worker/conclusion.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(conclusion)

using namespace coworker;
using coworker::detail::check_answer;
using coworker::detail::conclude;
using coworker::detail::end_reason;
using coworker::detail::handler_end;
using coworker::detail::refuse_to_start;
using kind = outcome::kind;

handler_end answered(outcome result)
{
    return {.result = std::move(result), .exception = {}};
}

handler_end threw(std::string text)
{
    return {.result = std::nullopt, .exception = std::move(text)};
}

void check(const outcome& found, kind what, std::string_view reason,
           std::optional<std::chrono::milliseconds> delay = std::nullopt)
{
    BOOST_TEST((found.what() == what));
    BOOST_TEST(found.reason() == reason);
    BOOST_TEST((found.delay() == delay));
}

fetched_job at_attempt(unsigned attempt)
{
    fetched_job job;
    job.attempt = attempt;
    return job;
}

handle_options plain()
{
    handle_options options;
    options.backoff = [](unsigned attempt) { return attempt * 10ms; };
    return options;
}

BOOST_AUTO_TEST_CASE(stores_what_the_handler_answers)
{
    check(conclude(answered(success()), end_reason::none, 1, plain()), kind::success, "");
    check(conclude(answered(failure("no")), end_reason::none, 1, plain()), kind::failure, "no");
    check(conclude(answered(release()), end_reason::none, 1, plain()), kind::release, "");
    check(conclude(answered(outcome{kind::broken, "why"}), end_reason::none, 1, plain()), kind::broken,
          "why");
}

BOOST_AUTO_TEST_CASE(believes_a_handler_that_came_to_an_outcome_although_it_was_told_to_end)
{
    for (const auto reason :
         {end_reason::lease_lost, end_reason::timeout, end_reason::expiry, end_reason::worker_stops}) {
        check(conclude(answered(success()), reason, 1, plain()), kind::success, "");
        check(conclude(answered(failure("no")), reason, 1, plain()), kind::failure, "no");
        if (reason != end_reason::worker_stops) // an interrupted job costs no attempt
            check(conclude(answered(retry("later", 5ms)), reason, 1, plain()), kind::retry, "later", 5ms);
    }
}

BOOST_AUTO_TEST_CASE(asks_the_back_off_for_a_retry_without_a_delay)
{
    check(conclude(answered(retry("r")), end_reason::none, 1, plain()), kind::retry, "r", 10ms);
    check(conclude(answered(retry("r")), end_reason::none, 3, plain()), kind::retry, "r", 30ms);
    check(conclude(answered(retry("r", 7ms)), end_reason::none, 3, plain()), kind::retry, "r", 7ms);
    check(conclude(answered(retry("r", 0ms)), end_reason::none, 3, plain()), kind::retry, "r", 0ms);
}

BOOST_AUTO_TEST_CASE(never_delays_into_the_past)
{
    auto options = plain();
    options.backoff = [](unsigned) { return -5ms; };
    check(conclude(answered(retry("r")), end_reason::none, 1, options), kind::retry, "r", 0ms);
    check(conclude(answered(retry("r", -7ms)), end_reason::none, 1, options), kind::retry, "r", 0ms);
}

BOOST_AUTO_TEST_CASE(retries_at_once_without_a_back_off)
{
    auto options = plain();
    options.backoff = nullptr;
    check(conclude(answered(retry("r")), end_reason::none, 1, options), kind::retry, "r", 0ms);
}

BOOST_AUTO_TEST_CASE(survives_a_back_off_that_throws)
{
    auto options = plain();
    options.backoff = [](unsigned) -> std::chrono::milliseconds { throw std::runtime_error{"oops"}; };
    const auto found = conclude(answered(retry("r")), end_reason::none, 1, options);
    BOOST_TEST((found.what() == kind::retry));
    BOOST_TEST((found.delay() >= 500ms && found.delay() <= 1000ms));
}

BOOST_AUTO_TEST_CASE(fails_a_retry_at_the_attempt_limit)
{
    auto options = plain();
    options.max_attempts = 3;
    check(conclude(answered(retry("r", 1ms)), end_reason::none, 2, options), kind::retry, "r", 1ms);
    check(conclude(answered(retry("r", 1ms)), end_reason::none, 3, options), kind::failure,
          "r (given up after 3 attempts)");
    options.max_attempts = 0;
    check(conclude(answered(retry("r", 1ms)), end_reason::none, 1'000'000, options), kind::retry, "r", 1ms);
}

BOOST_AUTO_TEST_CASE(retries_a_job_whose_handler_throws_until_its_attempts_are_used_up)
{
    auto options = plain();
    options.max_attempts = 2;
    check(conclude(threw("oops"), end_reason::none, 1, options), kind::retry, "oops", 10ms);
    check(conclude(threw("oops"), end_reason::none, 2, options), kind::failure,
          "oops (given up after 2 attempts)");
}

BOOST_AUTO_TEST_CASE(fails_a_job_whose_handler_throws_if_so_configured)
{
    auto options = plain();
    options.exceptions = on_exception::fail;
    check(conclude(threw("oops"), end_reason::none, 1, options), kind::failure, "oops");
}

BOOST_AUTO_TEST_CASE(files_what_was_thrown_under_its_type)
{
    auto end = threw("oops");
    end.exception_type = "std::range_error";
    const auto found = conclude(end, end_reason::none, 1, plain());
    BOOST_REQUIRE(found.managed() != nullptr);
    BOOST_TEST(found.managed()->group == ":std::range_error");
}

BOOST_AUTO_TEST_CASE(keeps_the_group_of_a_retry_that_has_become_a_failure)
{
    auto options = plain();
    options.max_attempts = 2;
    const auto found = conclude(answered(retry("busy", 0ms, "line")), end_reason::none, 2, options);
    BOOST_TEST((found.what() == kind::failure));
    BOOST_REQUIRE(found.managed() != nullptr);
    BOOST_TEST(found.managed()->group == "line");
}

BOOST_AUTO_TEST_CASE(accepts_the_answers_that_the_source_understands)
{
    constexpr job_source::abilities list{}, managed{.counts_attempts = true, .forwards = true};
    check(check_answer(success(), list), kind::success, "");
    check(check_answer(forward("next"), managed), kind::forward, "");
    check(check_answer(forward("next"), list), kind::failure,
          "`forward` was answered, but only managed queues have a next queue");
    check(check_answer(forward(""), managed), kind::failure,
          "`forward` was answered without the name of a queue");
    check(check_answer(success(raw_json{"[1]"}), managed), kind::success, "");
    check(check_answer(success(raw_json{"[1"}), managed), kind::failure,
          "the handler answered with data that are not JSON");
}

BOOST_AUTO_TEST_CASE(suspends_jobs_of_sources_that_can)
{
    constexpr job_source::abilities list{}, managed{.suspends = true};
    const job_wait nap{.name = "nap", .length = 1h}, unnamed{.length = 1h};
    const job_wait yes{.name = "yes", .what = wait_kind::signal, .length = 1h};
    check(check_answer(suspend(nap), managed), kind::release, "sleeps: nap");
    check(check_answer(suspend(yes), managed), kind::release, "waits for the signal yes");
    check(check_answer(suspend(nap), list), kind::failure,
          "`suspend` was answered, but only jobs of managed queues can wait for something");
    check(check_answer(suspend(unnamed), managed), kind::failure,
          "`suspend` was answered with a name that is not UTF-8 of 1 to 256 bytes");
}

BOOST_AUTO_TEST_CASE(gives_back_what_the_stopping_worker_interrupted)
{
    check(conclude(threw("cancelled"), end_reason::worker_stops, 9, plain()), kind::release, "");
    check(conclude(answered(retry("cancelled", 5s)), end_reason::worker_stops, 9, plain()), kind::release,
          "");
}

BOOST_AUTO_TEST_CASE(fails_what_its_deadline_interrupted)
{
    check(conclude(threw("cancelled"), end_reason::expiry, 1, plain()), kind::failure, "it has expired");
}

BOOST_AUTO_TEST_CASE(ends_jobs_as_hworker_does)
{
    const auto options = hworker_options();
    check(conclude(threw("broken"), end_reason::none, 1, options), kind::failure, "broken");
    check(conclude(answered(retry("again")), end_reason::none, 1, options), kind::retry, "again", 0ms);
    BOOST_TEST(!refuse_to_start(at_attempt(1'000'000), 24h, options));
    BOOST_TEST(options.concurrency == 1u);
    BOOST_TEST(options.lease == 120s);
}

BOOST_AUTO_TEST_CASE(counts_a_passed_time_limit_as_an_exception)
{
    auto options = plain();
    check(conclude(threw("cancelled"), end_reason::timeout, 1, options), kind::retry,
          "its timeout has passed", 10ms);
    options.exceptions = on_exception::fail;
    check(conclude(threw("cancelled"), end_reason::timeout, 1, options), kind::failure,
          "its timeout has passed");
}

// --- before the handler is called ----------------------------------------------------

BOOST_AUTO_TEST_CASE(starts_a_job_within_its_attempts_and_its_deadline)
{
    auto options = plain();
    options.max_attempts = 3;
    options.expiry = 10s;
    BOOST_TEST(!refuse_to_start(at_attempt(1), 0ms, options).has_value());
    BOOST_TEST(!refuse_to_start(at_attempt(3), 9'999ms, options).has_value());
    BOOST_TEST(!refuse_to_start(at_attempt(3), std::nullopt, options).has_value());
    BOOST_TEST(!refuse_to_start(at_attempt(3), -1h, options).has_value()); // its producer's clock runs ahead
}

BOOST_AUTO_TEST_CASE(does_not_start_a_job_that_was_lost_with_its_worker_too_often)
{
    auto options = plain();
    options.max_attempts = 3;
    const auto refused = refuse_to_start(at_attempt(4), 0ms, options);
    BOOST_TEST_REQUIRE(refused.has_value());
    BOOST_TEST((refused->what() == kind::failure));
    BOOST_TEST(refused->reason().find("3 attempts") != std::string::npos);
    options.max_attempts = 0;
    BOOST_TEST(!refuse_to_start(at_attempt(1'000'000), 0ms, options).has_value());
}

BOOST_AUTO_TEST_CASE(does_not_start_a_job_that_has_taken_too_many_workers_with_it)
{
    auto job = at_attempt(1);
    job.crashes = 2;
    auto options = plain();
    BOOST_TEST(!refuse_to_start(job, std::nullopt, options).has_value());
    options.max_crashes = 2;
    const auto refused = refuse_to_start(job, std::nullopt, options);
    BOOST_TEST_REQUIRE(refused.has_value());
    check(*refused, kind::failure, "quarantined: 2 of its runs have ended with the worker");
    BOOST_TEST(refused->managed()->group == ":quarantined");
    job.retries_left = 30; // a tenth of them may be lost so
    BOOST_TEST(!refuse_to_start(job, std::nullopt, options).has_value());
    job.retries_left = 29;
    BOOST_TEST(refuse_to_start(job, std::nullopt, options).has_value());
    options.max_crashes = 0;
    BOOST_TEST(!refuse_to_start(job, std::nullopt, options).has_value());
}

BOOST_AUTO_TEST_CASE(does_not_start_a_job_whose_deadline_has_passed)
{
    auto options = plain();
    options.expiry = 10s;
    const auto refused = refuse_to_start(at_attempt(1), 10s, options);
    BOOST_TEST_REQUIRE(refused.has_value());
    check(*refused, kind::failure, "it has expired");
    options.expiry = 0s;
    BOOST_TEST(!refuse_to_start(at_attempt(1), 10h, options).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
