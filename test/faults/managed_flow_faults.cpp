// SPDX-License-Identifier: MIT
#include "fault_test.hpp"
#include "support/qless_client.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <vector>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Graphs of jobs with several workers, some of them killed: each job ends, as it said, and behind those for which it
/// waits.
BOOST_AUTO_TEST_SUITE(managed_flow_faults)

namespace {

constexpr std::size_t size_of_graph = is_sanitized ? 300 : 1'000;

struct node
{
    std::vector<std::size_t> parents;
    std::string answer;        ///< what becomes of it when one of them fails
    bool is_fragile = false;   ///< it fails with its worker
    bool is_cancelled = false; ///< by the test
    std::string state;         ///< in the end; empty: gone
};

struct flow_fault_test : fault_test, qless_client
{
    flow_fault_test() : fault_test{{}, "managed:mail"}, qless_client{server}, nodes(size_of_graph) {}

    std::vector<node> nodes;

    static std::string id_of(std::size_t i) { return "job-" + std::to_string(i); }

    /// Half of the jobs wait for one or two others, so that what one failure brings with it stays small.
    void make_graph(bool with_fragile)
    {
        static const std::vector<std::string> answers{"fail", "skip", "go_on"};
        for (std::size_t i = 1; i != nodes.size(); ++i) {
            auto& each = nodes[i];
            each.answer = answers[random_between(0, 2)];
            each.is_fragile = with_fragile && random_between(0, 9) == 0;
            if (random_between(0, 1) == 0)
                continue;
            for (auto count = random_between(1, 2); count != 0; --count)
                each.parents.push_back(random_between(i < 30 ? 0 : i - 30, i - 1));
        }
    }

    void put_graph()
    {
        const auto script = server("SCRIPT", "LOAD", detail::find_script("managed/put").text()).text;
        std::vector<std::vector<std::string>> all;
        for (std::size_t i = 0; i != nodes.size(); ++i) {
            std::string parents;
            for (const auto parent : nodes[i].parents)
                parents += (parents.empty() ? "\"" : ",\"") + id_of(parent) + '"';
            const auto answer = nodes[i].answer.empty() ? "wait" : nodes[i].answer;
            all.push_back({"EVALSHA", script, "1", "ql:", "server", "", "mail", id_of(i), "Job",
                           std::to_string(i), "0", "retries", nodes[i].is_fragile ? "0" : "1000", "depends",
                           '[' + parents + ']', "options", R"({"on_parent_failure":")" + answer + R"("})"});
        }
        for (const auto& put : server.raw().pipeline(all))
            BOOST_TEST_REQUIRE(!put.is_error(), put.text);
    }

    void wait_for_all()
    {
        wait_until("all jobs have ended", [&] {
            return server("EXISTS", "ql:q:mail-work", "ql:q:mail-locks", "ql:q:mail-depends",
                          "ql:q:mail-scheduled", "ql:coworker:ended-parents")
                       .integer == 0;
        });
        for (std::size_t i = 0; i != nodes.size(); ++i)
            nodes[i].state = server("HGET", "ql:j:" + id_of(i), "state").text;
    }

    bool has_bad_parent(const node& what) const
    {
        return std::any_of(what.parents.begin(), what.parents.end(),
                           [&](auto parent) { return nodes[parent].state != "complete"; });
    }

    /// Each job is where it should be, given what became of its parents.
    void check_ends()
    {
        std::size_t complete = 0;
        for (std::size_t i = 0; i != nodes.size(); ++i) {
            const auto& each = nodes[i];
            const bool brought_down = has_bad_parent(each) && each.answer != "go_on";
            if (each.state == "complete") {
                ++complete;
                BOOST_TEST(!brought_down, id_of(i));
            } else if (each.state == "failed") {
                BOOST_TEST((each.is_fragile || (brought_down && each.answer == "fail")), id_of(i));
            } else {
                BOOST_TEST(each.state == "", id_of(i));
                BOOST_TEST((each.is_cancelled || (brought_down && each.answer == "skip")), id_of(i));
            }
        }
        BOOST_TEST_MESSAGE(complete << " of " << nodes.size() << " are complete");
        BOOST_TEST(complete > nodes.size() / 4);
        BOOST_TEST(server("KEYS", "ql:coworker:affected:*").texts().empty());
        BOOST_TEST(broken() == "");
    }

    /// None began before a parent that has succeeded had.
    void check_order()
    {
        record.refresh();
        const auto order = record.in_order();
        std::map<std::string, std::size_t> first;
        for (std::size_t place = 0; place != order.size(); ++place)
            first.emplace(order[place], place);
        for (std::size_t i = 0; i != nodes.size(); ++i) {
            const auto own = first.find(std::to_string(i));
            for (const auto parent : nodes[i].parents)
                if (own != first.end() && nodes[parent].state == "complete")
                    BOOST_TEST(first.at(std::to_string(parent)) < own->second, id_of(i));
        }
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(graphs_end_with_racing_workers_while_jobs_are_cancelled, flow_fault_test)
{
    make_graph(false);
    put_graph();
    const auto workers = start_workers(3);
    for (int i = 0; i != 20; ++i) {
        wait_for_runs(static_cast<std::size_t>(5 * i));
        const auto chosen = random_between(0, nodes.size() - 1);
        nodes[chosen].is_cancelled = true;
        qless("cancel", id_of(chosen));
    }
    wait_for_all();
    check_ends();
    check_order();
}

BOOST_FIXTURE_TEST_CASE(graphs_end_while_workers_are_killed, flow_fault_test)
{
    make_graph(true);
    put_graph();
    const auto survivors = kill_workers(6, nodes.size() / 4); // more than these are complete in the end
    wait_for_all();
    check_ends();
    check_order();
}

BOOST_AUTO_TEST_SUITE_END()
