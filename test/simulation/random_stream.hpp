// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/world.hpp"

#include <cstdint>
#include <random>

namespace coworker::test {

/// What is drawn from a seed. Each part of the simulation has a stream of its own: what one draws changes nothing for
/// the others.
class random_stream
{
public:
    random_stream(std::uint64_t seed, std::uint64_t number) : engine_{seed * 1'000'003 + number} {}

    std::uint64_t draw() { return engine_(); }
    /// A number below `limit`.
    std::size_t below(std::size_t limit) { return draw() % limit; }
    /// Both ends are possible.
    nanoseconds between(nanoseconds from, nanoseconds to)
    {
        return from + static_cast<nanoseconds>(draw() % static_cast<std::uint64_t>(to - from + 1));
    }
    bool chance(double probability) { return static_cast<double>(draw() >> 11) * 0x1p-53 < probability; }

private:
    std::mt19937_64 engine_;
};

/// A number that is made of others, and always the same: for what has to be so whatever else happens.
inline std::uint64_t mixed(std::uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

} // namespace coworker::test
