// SPDX-License-Identifier: MIT
#pragma once

#include "support/raw_redis.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Tables for scripts: the state before, the call, and the whole state after.
namespace coworker::test {

using strings = std::vector<std::string>;

/// What a key holds.
struct content
{
    std::string type;
    strings items; ///< list: from its head on; hash: field, value, …; zset: member, score, …; string: one
};

inline content list(strings items)
{
    return {"list", std::move(items)};
}
inline content hash(strings fields_and_values)
{
    return {"hash", std::move(fields_and_values)};
}
inline content zset(strings members_and_scores)
{
    return {"zset", std::move(members_and_scores)};
}
inline content text(std::string value)
{
    return {"string", {std::move(value)}};
}

/// All keys of the server. They are called by the names that the scripts' headers use.
using state = std::map<std::string, content>;

// --- times ---------------------------------------------------------------------------

/// A start time long ago, held by the worker with this number.
std::string token(unsigned worker, unsigned micros = 0);

/// Stands in expected states and replies for a start time that the server's clock wrote during the call.
std::string now(unsigned worker);

/// Stands in expected states for a score that is so many ms after the call, by the server's clock.
std::string due_in(std::int64_t ms);

/// How `ready` holds a payload.
std::string digest_of(std::string_view payload);

/// `ready` with these payloads, which the call noted to be able to run now.
content ready_now(const strings& payloads);

/// The SHA-1 of a text, as Redis knows it.
std::string sha1(const std::string& text);

/// How the scheduled set holds a payload that was scheduled as the `sequence`th.
std::string scheduled_member(unsigned sequence, std::string_view payload);

// --- calls ---------------------------------------------------------------------------

struct script_call
{
    std::string script; ///< such as "ack_and_fetch"
    strings arguments;
    strings more_keys{}; ///< behind those that the script's header names
};

/// The arguments of ack_and_fetch.
struct ack_and_fetch
{
    unsigned count = 0;
    unsigned worker = 0;
    std::string name = "w";
    unsigned failed_limit = 1000;
    unsigned broken_limit = 1000;
    unsigned deliverable = 24 * 1024 * 1024;
    unsigned first = 16;
    unsigned lease = 120'000;

    struct successes
    {
        std::string token;
        strings payloads;
    };
    std::vector<successes> succeeded{};

    struct other
    {
        std::string payload, token, kind;
        unsigned attempts = 1;
        std::int64_t delay = 0;
        std::string message{};
        strings effects{}; ///< of the kind `effects`: how many, and of each how many words, and those
    };
    std::vector<other> others{};

    operator script_call() const;
};

/// A start time of coworker's that no clock has reached.
inline constexpr auto far_ahead = R"("2999-12-31T23:59:59.999999999999Z")";

/// The arguments of recover_leases.
struct recovery
{
    std::string threshold;          ///< leases that began before have ended
    strings dead{};                 ///< numbers of dead workers
    std::string looked = far_ahead; ///< when these were found dead
    std::string latest = far_ahead; ///< leases that begin later are ahead of any clock
    std::string cursor = "0";
    unsigned count = 128; ///< about how many to look at

    operator script_call() const;
};

/// The reply of ack_and_fetch that has taken jobs, or found none.
strings took(unsigned worker, const strings& payloads, const strings& attempts = {},
             const strings& lost = {});
/// The reply of ack_and_fetch that was not to take any.
strings settled(const strings& lost = {});

/// A push of jobs without ids that may all run from then on, as an argument of submit has it: "+1500", "@1795254869123".
script_call push_later(const std::string& start, const strings& payloads);

/// One row.
struct row
{
    state before;
    script_call call;
    strings reply; ///< the elements, nested ones between "(" and ")"; of an error its text
    state after;
};

/// Whose scripts are called.
enum class release
{
    present,
    last ///< if it has the script, which takes the same keys
};

/// A server of the test program's own, emptied for each test.
class script_test
{
public:
    script_test();

    /// Runs a row and compares reply and state completely; if the script has a short way, once without it.
    void check(const row& what);

    /// Makes a call in this state, by the script's short way and without it: reply and state are the same.
    void check_both_ways(const state& before, const script_call& what);

    /// The same step by step. A call's reply has its times replaced by `now`.
    void set(const state& content);
    strings call(const script_call& what);
    /// The times that the last call wrote are replaced by `now`; scores that `expected` gives with `due_in`
    /// are compared and replaced.
    state get(const state& expected = {}) const;

    /// The words before the arguments of a call of this script, which the server knows from now on.
    static strings load(const std::string& script, release of = release::present);

    static raw_redis& redis();
    /// TIME, in microseconds since 1970.
    static std::int64_t server_micros();
    /// How far the server's clock is ahead of the real one from now on; says whether that can be done here.
    static bool set_clock(std::chrono::nanoseconds ahead);

private:
    std::string replace_times(std::string text) const;

    bool has_short_way_ = false; ///< the script of the last call
    bool is_short_way_barred_ = false;
    std::int64_t called_ = 0, answered_ = 0; ///< TIME before and after the last call, in microseconds
};

/// Says what differs.
boost::test_tools::assertion_result same(const state& found, const state& expected);
boost::test_tools::assertion_result same(const strings& found, const strings& expected);

} // namespace coworker::test
