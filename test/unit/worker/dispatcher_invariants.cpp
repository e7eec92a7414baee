// SPDX-License-Identifier: MIT
#include "worker/dispatcher/dispatcher.hpp"

#include "bounds.hpp"
#include "support/coroutine.hpp"

#include <boost/test/unit_test.hpp>

#include <numeric>
#include <random>

/// Random streams of events, against a model that keeps its own books.
BOOST_AUTO_TEST_SUITE(dispatcher_invariants)

using coworker::queue_order;
using coworker::detail::max_batch;
using queue_dispatcher = coworker::detail::dispatcher;
using step = queue_dispatcher::step;

class model
{
public:
    model(queue_order order, std::size_t concurrency, std::vector<queue_dispatcher::queue_limits> limits,
          unsigned seed)
        : worker_{order, concurrency, limits}, order_{order}, concurrency_{concurrency}, limits_{std::move(
                                                                                             limits)},
          queues_(limits_.size()), random_{seed}
    {}

    void run(int events)
    {
        for (int i = 0; i != events; ++i) {
            do_something();
            begin_steps();
        }
    }

    /// Everything that is under way ends well; then nothing may be left.
    void finish()
    {
        worker_.stop_taking();
        stopping_ = true;
        now_ += std::chrono::hours{1}; // no queue rests any more
        for (begin_steps(); !under_way_.empty() || total_running() != 0; begin_steps()) {
            while (!under_way_.empty())
                end_step(0, 0);
            for (std::size_t i = 0; i != queues_.size(); ++i)
                while (queues_[i].running != 0)
                    end_job(i, true);
        }
        BOOST_TEST_REQUIRE(worker_.is_settled());
        BOOST_TEST_REQUIRE(worker_.running() == 0);
        for (const auto& queue : queues_) {
            BOOST_TEST_REQUIRE(queue.pending == 0);
            BOOST_TEST_REQUIRE(!queue.uncertain);
        }
    }

    std::size_t taken() const { return taken_; }

private:
    struct call
    {
        step what;
        bool keeps_places = true;
    };

    struct books
    {
        std::size_t running = 0, places_kept = 0, pending = 0, calls = 0, takes = 0;
        bool empty = false, uncertain = false;
        bool quiet = false, late = false; // nothing was heard of it since one look for late calls, or two
        queue_dispatcher::time_point not_before{};
    };

    std::size_t pick(std::size_t below)
    {
        return std::uniform_int_distribution<std::size_t>{0, below - 1}(random_);
    }

    std::size_t total_running() const
    {
        return std::accumulate(queues_.begin(), queues_.end(), std::size_t{0},
                               [](std::size_t sum, const books& queue) { return sum + queue.running; });
    }

    std::size_t total_occupied() const
    {
        return std::accumulate(queues_.begin(), queues_.end(), total_running(),
                               [](std::size_t sum, const books& queue) { return sum + queue.places_kept; });
    }

    bool rests(const books& queue) const { return now_ < queue.not_before; }

    void do_something()
    {
        now_ += std::chrono::milliseconds{pick(3)};
        const auto queue = pick(queues_.size());
        switch (pick(pick(10) == 0 ? 5 : 4)) {
        case 4:
            look_for_late_calls();
            break;
        case 0:
            worker_.jobs_ready(queue);
            queues_[queue].empty = false;
            break;
        case 1:
            if (!under_way_.empty())
                end_step(pick(under_way_.size()), pick(10));
            break;
        default:
            if (queues_[queue].running != 0)
                end_job(queue, pick(5) != 0);
        }
    }

    void end_job(std::size_t index, bool settle)
    {
        auto& queue = queues_[index];
        --queue.running;
        worker_.job_ended(index, settle);
        if (!settle && pick(2) == 0) { // had to wait for a renewal
            worker_.outcome_ready(index);
            settle = true;
        }
        queue.pending += settle;
    }

    void look_for_late_calls()
    {
        worker_.look_for_late_calls();
        for (std::size_t i = 0; i != queues_.size(); ++i) {
            auto& queue = queues_[i];
            if (queue.quiet && queue.places_kept != 0) {
                queue.late = true;
                queue.places_kept = 0;
                for (auto& each : under_way_)
                    each.keeps_places = each.keeps_places && each.what.queue != i;
            }
            queue.quiet = queue.takes != 0;
        }
    }

