// SPDX-License-Identifier: MIT
#include "comparing.hpp"
#include "generator.hpp"
#include "support/coroutine.hpp"

#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdlib>
#include <set>

using namespace coworker::test;
using namespace coworker::test::model;

/// The same random commands to the scripts and to the model: replies, messages and states must be equal.
///
/// MODEL_SEED: the first seed; MODEL_STREAMS: how many streams; MODEL_STEPS: how long each is.
BOOST_AUTO_TEST_SUITE(random_stream)

namespace {

std::uint64_t setting(const char* name, std::uint64_t otherwise)
{
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// One stream, from an empty database on.
class stream
{
public:
    stream(live_queue& live, std::uint64_t seed) : live_{live}, seed_{seed}, generator_{seed}
    {
        live_.clear();
        live_.messages();
    }

    /// Returns whether everything has been equal.
    bool run(std::uint64_t steps)
    {
        for (step_ = 0; step_ != steps; ++step_)
            if (const auto complaint = take_step(); !complaint.empty()) {
                BOOST_ERROR(report(complaint));
                return false;
            }
        return true;
    }

    std::uint64_t refused = 0;
    std::set<std::string> answered, refusing; ///< scripts

private:
    std::string take_step()
    {
        calls_.push_back(generator_.next(model_.state()));
        const auto& call = calls_.back();
        const auto expected = model_.call(call.script, call.words);
        const auto found = live_.call(call.script, call.words);
        refused += expected.refused ? 1U : 0U;
        (expected.refused ? refusing : answered).insert(call.script);

        if (const auto what = difference(found, expected); !what.empty())
            return what;
        if (const auto heard = live_.messages(); heard != expected.messages)
            return differ("the messages", heard, expected.messages);
        // What is refused changes nothing; a batch may be refused in parts.
        if (expected.refused || step_ % 16 == 15)
            if (const auto what = difference(live_.state(), take_snapshot(model_.state())); !what.empty())
                return "the state differs:" + what;
        if (step_ % 128 == 127)
            if (const auto findings = live_.broken(generator_.now()); !findings.empty())
                return "the check finds " + json::serialize(to_json(findings));
        return {};
    }

    /// The complaint with where it comes from and what went before.
    std::string report(const std::string& complaint) const
    {
        const auto& last = calls_.back();
        std::string text = "seed " + std::to_string(seed_) + ", step " + std::to_string(step_) + ": " +
                           text_of(last) + '\n' + complaint + "\nbefore, of the same jobs or just before:";
        const std::size_t recent = calls_.size() > 20 ? calls_.size() - 20 : 0;
        for (std::size_t i = calls_.size() > 400 ? calls_.size() - 400 : 0; i != calls_.size(); ++i)
            if (i >= recent || shares_job(calls_[i], last))
                text += "\n  " + std::to_string(i) + ' ' + text_of(calls_[i]);
        return text;
    }

    bool shares_job(const generated_call& one, const generated_call& other) const
    {
        return std::any_of(one.words.begin(), one.words.end(), [&](const auto& word) {
            return model_.state().jobs.contains(word) &&
                   std::find(other.words.begin(), other.words.end(), word) != other.words.end();
        });
    }

    live_queue& live_;
    std::uint64_t seed_;
    std::uint64_t step_ = 0;
    generator generator_;
    managed_model model_;
    std::vector<generated_call> calls_;
};

} // namespace

BOOST_AUTO_TEST_CASE(leads_to_the_replies_and_states_of_the_model)
{
    const auto first = setting("MODEL_SEED", 1), count = setting("MODEL_STREAMS", 5);
    const auto steps = setting("MODEL_STEPS", 1000);
    live_queue live;
    std::uint64_t refused = 0;
    std::set<std::string> answered, refusing;
    for (auto seed = first; seed != first + count; ++seed) {
        stream subject{live, seed};
        if (!subject.run(steps))
            return;
        refused += subject.refused;
        answered.merge(subject.answered);
        refusing.merge(subject.refusing);
    }
    BOOST_TEST_MESSAGE(count * steps << " commands, " << refused << " refused");
    if (count * steps >= 5000)
        for (const auto& script : generated_scripts())
            BOOST_TEST(answered.contains(script), script << " has never been answered");
}

/// Seconds become milliseconds and are rounded: this time is not what is left when it is divided by 1000 again.
BOOST_AUTO_TEST_CASE(rounds_times_as_the_model_does)
{
    const std::string seen = "1701137617.0849354", looked_at = "1701137617084.9355", later = "1701137618";
    live_queue live;
    managed_model model;
    for (const auto& call : {generated_call{"sign_in", {seen, "w"}}, {"recover", {later, looked_at, "w"}}}) {
        BOOST_TEST(difference(live.call(call.script, call.words), model.call(call.script, call.words)) == "");
        BOOST_TEST(difference(live.state(), take_snapshot(model.state())) == "");
    }
}

BOOST_AUTO_TEST_SUITE_END()
