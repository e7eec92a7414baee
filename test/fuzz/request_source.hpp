// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace coworker::test {

/// Makes requests to the gateway that are right, nearly right, and wrong. The same seed makes the same ones.
class request_source
{
public:
    explicit request_source(std::uint64_t seed) : random_{seed} {}

    /// One to four requests in a row, in half of all cases with some bytes changed.
    std::string next();

    /// Changes a few bytes.
    std::string mangled(std::string bytes);

    /// A JSON value such as bodies have, not always valid.
    std::string body();

    /// A path with a query.
    std::string target();

private:
    std::size_t below(std::size_t end)
    {
        return std::uniform_int_distribution<std::size_t>{0, end - 1}(random_);
    }
    bool once_in(std::size_t n) { return below(n) == 0; }

    template<std::size_t N>
    const char* one_of(const char* const (&texts)[N])
    {
        return texts[below(N)];
    }

    std::string request();
    std::string fields();
    std::string name();
    std::string text();
    std::string json(int depth);
    std::string job();
    std::string selection();
    std::string chunked(const std::string& body);

    std::mt19937_64 random_;
};

} // namespace coworker::test
