// SPDX-License-Identifier: MIT
#include "support/coroutine.hpp"
#include "support/event_log.hpp"
#include "support/own_source.hpp"

#include "coworker/worker.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What many handlers tell at the same time.
BOOST_AUTO_TEST_SUITE(progress_of_many_jobs)

namespace {

using clock = std::chrono::steady_clock;

/// Remembers when something was stored of each job.
class noting_source final : public own_source
{
public:
    using times = std::map<std::string, std::vector<clock::time_point>>;

    noting_source(source_script& script, times& stored) : own_source{"own", script}, stored_{stored} {}

    abilities can() const noexcept override { return {.keeps_notes = true}; }

    asio::awaitable<std::vector<std::size_t>> store_notes(std::span<const job_note> notes) override
    {
        BOOST_TEST(notes.size() <= 128u);
        for (const auto& note : notes)
            stored_[std::string{note.job->id()}].push_back(clock::now());
        co_return std::vector<std::size_t>{};
    }

private:
    times& stored_;
};

} // namespace

// However many there are; and what changes often keeps no other away.
BOOST_AUTO_TEST_CASE(all_of_it_is_stored_each_second)
{
    constexpr std::size_t jobs = 500;
    asio::io_context io{1};
    source_script script;
    noting_source::times stored;
    for (std::size_t i = 0; i != jobs; ++i)
        script.add(std::to_string(i), R"("job")");
    const auto body = [&]() -> asio::awaitable<void> {
        worker subject{io, {.concurrency = jobs, .shutdown_timeout = 0ms}};
        subject.handle_source<std::string>(std::make_unique<noting_source>(script, stored),
                                           [](std::string, job_context& context) -> asio::awaitable<void> {
                                               for (int i = 0;; ++i) {
                                                   context.set_progress(i % 100 / 100.0);
                                                   co_await let_pass(100ms);
                                               }
                                           });
        background running{io.get_executor(), subject.async_run()};
        co_await eventually("something of each job is stored twice", [&] {
            return stored.size() == jobs && std::all_of(stored.begin(), stored.end(),
                                                        [](const auto& of) { return of.second.size() >= 2; });
        });
        auto first = clock::time_point::max(), last = clock::time_point::min();
        for (const auto& [id, times] : stored) {
            first = std::min(first, times.front());
            last = std::max(last, times[1]);
        }
        BOOST_TEST((last - first < 3s)); // at 128 a second it would take eight
        subject.stop();
        (void)co_await running.join_and_tell();
    };
    run_coroutine(io, body());
}

BOOST_AUTO_TEST_SUITE_END()
