#include "http/rates.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(rates)

using namespace coworker::detail;
using namespace std::chrono_literals;

namespace {

const rate_meter::time_point start{1000s};

job_totals succeeded(std::uint64_t count)
{
    return {.succeeded = count};
}

} // namespace

BOOST_AUTO_TEST_CASE(need_two_samples)
{
    rate_meter meter;
    BOOST_TEST(!meter.add("a", {100, 50, 7}, start).has_value());
    const auto rates = meter.add("a", {120, 54, 8}, start + 2s);
    BOOST_TEST_REQUIRE(rates.has_value());
    BOOST_TEST(rates->succeeded == 10.0);
    BOOST_TEST(rates->retried == 2.0);
    BOOST_TEST(rates->failed == 0.5);
    BOOST_TEST(!meter.add("b", {}, start + 2s).has_value());
}

BOOST_AUTO_TEST_CASE(are_taken_over_the_window)
{
    rate_meter meter;
    for (int second = 0; second != 30; ++second)
        meter.add("a", succeeded(0), start + second * 1s);
    // Of the last ten seconds, only the last has brought anything.
    BOOST_TEST(meter.add("a", succeeded(100), start + 30s)->succeeded == 10.0);
    BOOST_TEST(meter.add("a", succeeded(100), start + 40s)->succeeded == 0.0);
}

BOOST_AUTO_TEST_CASE(are_taken_over_what_there_is_when_it_is_read_seldom)
{
    rate_meter meter;
    meter.add("a", succeeded(0), start);
    BOOST_TEST(meter.add("a", succeeded(600), start + 60s)->succeeded == 10.0);
    BOOST_TEST(meter.add("a", succeeded(1200), start + 120s)->succeeded == 10.0);
}

BOOST_AUTO_TEST_CASE(are_not_taken_over_moments)
{
    rate_meter meter;
    meter.add("a", succeeded(0), start);
    BOOST_TEST(!meter.add("a", succeeded(1), start + 1ms).has_value());
    // Those that come in between do not displace what is compared with.
    for (int i = 2; i != 500; ++i)
        meter.add("a", succeeded(1), start + i * 1ms);
    BOOST_TEST(meter.add("a", succeeded(5), start + 500ms)->succeeded == 10.0);
}

BOOST_AUTO_TEST_CASE(begin_anew_with_the_counters)
{
    rate_meter meter;
    meter.add("a", succeeded(100), start);
    BOOST_TEST(!meter.add("a", succeeded(3), start + 1s).has_value());
    BOOST_TEST(meter.add("a", succeeded(5), start + 2s)->succeeded == 2.0);
}

BOOST_AUTO_TEST_CASE(are_of_the_present)
{
    rate_meter meter;
    meter.add("a", succeeded(100), start);
    BOOST_TEST(!meter.add("a", succeeded(200), start + 301s).has_value());
    BOOST_TEST(meter.add("a", succeeded(201), start + 302s)->succeeded == 1.0);
}

BOOST_AUTO_TEST_CASE(are_kept_of_the_queues_looked_at_last)
{
    rate_meter meter{3};
    for (int i = 0; i != 3; ++i)
        meter.add(std::to_string(i), {}, start + i * 1s);
    meter.add("0", {}, start + 3s);
    meter.add("new", {}, start + 4s); // instead of "1"
    BOOST_TEST(meter.size() == 3u);
    BOOST_TEST(meter.add("0", {}, start + 5s).has_value());
    BOOST_TEST(meter.add("2", {}, start + 5s).has_value());
    BOOST_TEST(!meter.add("1", {}, start + 5s).has_value());
    for (int i = 0; i != 10'000; ++i)
        meter.add(std::to_string(100 + i), {}, start + 6s);
    BOOST_TEST(meter.size() == 3u);
}

BOOST_AUTO_TEST_CASE(of_a_queue_that_is_read_all_the_time_take_little_memory)
{
    rate_meter meter;
    std::optional<job_rates> rates;
    for (int i = 0; i != 100'000; ++i)
        rates = meter.add("a", succeeded(static_cast<std::uint64_t>(i)), start + i * 10ms);
    BOOST_TEST(std::abs(rates->succeeded - 100) < 0.001);
}

BOOST_AUTO_TEST_SUITE_END()
