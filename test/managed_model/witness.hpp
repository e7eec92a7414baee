// SPDX-License-Identifier: MIT
#pragma once

#include "comparing.hpp"

namespace coworker::test::model {

/// Makes up calls that can be told apart by their `now`.
class distinct_calls
{
public:
    explicit distinct_calls(std::uint64_t seed) : generator_{seed} {}

    generated_call next(const store& state);
    double now() const noexcept { return last_; }

private:
    generator generator_;
    double last_ = 0;
};

/// Sees which calls a server carries out, whoever sends them, and has the model do the same.
class witness
{
public:
    explicit witness(live_queue& live);

    /// Notes what is going to be sent.
    void expect(const generated_call& call) { sent_[call.words.front()] = call; }
    /// Notes what was answered.
    void note(const generated_call& call, const redis_value& reply)
    {
        replies_[call.words.front()] = in_full(call.script, reply);
    }

    /// Repeats with the model what has been done since the last time, in the same order. Returns what differs:
    /// in a reply, in the messages, in the state, or in the eyes of the consistency check.
    std::string compare(double now);

    const store& state() const noexcept { return model_.state(); }
    std::size_t done() const noexcept { return done_; }             ///< calls, by now
    std::size_t unanswered() const noexcept { return unanswered_; } ///< of them

private:
    /// The `now` of each call that has been carried out.
    strings carried_out();
    std::string repeat(const std::string& now, strings& messages);

    live_queue& live_;
    raw_redis monitor_;
    managed_model model_;
    std::map<std::string, generated_call> sent_;
    std::map<std::string, redis_value> replies_;
    std::size_t done_ = 0;
    std::size_t unanswered_ = 0;
};

} // namespace coworker::test::model
