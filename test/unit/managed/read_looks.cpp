// SPDX-License-Identifier: MIT
#include "managed/read_look.hpp"

#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace coworker::detail;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(read_looks)

BOOST_AUTO_TEST_CASE(reads_queues)
{
    const std::string mail = R"({"name":"mail","waiting":1,"running":2,"stalled":3,"scheduled":4,"depends":5,
        "recurring":6,"paused":true})";
    const auto queue = read_queue(mail);
    BOOST_TEST(queue.name == "mail");
    BOOST_TEST(queue.waiting == 1u);
    BOOST_TEST(queue.running == 2u);
    BOOST_TEST(queue.stalled == 3u);
    BOOST_TEST(queue.scheduled == 4u);
    BOOST_TEST(queue.depends == 5u);
    BOOST_TEST(queue.recurring == 6u);
    BOOST_TEST(queue.paused);
    BOOST_TEST(read_queues("{}").empty());
    BOOST_TEST(read_queues("[" + mail + "," + mail + "]").size() == 2u);
    BOOST_TEST(error_in([] { (void)read_queues("[3]"); }).says("queue is not an object"));
}

BOOST_AUTO_TEST_CASE(reads_workers)
{
    BOOST_TEST(read_workers("{}").empty());
    const auto workers = read_workers(R"([{"name":"w","jobs":2,"stalled":1},{"name":"v"}])");
    BOOST_TEST_REQUIRE(workers.size() == 2u);
    BOOST_TEST(workers[0].name == "w");
    BOOST_TEST(workers[0].running == 2u);
    BOOST_TEST(workers[0].stalled == 1u);
    BOOST_TEST(workers[1].running == 0u);
    const auto held = read_worker(R"({"jobs":["a","b"],"stalled":{}})");
    BOOST_TEST((held.running == std::vector<std::string>{"a", "b"}));
    BOOST_TEST(held.stalled.empty());
}

BOOST_AUTO_TEST_CASE(reads_statistics)
{
    std::string histogram;
    for (int bin = 0; bin != 148; ++bin) {
        if (bin != 0)
            histogram += ',';
        histogram += std::to_string(bin);
    }
    const auto day = read_statistics(
        R"({"retries":1,"failed":-2,"failures":3,"run":{"count":0,"mean":0,"std":0,"histogram":{}},
            "wait":{"count":7,"mean":1.5,"std":0.25,"histogram":[)" +
        histogram + "]}}");
    BOOST_TEST(day.lost_locks == 1);
    BOOST_TEST(day.retries == 0); // which are not in the answer
    BOOST_TEST(day.failed == -2);
    BOOST_TEST(day.failures == 3);
    BOOST_TEST(day.wait.count == 7u);
    BOOST_TEST(day.wait.mean.count() == 1.5);
    BOOST_TEST(day.wait.deviation.count() == 0.25);
    BOOST_TEST(day.wait.histogram[0] == 0u);
    BOOST_TEST(day.wait.histogram[147] == 147u);
    BOOST_TEST(day.run.count == 0u);
    BOOST_TEST(day.run.histogram[5] == 0u);
    BOOST_TEST(error_in([] {
                   (void)read_statistics(R"({"wait":{"histogram":["x"]}})");
               }).says("'histogram' is not a list of numbers"));
}

BOOST_AUTO_TEST_CASE(reads_pages_tags_and_groups)
{
    const auto page = read_page(R"({"total":12,"jobs":["a"]})");
    BOOST_TEST(page.total == 12u);
    BOOST_TEST((page.jids == std::vector<std::string>{"a"}));
    BOOST_TEST(read_page(R"({"total":0,"jobs":{}})").jids.empty());
    BOOST_TEST(read_texts("{}").empty());
    BOOST_TEST((read_texts(R"(["a","b"])") == std::vector<std::string>{"a", "b"}));
    BOOST_TEST(read_failed_groups("{}").empty());
    const auto groups = read_failed_groups(R"({"g":2,"":1})");
    BOOST_TEST(groups.at("g") == 2u);
    BOOST_TEST(groups.at("") == 1u);
    const auto tracked = read_tracked(R"({"jobs":[{"jid":"j","state":"waiting"}],"expired":["gone"]})");
    BOOST_TEST_REQUIRE(tracked.jobs.size() == 1u);
    BOOST_TEST((tracked.expired == std::vector<std::string>{"gone"}));
    BOOST_TEST(read_tracked(R"({"jobs":{},"expired":{}})").jobs.empty());
}

BOOST_AUTO_TEST_CASE(reads_settings_as_texts)
{
    const auto options = read_config(R"({"heartbeat":60,"grace-period":"10.5","application":"qless"})");
    BOOST_TEST(options.at("heartbeat") == "60");
    BOOST_TEST(options.at("grace-period") == "10.5");
    BOOST_TEST(options.at("application") == "qless");
}

BOOST_AUTO_TEST_CASE(the_bins_of_a_histogram_follow_each_other)
{
    using bin = managed_distribution::bin;
    const auto bounds = &managed_distribution::bounds;
    BOOST_TEST((bounds(0) == bin{0s, 1s}));
    BOOST_TEST((bounds(59) == bin{59s, 60s}));
    BOOST_TEST((bounds(60) == bin{1min, 2min}));
    BOOST_TEST((bounds(118) == bin{59min, 1h}));
    BOOST_TEST((bounds(119) == bin{1h, 2h}));
    BOOST_TEST((bounds(141) == bin{23h, 24h}));
    BOOST_TEST((bounds(142) == bin{24h, 48h}));
    BOOST_TEST((bounds(147) == bin{144h, 168h}));
    for (std::size_t i = 1; i != managed_distribution::bins; ++i)
        BOOST_TEST((bounds(i).from == bounds(i - 1).to), "bin " << i);
}

BOOST_AUTO_TEST_SUITE_END()
