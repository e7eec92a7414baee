// SPDX-License-Identifier: MIT
#pragma once

#include "support/managed_worker_test.hpp"

#include "coworker/batches.hpp"
#include "coworker/managed_details.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace coworker::test {

inline const raw_json no_batch_data{"{}"};
inline const std::vector<std::string> inner_batch_kinds{"Step", "More", "Again"};
inline constexpr std::size_t racing_workers = 4, outer_batches = 6, inner_batches = 3, jobs_at_first = 24;

/// A client with a worker, and what its handlers push with.
struct racer
{
    client redis;
    managed_queue mail;
    batches all;
    worker subject;

    racer(const asio::any_io_executor& executor, const client_options& how)
        : redis{executor, how}, mail{redis, "mail"}, all{redis}, subject{redis, {.concurrency = 8}}
    {}
};

/// How runs of jobs of a batch have ended.
struct ended_runs
{
    std::uint64_t succeeded = 0, failed = 0;
};

struct batch_race_test : managed_worker_test
{
    batches all{redis};
    std::deque<racer> racers;
    std::map<std::string, ended_runs> ran;      ///< by batch
    std::map<std::string, int> callbacks;       ///< by jid: how often it ran
    std::map<std::string, std::string> parents; ///< of each batch that was opened
    std::map<std::string, int> fickle_runs;     ///< by jid
    bool cancels = false;                       ///< whether batches are cancelled

    batch_race_test()
    {
        for (std::size_t i = 0; i != racing_workers; ++i)
            racers.emplace_back(io.get_executor(), options());
        for (auto& each : racers)
            each.subject.handle(each.mail, handlers_of(each), {});
    }

    /// Jobs of all kinds, which count how they end.
    handlers_by_kind handlers_of(racer& mine)
    {
        handlers_by_kind handlers;
        const auto on = [&](const char* kind, auto what) {
            handlers.on<raw_json>(
                kind, [this, &mine, what](raw_json, job_context& context) -> asio::awaitable<outcome> {
                    const std::string batch = context.details<managed_details>()->batch;
                    co_await asio::post(context.get_executor(), asio::use_awaitable);
                    auto ended = co_await what(mine, batch, context);
                    if (ended.what() == outcome::kind::success)
                        ++ran[batch].succeeded;
                    else if (ended.what() == outcome::kind::failure)
                        ++ran[batch].failed;
                    co_return ended;
                });
        };
        using ending = asio::awaitable<outcome>;
        on("Step", [](racer&, std::string, job_context&) -> ending { co_return success(); });
        on("Fail", [](racer&, std::string, job_context&) -> ending { co_return failure("no"); });
        on("Again", [](racer&, std::string, job_context& context) -> ending {
            co_return context.attempt() < 3 ? retry("again", std::chrono::milliseconds{0}) : success();
        });
        on("Fickle", [this](racer&, std::string, job_context& context) -> ending {
            co_return ++fickle_runs[std::string{context.id()}] < 3 ? failure("not yet") : success();
        });
        on("More", [this](racer& by, std::string batch, job_context&) -> ending {
            co_await push(by.mail, "Again", batch);
            co_await push(by.mail, "Step", batch);
            co_return success();
        });
        on("Inner", [this](racer& by, std::string batch, job_context&) -> ending {
            (void)co_await open_and_fill(by, batch, inner_batch_kinds);
            co_return success();
        });
        handlers.on<raw_json>("Callback", [this](raw_json, job_context& context) -> asio::awaitable<void> {
            ++callbacks[std::string{context.id()}];
            co_return;
        });
        return handlers;
    }

    static batch_options with_callbacks(const std::string& parent)
    {
        batch_options wanted;
        if (!parent.empty())
            wanted.parent = parent;
        wanted.on_success = to_batch_job("mail", "Callback", no_batch_data);
        wanted.on_done = to_batch_job("mail", "Callback", no_batch_data);
        wanted.on_failure = to_batch_job("mail", "Callback", no_batch_data);
        return wanted;
    }

    /// Where a batch may be cancelled, it does not matter whether it is.
    asio::awaitable<void> push(managed_queue& to, std::string kind, std::string batch)
    {
        managed_push_options how;
        how.batch = batch;
        try {
            (void)co_await to.async_push(kind, no_batch_data, how);
        } catch (const system_error& error) {
            if (error.code() != errc::batch_ended || !cancels)
                throw;
        }
    }

