// SPDX-License-Identifier: MIT
#include "support/coroutine.hpp"
#include "support/event_log.hpp"
#include "support/own_source.hpp"

#include "coworker/worker.hpp"

#include <boost/test/unit_test.hpp>

#include <list>
#include <map>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What a worker does when a call of a source throws an error code.
BOOST_AUTO_TEST_SUITE(source_failures)

namespace {

/// A source that throws an error code once, from the call that is named; and remembers in what order it was called.
class failing_source final : public own_source
{
public:
    struct script : source_script
    {
        std::string failing;
        error_code code;
        std::map<std::string, int> calls;
        std::string token = "token";
        bool renews_behind_the_error = false; ///< and the answer is what is lost
        std::vector<bool> renewed_in_doubt;

        bool was_asked_after(const std::string& call) const
        {
            const auto found = calls.find(call);
            return found != calls.end() && found->second > 1;
        }
    };

    explicit failing_source(script& plan) : own_source{"own", plan}, plan_{plan} {}

    abilities can() const noexcept override { return {.keeps_notes = true}; }

    asio::awaitable<void> open() override
    {
        fail("open");
        co_await own_source::open();
    }
    asio::awaitable<fetch_result> ack_and_fetch(std::span<const acknowledgement> acks,
                                                std::size_t count) override
    {
        fail(acks.empty() ? "fetch" : "acknowledge");
        co_return co_await own_source::ack_and_fetch(acks, count);
    }
    asio::awaitable<std::vector<std::size_t>> renew(std::span<fetched_job* const> jobs) override
    {
        std::vector<std::size_t> lost;
        for (std::size_t i = 0; i != jobs.size(); ++i) {
            plan_.renewed_in_doubt.push_back(jobs[i]->in_doubt);
            if (*jobs[i]->lease != plan_.token && !jobs[i]->in_doubt)
                lost.push_back(i);
        }
        const bool is_first = plan_.calls["renew"] == 0;
        if (is_first && plan_.renews_behind_the_error)
            plan_.token = "later token";
        fail("renew");
        for (auto* job : jobs)
            job->lease = std::make_shared<const std::string>(plan_.token);
        co_return lost;
    }
    asio::awaitable<void> reconcile(std::span<const fetched_job* const> held) override
    {
        fail("reconcile");
        co_await own_source::reconcile(held);
    }
    asio::awaitable<recovery> recover(std::chrono::milliseconds lease,
                                      std::chrono::milliseconds grace) override
    {
        fail("recover");
        co_return co_await own_source::recover(lease, grace);
    }
    asio::awaitable<std::vector<std::size_t>> store_notes(std::span<const job_note>) override
    {
        fail("store_notes");
        co_return std::vector<std::size_t>{};
    }
    void confirm_as(const durability&) override {}
    asio::awaitable<void> confirm() override
    {
        fail("confirm");
        co_return;
    }
    asio::awaitable<wake_up> wait_for_jobs() override
    {
        fail("wait_for_jobs");
        co_return co_await own_source::wait_for_jobs();
    }
    asio::awaitable<void> wait_for_leases() override
    {
        fail("wait_for_leases");
        co_await own_source::wait_for_leases();
    }
    asio::awaitable<std::vector<std::string>> wait_for_losses() override
    {
        fail("wait_for_losses");
        co_return co_await own_source::wait_for_losses();
    }
    asio::awaitable<std::vector<std::unique_ptr<job_source>>> wait_for_parts() override
    {
        fail("wait_for_parts");
        co_return co_await own_source::wait_for_parts();
    }
    std::string schedules() const override { return "some"; }
    asio::awaitable<void> run_schedules() override
    {
        fail("run_schedules");
        co_await own_source::run_schedules();
    }
    asio::awaitable<void> close() override
    {
        fail("close");
        co_await own_source::close();
    }

private:
    void fail(const std::string& call)
    {
        if (++plan_.calls[call] == 1 && call == plan_.failing)
            throw system_error{plan_.code};
    }

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
    failing_source::script plan{};
    event_log events{io.get_executor()};
    worker subject{io, {.observers = {events.observe()}}};

