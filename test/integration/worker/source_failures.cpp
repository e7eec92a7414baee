// SPDX-License-Identifier: MIT
#include "support/coroutine.hpp"
#include "support/event_log.hpp"
#include "support/failing_source.hpp"
#include "support/own_source.hpp"

#include "coworker/worker.hpp"

#include <boost/test/unit_test.hpp>

#include <list>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What a worker does when a call of a source throws an error code.
BOOST_AUTO_TEST_SUITE(source_failures)

namespace {

/// A source of which every call can be made, and which gives a new token with each renewal.
class whole_source final : public own_source
{
public:
    struct script : source_script
    {
        std::string token = "token";
        std::vector<bool> renewed_in_doubt;
        bool drops_checkpoint = false; ///< the last outcome was to do so
    };

    explicit whole_source(script& plan) : own_source{"own", plan}, plan_{plan} {}

    abilities can() const noexcept override { return {.keeps_notes = true}; }

    asio::awaitable<fetch_result> ack_and_fetch(std::span<const acknowledgement> acks,
                                                std::size_t count) override
    {
        for (const auto& each : acks)
            plan_.drops_checkpoint = each.job->has_checkpoint;
        return own_source::ack_and_fetch(acks, count);
    }
    asio::awaitable<std::vector<std::size_t>> renew(std::span<fetched_job* const> jobs) override
    {
        std::vector<std::size_t> lost;
        for (std::size_t i = 0; i != jobs.size(); ++i) {
            plan_.renewed_in_doubt.push_back(jobs[i]->in_doubt);
            if (*jobs[i]->lease != plan_.token && !jobs[i]->in_doubt)
                lost.push_back(i);
        }
        plan_.token += " and later";
        for (auto* job : jobs)
            job->lease = std::make_shared<const std::string>(plan_.token);
        co_return lost;
    }
    asio::awaitable<std::vector<std::size_t>> store_notes(std::span<const job_note>) override
    {
        co_return std::vector<std::size_t>{};
    }
    asio::awaitable<std::string> read_result(std::string, bool) override { co_return std::string{}; }
    std::string schedules() const override { return "some"; }

private:
    script& plan_;
};

std::vector<error_code> all_codes()
{
    std::vector<error_code> codes{asio::error::operation_aborted, asio::error::eof, asio::error::timed_out};
    for (int value = 1; error_code{value, category()}.message() != error_code{10'000, category()}.message();
         ++value)
        codes.emplace_back(value, category());
    return codes;
}

/// A worker with one job, whose source fails once.
struct failing_run
{
    asio::io_context& io;
    whole_source::script plan{};
    std::shared_ptr<failing_call> failing = std::make_shared<failing_call>();
    event_log events{io.get_executor()};
    worker subject{io, {.observers = {events.observe()}}};

    failing_run(asio::io_context& on, const std::string& call, const error_code& code) : io{on}
    {
        failing->name = call;
        failing->code = code;
        plan.add("a", R"("job")");
        auto source = std::make_unique<failing_source>(std::make_unique<whole_source>(plan), failing);
        subject.handle_source<std::string>(
            std::move(source), run_until_called_again(failing, failing->is_made_in_runs()), {.lease = 15s});
    }

    /// Returns what `async_run` told, when the call has been repeated that has failed.
    asio::awaitable<std::string> run()
    {
        background running{io.get_executor(), subject.async_run()};
        const auto is_repeated = [&] {
            return !plan.settled.empty() && (failing->name == "close" || failing->was_called_again());
        };
        co_await eventually("the call is repeated, or the worker ends",
                            [&] { return running.has_ended() || is_repeated(); });
        subject.stop();
        co_return co_await running.join_and_tell();
    }

    std::size_t failures_told() const
    {
        return events.count(event_kind::warning) + events.count(event_kind::ack_failed) +
               events.count(event_kind::fetch_failed);
    }
};

bool leaves_in_doubt(const error_code& code)
{
    return code == errc::in_doubt || code == errc::unexpected_answer ||
           code == asio::error::operation_aborted;
}

/// A call that a handler has made: the handler is told, and nobody else.
asio::awaitable<void> check_read(asio::io_context& io, std::string call, error_code code)
{
    failing_run each{io, call, code};
    const auto told = co_await each.run();
    const auto what = call + " throws " + code.message() + ": ";
    BOOST_TEST(told == "", what);
    BOOST_TEST(each.failing->told_to_handler == code, what << each.failing->told_to_handler.message());
    const bool ran_once = each.plan.settled == std::vector<std::string>{"a success"};
    BOOST_TEST(ran_once, what << each.plan.settled.size() << " outcomes");
    BOOST_TEST(each.failures_told() == 0u, what << each.events.tell());
    BOOST_TEST(each.events.count(event_kind::lease_lost) == 0u, what << "a lease was lost");
    // It may have one, which its success has to remove.
    BOOST_TEST(each.plan.drops_checkpoint == (call == "read_checkpoint"), what);
}

asio::awaitable<void> check(asio::io_context& io, std::string call, error_code code)
{
    failing_run each{io, call, code};
    const auto told = co_await each.run();
    const auto what = call + " throws " + code.message() + ": ";
    const bool opens_later = leaves_in_doubt(code) || code == errc::timed_out || code == errc::unavailable;
    const bool is_over = code == errc::stopped || code == errc::newer_layout;
    const bool ends = (is_over && call != "close") || (call == "open" && !opens_later);
    BOOST_TEST(told.empty() != ends, what << "async_run tells '" << told << "'");
    if (ends)
        co_return;
    const bool ran_once = each.plan.settled == std::vector<std::string>{"a success"};
    BOOST_TEST(ran_once, what << each.plan.settled.size() << " outcomes");
    BOOST_TEST(each.events.count(event_kind::lease_lost) == 0u, what << "a lease was lost");
    // After a lost connection nothing is told, since the connection tells.
    const bool is_told = code != errc::in_doubt || call == "close";
    BOOST_TEST(each.failures_told() == (is_told ? 1u : 0u), what << each.events.tell());
    if (call == "fetch") // it may have left leases
        BOOST_TEST(each.failing->calls["reconcile"] == (leaves_in_doubt(code) ? 1 : 0), what << "reconciled");
}

} // namespace

BOOST_AUTO_TEST_CASE(there_are_all_codes)
{
    BOOST_TEST(all_codes().size() > 40u);
}

// `errc::stopped` ends the worker. All others are a matter of the call that threw, but for `open`: there, what waiting does
// not mend ends it.
BOOST_AUTO_TEST_CASE(an_error_code_of_any_call_ends_no_worker)
{
    asio::io_context io{1};
    const auto all = [&]() -> asio::awaitable<void> {
        std::list<background> running;
        for (const auto& code : all_codes())
            for (const auto* call : {"open", "fetch", "acknowledge", "renew", "reconcile", "recover",
                                     "store_notes", "wait_for_jobs", "wait_for_leases", "wait_for_losses",
                                     "wait_for_parts", "run_schedules", "close"})
                running.emplace_back(io.get_executor(), check(io, call, code));
        for (auto& each : running)
            co_await each.join();
    };
    run_coroutine(io, all());
}

BOOST_AUTO_TEST_CASE(an_error_code_of_what_a_handler_reads_is_told_to_the_handler)
{
    asio::io_context io{1};
    const auto all = [&]() -> asio::awaitable<void> {
        std::list<background> running;
        for (const auto& code : all_codes())
            for (const auto* call : {"read_checkpoint", "read_result"})
                running.emplace_back(io.get_executor(), check_read(io, call, code));
        for (auto& each : running)
            co_await each.join();
    };
    run_coroutine(io, all());
}

// What the source has renewed has a later token: only a job that is in doubt may have it.
BOOST_AUTO_TEST_CASE(a_renewal_whose_answer_was_lost_costs_no_job)
{
    asio::io_context io{1};
    const auto renew = [&io](error_code code) -> asio::awaitable<void> {
        failing_run each{io, "renew", code};
        each.failing->is_carried_out = true;
        const auto told = co_await each.run();
        BOOST_TEST(told == "");
        BOOST_TEST(each.events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST(each.events.count(event_kind::succeeded) == 1u);
        BOOST_TEST((each.plan.renewed_in_doubt.size() > 1 && each.plan.renewed_in_doubt[1]));
    };
    const auto all = [&]() -> asio::awaitable<void> {
        std::list<background> running;
        for (const error_code code : {error_code{errc::in_doubt}, error_code{errc::unexpected_answer},
                                      error_code{asio::error::operation_aborted}})
            running.emplace_back(io.get_executor(), renew(code));
        for (auto& each : running)
            co_await each.join();
    };
    run_coroutine(io, all());
}

BOOST_AUTO_TEST_SUITE_END()
