// SPDX-License-Identifier: MIT
#include "coworker/error.hpp"

#include "support/one_sentence.hpp"
#include "support/print.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

BOOST_AUTO_TEST_SUITE(errors)

using coworker::errc;

constexpr errc all[] = {errc::stopped,
                        errc::unavailable,
                        errc::in_doubt,
                        errc::timed_out,
                        errc::authentication_refused,
                        errc::server_too_old,
                        errc::evicting_server,
                        errc::read_only_server,
                        errc::setup_refused,
                        errc::command_refused,
                        errc::wrong_key_type,
                        errc::invalid_option,
                        errc::invalid_queue_name,
                        errc::invalid_job_id,
                        errc::job_too_large,
                        errc::not_serializable,
                        errc::not_decodable,
                        errc::job_not_found,
                        errc::lease_lost,
                        errc::already_running,
                        errc::invalid_worker,
                        errc::job_not_running,
                        errc::still_depended_on,
                        errc::not_waiting_for_dependencies,
                        errc::recurring_job_not_found,
                        errc::unexpected_answer,
                        errc::unexpected_exception,
                        errc::wrong_thread,
                        errc::queue_not_found,
                        errc::queue_not_empty,
                        errc::queue_in_use,
                        errc::schedule_not_found,
                        errc::not_unique,
                        errc::job_failed,
                        errc::job_gone,
                        errc::no_result,
                        errc::not_supported,
                        errc::batch_not_found,
                        errc::batch_ended,
                        errc::unconfirmed,
                        errc::job_ended,
                        errc::too_many_signals,
                        errc::newer_layout,
                        errc::queue_full};

std::string message(int code)
{
    return coworker::category().message(code);
}

BOOST_AUTO_TEST_CASE(has_a_message_of_its_own_for_every_code)
{
    std::set<std::string> messages{message(0)}; // that of an unknown code
    for (const auto code : all)
        BOOST_TEST(messages.insert(make_error_code(code).message()).second, make_error_code(code).message());
}

BOOST_AUTO_TEST_CASE(tests_every_code_there_is)
{
    // The codes are consecutive, so behind the last one there is no message any more.
    int code = 1;
    for (const auto listed : all)
        BOOST_TEST(static_cast<int>(listed) == code++);
    BOOST_TEST(message(code) == message(0));
    BOOST_TEST(message(-1) == message(0));
}

BOOST_AUTO_TEST_CASE(speaks_in_one_line)
{
    for (const auto code : all) {
        const auto text = make_error_code(code).message();
        BOOST_TEST(!text.empty());
        BOOST_TEST(text.find('\n') == text.npos);
    }
}

BOOST_AUTO_TEST_CASE(what_is_wrong_is_said_in_one_sentence)
{
    const coworker::explained_error error{errc::invalid_option, "a lease is at least 100 ms"};
    BOOST_TEST(std::string{error.what()} == "a lease is at least 100 ms [coworker:12]");
    BOOST_TEST(error.code() == errc::invalid_option);
    const auto copy = error;
    BOOST_TEST(std::string{copy.what()} == error.what());
    const coworker::system_error& base = error; // as those see it who catch it
    BOOST_TEST(std::string{base.what()} == error.what());
    const coworker::system_error cut = error; // loses the sentence's form, but nothing of it
    BOOST_TEST(std::string{cut.what()}.starts_with("a lease is at least 100 ms: "));
}

/// What other tests expect of all that is refused (`chain_in`).
BOOST_AUTO_TEST_CASE(a_chain_of_what_layers_say_is_no_sentence)
{
    using coworker::test::chain_in;
    for (const auto code : all)
        BOOST_TEST(chain_in(make_error_code(code).message()) == "");
    for (const auto* text :
         {"A lease is at least 100 ms [coworker:12].", "--listen 'a: b: c' is not HOST:PORT",
          "cron, hour: '25' is out of range; allowed are *, 0 to 23",
          "j1: there is no such job here; it may have moved on",
          "the jobs' payload is not JSON: '{\"a\": \"b: c\"}'"})
        BOOST_TEST(chain_in(text) == "");
    for (const auto* text :
         {"a token is missing: an option cannot be used [coworker:12]",
          "This cannot be done: this is no token: send the one that came",
          "a checkpoint has at most 1 MiB: the job is larger than max_job_size [coworker:15]"})
        BOOST_TEST(chain_in(text) != "", text);
}

BOOST_AUTO_TEST_CASE(converts_to_an_error_code_of_its_category)
{
    const coworker::error_code code = errc::lease_lost;
    BOOST_TEST(code.failed());
    BOOST_TEST(code == errc::lease_lost);
    BOOST_TEST(code != errc::stopped);
    BOOST_TEST(code.category().name() == "coworker");
}

BOOST_AUTO_TEST_SUITE_END()
