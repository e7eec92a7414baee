// SPDX-License-Identifier: MIT
#include "conformance/conformance_test.hpp"

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What every `job_source` does with effects: they happen with the acknowledgement, once.
BOOST_AUTO_TEST_SUITE(effects_of_jobs)

namespace {

/// Something that a source can do and that can be counted, in Redis or in memory.
struct counted_effect
{
    source_kind& kind;
    std::int64_t in_memory = 0;

    effect make()
    {
        effect what;
        if (kind.server() != nullptr)
            what.words = {"INCR", "counter"};
        else
            what.in_memory = [this] { ++in_memory; };
        return what;
    }
    std::int64_t times()
    {
        if (kind.server() == nullptr)
            return in_memory;
        const auto text = (*kind.server())("GET", "counter").text;
        return text.empty() ? 0 : std::stoll(text);
    }
};

/// Effects as a worker collects them, of a job of this source.
struct handed_over
{
    job_effects effects;

    handed_over(const job_source& source, counted_effect& counted)
        : effects{[&source](const effect& what) { source.check_effect(what); }}
    {
        auto what = counted.make();
        if (what.in_memory)
            what.pushed.emplace();
        effects.add(std::move(what));
    }
};

asio::awaitable<job_source::fetch_result> acknowledge_with(member& worker, const fetched_job& job,
                                                           const job_effects& effects, bool repeated = false)
{
    const outcome result = success();
    std::vector<acknowledgement> one;
    one.push_back({&job, &result, repeated, &effects});
    auto answer = co_await worker.source->ack_and_fetch(one, 0);
    co_return answer;
}

} // namespace

BOOST_AUTO_TEST_CASE(happen_once_with_the_acknowledgement)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member worker{kind};
        co_await worker.open();
        counted_effect counter{kind};
        kind.push("a");
        const auto job = co_await worker.take_one();
        const handed_over all{*worker.source, counter};
        BOOST_TEST(counter.times() == 0);
        const auto first = co_await acknowledge_with(worker, job, all.effects);
        BOOST_TEST(first.lost.empty());
        BOOST_TEST(first.failed.empty());
        BOOST_TEST(counter.times() == 1);
        const auto again = co_await acknowledge_with(worker, job, all.effects, true);
        BOOST_TEST(again.lost.size() == 1u);
        BOOST_TEST(counter.times() == 1);
        BOOST_TEST(kind.succeeded() == 1);
    });
}

BOOST_AUTO_TEST_CASE(do_not_happen_for_whoever_lost_the_lease)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member loser{kind}, winner{kind};
        co_await loser.open();
        co_await winner.open();
        counted_effect counter{kind};
        kind.push("a");
        const auto lost = co_await loser.take_one();
        kind.end_leases();
        const auto held = co_await winner.take_over();
        const handed_over all{*loser.source, counter};
        const auto refused = co_await acknowledge_with(loser, lost, all.effects);
        BOOST_TEST(refused.lost.size() == 1u);
        BOOST_TEST(counter.times() == 0);
        const handed_over again{*winner.source, counter};
        const auto accepted = co_await acknowledge_with(winner, held, again.effects);
        BOOST_TEST(accepted.lost.empty());
        BOOST_TEST(counter.times() == 1);
    });
}

BOOST_AUTO_TEST_CASE(that_cannot_happen_fail_the_job)
{
    for_each_kind_in_redis([](source_kind& kind) -> asio::awaitable<void> {
        member worker{kind};
        co_await worker.open();
        counted_effect counter{kind};
        (*kind.server())("SET", "text", "x");
        kind.push("a");
        const auto job = co_await worker.take_one();
        handed_over all{*worker.source, counter};
        all.effects.add({"INCR", "text"});
        const auto answer = co_await acknowledge_with(worker, job, all.effects);
        BOOST_TEST(answer.lost.empty());
        BOOST_TEST_REQUIRE(answer.failed.size() == 1u);
        BOOST_TEST(answer.failed[0].index == 0u);
        BOOST_TEST(answer.failed[0].reason.starts_with("effect INCR text: "));
        BOOST_TEST(counter.times() == 0);
        BOOST_TEST(kind.given_up() == 1);
        BOOST_TEST(kind.running() == 0);
    });
}

BOOST_AUTO_TEST_SUITE_END()
