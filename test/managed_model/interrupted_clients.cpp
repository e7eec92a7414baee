// SPDX-License-Identifier: MIT
#include "witness.hpp"

#include "support/client_list.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <thread>

using namespace coworker::test;
using namespace coworker::test::model;

/// A client is cut off in the middle of its work. What was carried out is whole and what was answered was
/// carried out, so no accepted job is lost; the check finds nothing.
BOOST_AUTO_TEST_SUITE(interrupted_clients)

namespace {

const std::string name = "the-one-to-be-killed";

struct interruption
{
    live_queue live;
    witness sees{live};
    distinct_calls calls{11};
    chance random{12};
    std::vector<generated_call> sent{};

    void prepare(std::size_t count)
    {
        sent.clear();
        for (; count != 0; --count) {
            sent.push_back(calls.next(sees.state()));
            sees.expect(sent.back());
        }
    }

    bool is_connected()
    {
        const auto clients = client_list(live.server());
        return std::any_of(clients.begin(), clients.end(),
                           [](auto fields) { return fields["name"] == name; });
    }

    /// Until the server has done all that it will do for the client.
    void wait_until_it_is_gone()
    {
        while (is_connected()) {
        }
    }

    /// A different moment every time, without a clock.
    void let_some_time_pass()
    {
        for (auto trips = random.below(100); trips != 0; --trips)
            live.server()("PING");
    }

    void check_round(int round)
    {
        const auto what = sees.compare(calls.now());
        BOOST_REQUIRE_MESSAGE(what.empty(), "round " << round << ": " << what);
    }
};

/// Sends calls until the connection ends; keeps the answers.
class victim
{
public:
    explicit victim(live_queue& live) : connection_{live.server().socket_path()}
    {
        connection_("CLIENT", "SETNAME", name);
        id_ = std::to_string(connection_("CLIENT", "ID").integer);
    }

    const std::string& id() const { return id_; }

    void send(const std::vector<generated_call>& calls, std::size_t at_once)
    {
        try {
            for (std::size_t first = 0; first < calls.size(); first += at_once) {
                std::vector<strings> commands;
                for (std::size_t i = first; i < std::min(first + at_once, calls.size()); ++i)
                    commands.push_back(live_queue::command(calls[i].script, calls[i].words));
                for (auto& reply : connection_.pipeline(commands))
                    replies.push_back(std::move(reply));
            }
        } catch (const std::exception&) { // cut off
        }
    }

    std::vector<redis_value> replies{};

private:
    raw_redis connection_;
    std::string id_;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(leave_a_whole_state_when_their_connection_is_cut, interruption)
{
    int cut = 0;
    for (int round = 0; round != 60; ++round) {
        prepare(40);
        victim subject{live};
        {
            std::jthread working{[&] { subject.send(sent, 1 + random.below(8)); }};
            let_some_time_pass();
            cut +=
                live.server().raw().try_command({"CLIENT", "KILL", "ID", subject.id()}).integer == 1 ? 1 : 0;
        }
        wait_until_it_is_gone();
        for (std::size_t i = 0; i != subject.replies.size(); ++i)
            sees.note(sent[i], subject.replies[i]);
        check_round(round);
    }
    BOOST_TEST_MESSAGE(cut << " cut off, " << sees.done() << " commands, " << sees.unanswered()
                           << " unanswered");
    BOOST_TEST(cut > 0);
    BOOST_TEST(sees.done() > 0U);
}

BOOST_FIXTURE_TEST_CASE(leave_a_whole_state_when_their_process_is_killed, interruption)
{
    const auto file = live.server().folder().file("calls");
    int killed = 0;
    for (int round = 0; round != 30; ++round) {
        prepare(300);
        std::ofstream lines{file};
        for (const auto& call : sent)
            lines << json::serialize(to_json(live_queue::command(call.script, call.words))) << '\n';
        lines.close();
        const auto before = sees.done();
        process subject{{MODEL_CLIENT, live.server().socket_path(), name, file}};
        while (subject.is_running() && !is_connected()) {
        }
        let_some_time_pass();
        subject.kill();
        wait_until_it_is_gone();
        check_round(round);
        BOOST_TEST(sees.done() - before <= sent.size());
        killed += sees.done() - before < sent.size() ? 1 : 0;
    }
    BOOST_TEST_MESSAGE(killed << " killed at work, " << sees.done() << " commands");
    BOOST_TEST(killed > 0);
    BOOST_TEST(sees.done() > 0U);
}

BOOST_AUTO_TEST_SUITE_END()
