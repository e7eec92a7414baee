// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/option_duration.hpp"
#include "coworker/text.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// @file
/// Limits of managed queues: how many jobs run at the same time, and how many in a period.
namespace coworker {

/// Whether a limit can have this name: 1 to 256 bytes. It must not begin with "order:", which is for order keys,
/// nor begin or end with '&'. It must not contain "&&", which separates the names of several. It has to be UTF-8,
/// too.
constexpr bool can_name_limit(std::string_view name) noexcept
{
    return !name.empty() && name.size() <= 256 && !name.starts_with("order:") && !name.starts_with('&') &&
           !name.ends_with('&') && name.find("&&") == name.npos;
}

/// A limit that a job is subject to, and how much of it the job takes.
class limit_use
{
public:
    /// A limit by its name; see `can_name_limit`. It need not be set.
    ///
    /// @param name  such as "gpu" or "tenant:42"
    /// @param units  how many of the limit's units the job takes, 1 to 1'000'000
    limit_use(std::string_view name, std::uint32_t units = 1) : name_{name}, units_{units} {}
    /// A limit; the job takes one unit of it.
    limit_use(const char* name) : limit_use{std::string_view{name}} {}
    /// A limit; the job takes one unit of it.
    limit_use(const std::string& name) : limit_use{std::string_view{name}} {}

    /// The limit's name.
    const std::string& name() const noexcept { return name_; }
    /// How many units the job takes.
    std::uint32_t units() const noexcept { return units_; }
    /// The same limit, and as many units.
    bool operator==(const limit_use&) const = default;

private:
    std::string name_;
    std::uint32_t units_;
};

/// The limits that a job is subject to: `{"tenant:42", coworker::limit_use{"gpu", 4}}`.
class limit_list
{
public:
    /// No list: `is_given` is false.
    limit_list() = default;

    /// A list of one or more limits.
    template<std::convertible_to<limit_use>... Others>
    limit_list(const limit_use& first, const Others&... others) : is_given_{true}
    {
        push_back(first);
        (push_back(others), ...);
    }
    /// A list of one limit; the job takes one unit of it.
    // Of any type, as in `text_list`.
    template<std::convertible_to<std::string_view> Text>
    limit_list(const Text& only) : limit_list{limit_use{std::string_view{only}}}
    {}

    /// An empty list that was given.
    static limit_list none()
    {
        limit_list list;
        list.is_given_ = true;
        return list;
    }

    /// Appends a limit; the list counts as given from then on.
    void push_back(const limit_use& another)
    {
        items_.get().push_back(another);
        is_given_ = true;
    }

    /// A list was given, though it may be empty.
    bool is_given() const noexcept { return is_given_; }
    /// The number of limits.
    std::size_t size() const noexcept { return items_.get().size(); }
    /// There are no limits.
    bool empty() const noexcept { return items_.get().empty(); }
    /// The first limit.
    auto begin() const noexcept { return items_.get().begin(); }
    /// Behind the last limit.
    auto end() const noexcept { return items_.get().end(); }

private:
    owned<std::vector<limit_use>> items_;
    bool is_given_ = false;
};

/// What a limit lets through. With neither `max_running` nor `rate` it lets everything through.
struct limit_settings
{
    /// How many units running jobs may hold together. Zero: none. A job that takes more than that runs alone.
    std::optional<std::uint64_t> max_running{};

    /// How many units may begin in a period, evenly spaced: one every `period / rate`. Zero: none. A job that takes n
    /// units counts as n.
    std::optional<std::uint64_t> rate{};

    /// The period of `rate`, at least a millisecond.
    option_duration period{1000};

    /// How many units may begin at once after a pause, one or more. In any period, `rate + burst - 1` units begin at
    /// most.
    std::uint64_t burst = 1;

    /// The same settings.
    bool operator==(const limit_settings&) const = default;
};

/// A limit, and what it does at present. Of a family, such as `tenant:*`, `used` and `waiting` are those of its members
/// together that have no settings of their own. It is a sample: of 200 members at most, among 1,000 running jobs and
/// sets of jobs that are held back.
struct limit_state
{
    std::string name;                      ///< of the limit
    bool is_set = false;                   ///< by its own name, or by that of its family
    limit_settings settings{};             ///< what it lets through
    std::uint64_t used = 0;                ///< units that running jobs hold
    std::uint64_t waiting = 0;             ///< jobs that it holds back, of all queues
    std::chrono::milliseconds opens_in{0}; ///< until the period allows another unit
    std::chrono::milliseconds held_for{0}; ///< how much longer a hold goes on; zero: it is not held
};

/// What can be held.
enum class hold_kind
{
    queue,     ///< a managed queue
    limit,     ///< a limit: no job that is subject to it is fetched
    order_key, ///< an order key
    group,     ///< a group of a managed queue
};

/// "queue", "limit", "order_key" or "group", as JSON calls it. Never fails.
std::string_view to_string(hold_kind what) noexcept;

/// Something that can be held: `{.kind = hold_kind::limit, .name = "mail server"}`.
struct hold_target
{
    hold_kind kind = hold_kind::queue; ///< what it is
    text name{};                       ///< of the queue, limit or group; the order key
    text queue{};                      ///< of a group: its queue
};

/// A hold that begins when a job is given back; see `release_and_hold`.
struct job_hold
{
    hold_target what{};      ///< with an empty name the job's own queue, order key or group
    option_duration time{0}; ///< how long
};

/// How many jobs a group of a managed queue has in its turn, beside groups of weight 1.
struct group_weight
{
    std::string group; ///< of the queue
    double weight = 1; ///< from 0.001 to 1000
};

} // namespace coworker