    void end_step(std::size_t index, std::size_t how)
    {
        const auto [done, kept] = under_way_[index];
        under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(index));
        auto& queue = queues_[done.queue];
        --queue.calls;
        queue.takes -= done.take != 0;
        queue.places_kept -= kept ? done.take : 0;
        queue.quiet = false;
        if (how == 8) {
            const auto until = now_ + std::chrono::milliseconds{pick(20)};
            worker_.refused(done, until);
            queue.pending += done.acknowledge;
            queue.not_before = std::max(queue.not_before, until);
        } else if (how == 9) {
            worker_.in_doubt(done);
            queue.pending += done.acknowledge;
            queue.uncertain = queue.uncertain || done.take != 0;
        } else if (done.reconcile) {
            worker_.reconciled(done);
            queue.uncertain = false;
        } else {
            const auto found = how < 4 ? done.take : pick(done.take + 1);
            worker_.ended(done, found);
            queue.running += found;
            queue.empty = queue.empty || found < done.take;
            queue.late = false;
            taken_ += found;
        }
    }

    void begin_steps()
    {
        for (int steps = 0; const auto next = worker_.next(now_); ++steps) {
            BOOST_TEST_REQUIRE(steps < 1'000); // comes to an end
            check(*next);
            auto& queue = queues_[next->queue];
            ++queue.calls;
            if (next->take != 0 && queue.takes++ == 0)
                queue.quiet = false;
            queue.pending -= next->acknowledge;
            queue.places_kept += next->take;
            under_way_.push_back({*next});
        }
        check_idle();
        BOOST_TEST_REQUIRE(worker_.running() == total_running());
    }

    void check(const step& next)
    {
        const auto& queue = queues_.at(next.queue);
        BOOST_TEST_REQUIRE(!rests(queue));
        BOOST_TEST_REQUIRE(queue.calls < 2);
        BOOST_TEST_REQUIRE(next.acknowledge <= std::min(queue.pending, max_batch));
        BOOST_TEST_REQUIRE(next.take <= max_batch);
        if (next.reconcile) {
            BOOST_TEST_REQUIRE(queue.uncertain);
            BOOST_TEST_REQUIRE(queue.calls == 0);
            BOOST_TEST_REQUIRE(next.acknowledge + next.take == 0);
        } else {
            BOOST_TEST_REQUIRE(!queue.uncertain);
            BOOST_TEST_REQUIRE(next.acknowledge + next.take != 0);
        }
        if (next.take == 0)
            return;
        // What a late call took in the end is more than there are places.
        BOOST_TEST_REQUIRE(queue.running + queue.places_kept + next.take <= limits_[next.queue].concurrency);
        BOOST_TEST_REQUIRE(total_occupied() + next.take <= concurrency_);
        BOOST_TEST_REQUIRE((!queue.empty && !stopping_));
        BOOST_TEST_REQUIRE((!queue.late || (queue.takes == 0 && next.take == 1)));
    }

    /// When there is no next step, there is really nothing to do.
    void check_idle()
    {
        for (std::size_t i = 0; i != queues_.size(); ++i) {
            const auto& queue = queues_[i];
            if (rests(queue))
                continue;
            BOOST_TEST_REQUIRE((!queue.uncertain || queue.calls != 0));
            BOOST_TEST_REQUIRE((queue.pending == 0 || queue.uncertain || queue.calls == 2 ||
                                (stopping_ && queue.takes != 0)));
            const bool has_place =
                total_occupied() < concurrency_ && queue.running + queue.places_kept < limits_[i].concurrency;
            BOOST_TEST_REQUIRE((!has_place || queue.empty || queue.uncertain || queue.calls == 2 ||
                                (queue.late && queue.takes != 0) || stopping_ || lets_others_catch_up()));
        }
    }

    /// Where shares count, a queue may wait for the answers that another one waits for.
    bool lets_others_catch_up() const
    {
        return order_ != queue_order::strict &&
               std::any_of(queues_.begin(), queues_.end(), [&](const books& other) {
                   return other.calls == 2 && !other.empty && !rests(other);
               });
    }

    queue_dispatcher worker_;
    queue_order order_;
    std::size_t concurrency_;
    std::vector<queue_dispatcher::queue_limits> limits_;
    std::vector<books> queues_;
    std::vector<call> under_way_;
    std::mt19937 random_;
    queue_dispatcher::time_point now_{std::chrono::hours{1}};
    std::size_t taken_ = 0;
    bool stopping_ = false;
};

void run_streams(queue_order order)
{
    std::size_t taken = 0;
    constexpr unsigned streams = coworker::test::is_sanitized ? 15 : 60;
    for (unsigned seed = 1; seed != streams; ++seed) {
        std::mt19937 random{seed};
        const auto pick = [&](std::size_t most) {
            return std::uniform_int_distribution<std::size_t>{1, most}(random);
        };
        const auto concurrency = pick(seed % 3 == 0 ? 1'000 : 8);
        std::vector<queue_dispatcher::queue_limits> limits(pick(5));
        for (auto& limit : limits)
            limit = {pick(concurrency), static_cast<unsigned>(pick(9))};
        BOOST_TEST_CONTEXT("seed " << seed)
        {
            model stream{order, concurrency, limits, seed};
            stream.run(2'000);
            stream.finish();
            taken += stream.taken();
        }
    }
    BOOST_TEST(taken > (coworker::test::is_sanitized ? 1'000U : 10'000U)); // the streams are not empty
}

BOOST_AUTO_TEST_CASE(hold_in_strict_order)
{
    run_streams(queue_order::strict);
}

BOOST_AUTO_TEST_CASE(hold_in_rotation)
{
    run_streams(queue_order::round_robin);
}

BOOST_AUTO_TEST_CASE(hold_with_weights)
{
    run_streams(queue_order::weighted);
}

BOOST_AUTO_TEST_SUITE_END()
