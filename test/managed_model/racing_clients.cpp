// SPDX-License-Identifier: MIT
#include "witness.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <thread>

using namespace coworker::test;
using namespace coworker::test::model;

/// Two clients send commands on the same few jobs at the same time. Whatever the order in which the server
/// takes them, it must be as if one after the other had gone through the model.
BOOST_AUTO_TEST_SUITE(racing_clients)

namespace {

/// Sends some calls at a time, as they come.
class client
{
public:
    explicit client(live_queue& live) : connection_{live.server().socket_path()} {}

    void prepare(witness& with, distinct_calls& calls, std::size_t count)
    {
        calls_.clear();
        for (; count != 0; --count) {
            calls_.push_back(calls.next(with.state()));
            with.expect(calls_.back());
        }
    }

    void send()
    {
        replies_.clear();
        for (std::size_t first = 0; first < calls_.size(); first += 3) {
            std::vector<strings> commands;
            for (std::size_t i = first; i < std::min(first + 3, calls_.size()); ++i)
                commands.push_back(live_queue::command(calls_[i].script, calls_[i].words));
            for (auto& reply : connection_.pipeline(commands))
                replies_.push_back(std::move(reply));
        }
    }

    void tell(witness& whom) const
    {
        for (std::size_t i = 0; i != replies_.size(); ++i)
            whom.note(calls_[i], replies_[i]);
    }

private:
    raw_redis connection_;
    std::vector<generated_call> calls_;
    std::vector<redis_value> replies_;
};

} // namespace

BOOST_AUTO_TEST_CASE(are_served_one_after_the_other)
{
    live_queue live;
    witness sees{live};
    distinct_calls calls{7};
    client one{live}, two{live};
    for (int round = 0; round != 100; ++round) {
        one.prepare(sees, calls, 15);
        two.prepare(sees, calls, 15);
        {
            std::jthread first{[&] { one.send(); }}, second{[&] { two.send(); }};
        }
        one.tell(sees);
        two.tell(sees);
        const auto what = sees.compare(calls.now());
        BOOST_REQUIRE_MESSAGE(what.empty(), "round " << round << ": " << what);
    }
    BOOST_TEST(sees.done() == 3000U);
    BOOST_TEST(sees.unanswered() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