    /// Opens a batch, puts jobs of these kinds into it, and seals it while they are run.
    asio::awaitable<std::string> open_and_fill(racer& by, std::string parent, std::vector<std::string> kinds)
    {
        const auto wanted = with_callbacks(parent);
        std::string id;
        try {
            id = co_await by.all.async_open(wanted);
        } catch (const system_error& error) {
            if (error.code() != errc::batch_ended || !cancels)
                throw;
            co_return id;
        }
        parents[id] = parent;
        for (const auto& kind : kinds)
            co_await push(by.mail, kind, id);
        (void)co_await by.all.async_seal(id);
        co_return id;
    }

    /// Jobs of all kinds; some fail in every other batch.
    static std::vector<std::string> mixed_kinds(bool fails)
    {
        std::vector<std::string> kinds;
        for (std::size_t i = 0; i != jobs_at_first; ++i)
            kinds.emplace_back(i % 4 == 0            ? "More"
                               : i % 4 == 1          ? "Again"
                               : fails && i % 8 == 6 ? "Fail"
                                                     : "Step");
        for (std::size_t i = 0; i != inner_batches; ++i)
            kinds.insert(kinds.begin() + static_cast<std::ptrdiff_t>(5 * i), "Inner");
        return kinds;
    }

    asio::awaitable<void> wait_for_all()
    {
        // handlers open batches as long as there is one that has not ended
        for (std::size_t known = 0; known != parents.size();) {
            known = parents.size();
            const auto now_known = parents;
            for (const auto& [id, parent] : now_known)
                (void)co_await all.async_wait_for(id);
        }
        co_await eventually("nothing is left to do", [this] {
            return server.has_none("ql:q:mail-work", "ql:q:mail-locks", "ql:q:mail-scheduled");
        });
    }

    /// Runs all workers, and a coroutine for each of them beside.
    template<class Producer>
    void race(Producer produce)
    {
        run([&]() -> asio::awaitable<void> {
            std::vector<background> working, producing;
            for (auto& each : racers)
                working.emplace_back(io.get_executor(), each.subject.async_run(asio::use_awaitable));
            for (std::size_t i = 0; i != racing_workers; ++i)
                producing.emplace_back(io.get_executor(), produce(i));
            for (auto& each : producing)
                co_await each.join();
            co_await wait_for_all();
            for (auto& each : racers)
                each.subject.stop();
            for (auto& each : working)
                co_await each.join();
            co_await check_batches();
            for (auto& each : racers)
                co_await each.redis.async_stop();
        });
        BOOST_TEST(broken() == "");
    }

    /// Each batch has ended, what has ended in it counts once, and each callback has run once.
    asio::awaitable<void> check_batches()
    {
        std::map<std::string, batch_status> found;
        std::map<std::string, ended_runs> expected = ran;
        for (const auto& [id, parent] : parents) {
            const auto status = co_await all.async_status(id);
            found[id] = status.value();
            if (!parent.empty() && status->state == batch_state::failed)
                ++expected[parent].failed;
            else if (!parent.empty() && status->state == batch_state::succeeded)
                ++expected[parent].succeeded;
        }
        for (const auto& [id, status] : found) {
            BOOST_TEST_CONTEXT("batch " << id << ", " << to_string(status.state))
            check_batch(status, expected[id]);
        }
    }

    void check_batch(const batch_status& status, const ended_runs& expected)
    {
        BOOST_TEST(status.ended.has_value());
        BOOST_TEST(status.pending == 0u);
        BOOST_TEST(status.succeeded + status.failed + status.cancelled == status.total);
        if (cancels) // a run whose job is cancelled ends as well
            BOOST_TEST(status.succeeded <= expected.succeeded);
        else
            BOOST_TEST(status.succeeded == expected.succeeded);
        BOOST_TEST(server("SCARD", "ql:coworker:pending:" + status.id).integer == 0);
        BOOST_TEST(server("SCARD", "ql:coworker:children:" + status.id).integer == 0);
        BOOST_TEST(callbacks[status.id + "@success"] == (status.state == batch_state::succeeded ? 1 : 0));
        BOOST_TEST(callbacks[status.id + "@done"] == 1);
        const bool has_failed =
            server("HEXISTS", "ql:coworker:batch:" + status.id, "put_failure").integer == 1;
        BOOST_TEST(callbacks[status.id + "@failure"] == (has_failed ? 1 : 0));
        if (ran[status.id].failed > 0 && !cancels)
            BOOST_TEST(has_failed);
        if (status.failed > 0)
            BOOST_TEST(has_failed);
    }

    std::uint64_t field_of(const std::string& id, const char* name)
    {
        const auto stored = server("HGET", "ql:coworker:batch:" + id, name);
        return stored.is_nil() ? 0 : std::stoull(stored.text);
    }
};

} // namespace coworker::test