    failing_run(asio::io_context& on, const std::string& call, const error_code& code) : io{on}
    {
        plan.failing = call;
        plan.code = code;
        plan.unanswered = call == "reconcile";
        plan.add("a", R"("job")");
        subject.handle_source<std::string>(std::make_unique<failing_source>(plan),
                                           [](std::string, job_context& context) -> asio::awaitable<void> {
                                               for (int i = 0; i != 20; ++i) { // stored once a second
                                                   context.set_progress(i / 20.0);
                                                   co_await let_pass(100ms);
                                               }
                                           },
                                           {.lease = 3s, .durability = durability::replicated(1, 1s)});
    }

    /// Returns what `async_run` told, when the call has been repeated that has failed.
    asio::awaitable<std::string> run()
    {
        background running{io.get_executor(), subject.async_run()};
        const auto is_repeated = [&] {
            const bool happens_once = plan.failing == "close" || plan.failing == "confirm";
            return !plan.settled.empty() && (happens_once || plan.was_asked_after(plan.failing));
        };
        co_await eventually("the call is repeated, or the worker ends",
                            [&] { return running.has_ended() || is_repeated(); });
        subject.stop();
        co_return co_await running.join_and_tell();
    }

    std::size_t failures_told() const
    {
        return events.count(event_kind::warning) + events.count(event_kind::ack_failed) +
               events.count(event_kind::fetch_failed) + events.count(event_kind::unconfirmed);
    }
};

bool leaves_in_doubt(const error_code& code)
{
    return code == errc::in_doubt || code == errc::unexpected_answer ||
           code == asio::error::operation_aborted;
}

asio::awaitable<void> check(asio::io_context& io, std::string call, error_code code)
{
    failing_run each{io, call, code};
    const auto told = co_await each.run();
    const auto what = call + " throws " + code.message() + ": ";
    const bool opens_later = leaves_in_doubt(code) || code == errc::timed_out || code == errc::unavailable;
    const bool ends = (code == errc::stopped && call != "close") || (call == "open" && !opens_later);
    BOOST_TEST(told.empty() != ends, what << "async_run tells '" << told << "'");
    if (ends)
        co_return;
    const bool ran_once = each.plan.settled == std::vector<std::string>{"a success"};
    BOOST_TEST(ran_once, what << each.plan.settled.size() << " outcomes");
    BOOST_TEST(each.events.count(event_kind::lease_lost) == 0u, what << "a lease was lost");
    // After a lost connection nothing is told, since the connection tells.
    const bool is_told = code != errc::in_doubt || call == "close" || call == "confirm";
    BOOST_TEST(each.failures_told() == (is_told ? 1u : 0u), what << each.events.tell());
    if (call == "fetch") // it may have left leases
        BOOST_TEST(each.plan.calls["reconcile"] == (leaves_in_doubt(code) ? 1 : 0), what << "reconciled");
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
                                     "wait_for_parts", "run_schedules", "close", "confirm"})
                running.emplace_back(io.get_executor(), check(io, call, code));
        for (auto& each : running)
            co_await each.join();
    };
    run_coroutine(io, all());
}

// What the source has renewed has a later token: only a job that is in doubt may have it.
BOOST_AUTO_TEST_CASE(a_renewal_whose_answer_was_lost_costs_no_job)
{
    asio::io_context io{1};
    const auto all = [&]() -> asio::awaitable<void> {
        for (const error_code code : {error_code{errc::in_doubt}, error_code{errc::unexpected_answer},
                                      error_code{asio::error::operation_aborted}}) {
            failing_run each{io, "renew", code};
            each.plan.renews_behind_the_error = true;
            const auto told = co_await each.run();
            BOOST_TEST(told == "");
            BOOST_TEST(each.events.count(event_kind::lease_lost) == 0u);
            BOOST_TEST(each.events.count(event_kind::succeeded) == 1u);
            BOOST_TEST((each.plan.renewed_in_doubt.size() > 1 && each.plan.renewed_in_doubt[1]));
        }
    };
    run_coroutine(io, all());
}

BOOST_AUTO_TEST_SUITE_END()
