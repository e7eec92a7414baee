// SPDX-License-Identifier: MIT
#pragma once

#include "store.hpp"

#include <random>

namespace coworker::test::model {

/// A call that may be made at any time.
struct generated_call
{
    std::string script;
    strings words; ///< `now` and the arguments
};

/// Chance with a seed; the same on every platform.
class chance
{
public:
    explicit chance(std::uint64_t seed) : engine_{seed} {}

    std::size_t below(std::size_t end) { return static_cast<std::size_t>(engine_() % end); }
    bool percent(std::size_t share) { return below(100) < share; }

    template<class T>
    T of(const std::vector<T>& choices)
    {
        return choices[below(choices.size())];
    }
    std::string of(std::initializer_list<const char*> choices)
    {
        return choices.begin()[below(choices.size())];
    }

private:
    std::mt19937_64 engine_;
};

/// Makes up commands on few jobs, queues, workers and tags, so that they meet.
class generator
{
public:
    explicit generator(std::uint64_t seed);

    /// The next call; looks at the state so as not to be refused too often.
    generated_call next(const store& state);

    double now() const noexcept { return now_; }

private:
    void pass_time(const store& state);
    strings arguments_of(const std::string& script, const store& state);
    strings batch_of(const std::string& single, const store& state);
    void add_settlements(strings& words, const store& state);
    void spoil(strings& words);

    chance chance_;
    double now_;
};

/// The arguments, after `now`, of one call of a command.
strings make_arguments(const std::string& script, chance& chance, const store& state, double now);

/// All scripts that the generator calls.
const strings& generated_scripts();

} // namespace coworker::test::model
