// SPDX-License-Identifier: MIT
#include "program/build_facts.hpp"

#include "coworker/version.hpp"

#include <boost/version.hpp>

#include <string_view>

namespace coworker::program {
namespace {

constexpr std::string_view compiler =
#ifdef __clang__
    "clang " __clang_version__;
#else
    "g++ " __VERSION__;
#endif

constexpr std::string_view gateway =
#ifdef COWORKER_WITH_GATEWAY
    "with";
#else
    "without";
#endif

std::string boost_version()
{
    return std::to_string(BOOST_VERSION / 100'000) + '.' + std::to_string(BOOST_VERSION / 100 % 1'000) + '.' +
           std::to_string(BOOST_VERSION % 100);
}

} // namespace

std::string build_facts()
{
    std::string facts = "coworker " COWORKER_VERSION_STRING;
    const auto add = [&](std::string_view what, std::string_view fact) {
        facts.append("\n").append(what).append(" ").append(fact);
    };
    constexpr std::string_view commit = COWORKER_COMMIT;
    add("commit", commit.empty() ? "unknown" : commit);
    add("compiler", compiler);
    add("Boost", boost_version());
    add(gateway, "gateway");
    return facts;
}

} // namespace coworker::program
