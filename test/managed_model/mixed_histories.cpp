// SPDX-License-Identifier: MIT
#include "mixed_history.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>

using namespace coworker::test;
using namespace coworker::test::model;

/// Whatever happens to jobs that have everything that jobs can have: all of them end when nothing holds them back any more,
/// and leave nothing behind.
///
/// MODEL_SEED: the first seed; MODEL_STREAMS: how many histories; MODEL_STEPS: how long each is.
BOOST_AUTO_TEST_SUITE(mixed_histories)

namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise)
{
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

void run_histories(bool with_others)
{
    const auto first = setting("MODEL_SEED", 1), count = setting("MODEL_STREAMS", 12);
    live_queue live;
    for (auto seed = first; seed != first + count; ++seed) {
        live.clear();
        mixed_history subject{live, seed, with_others};
        for (std::uint64_t step = 0; step != setting("MODEL_STEPS", 300); ++step)
            subject.take_step();
        subject.come_to_an_end();
        const auto left = subject.left_behind();
        BOOST_TEST(left.empty(), "seed " << seed << ": " << left << "\nbefore:" << subject.report());
        if (!left.empty())
            return;
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(of_one_s_own_leave_nothing_behind)
{
    run_histories(false);
}

BOOST_AUTO_TEST_CASE(in_which_others_move_and_cancel_jobs_leave_nothing_behind)
{
    run_histories(true);
}

BOOST_AUTO_TEST_SUITE_END()
