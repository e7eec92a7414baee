// SPDX-License-Identifier: MIT
#include "redis/reply.hpp"

#include "coworker/error.hpp"

#include <boost/redis/resp3/type.hpp>

#include <algorithm>
#include <charconv>
#include <string>

namespace coworker::detail {

namespace resp3 = boost::redis::resp3;

namespace {

bool is_error_node(const reply_node& node) noexcept
{
    return node.data_type == resp3::type::simple_error || node.data_type == resp3::type::blob_error;
}

system_error refused(std::string_view error)
{
    return {error_of_text(error), std::string{error}};
}

std::string_view scalar(const reply_node& node)
{
    if (resp3::is_aggregate(node.data_type))
        throw_unexpected_answer("a list where a value was expected");
    return node.value;
}

/// The node after a value that begins at `at`, with everything inside of it.
const reply_node* end_of_value(const reply_node* at, const reply_node* last) noexcept
{
    const auto depth = at->depth;
    do
        ++at;
    while (at != last && at->depth > depth);
    return at;
}

/// The `index`th of the values that follow each other from `at` on.
reply::answer nth_value(const reply_node* at, const reply_node* last, std::size_t index)
{
    for (; at != last; --index) {
        const auto* const end = end_of_value(at, last);
        if (index == 0)
            return {at, end};
        at = end;
    }
    throw_unexpected_answer("fewer values than expected");
}

} // namespace

void throw_unexpected_answer(std::string_view what)
{
    throw system_error{errc::unexpected_answer, std::string{what}};
}

std::int64_t to_integer(std::string_view text) noexcept
{
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

bool reply::answer::is_error() const noexcept
{
    return is_error_node(*first);
}

bool reply::answer::says_script_is_missing() const noexcept
{
    return is_error() && first->value.starts_with("NOSCRIPT");
}

std::exception_ptr reply::answer::error() const
{
    return is_error() ? std::make_exception_ptr(refused(first->value)) : nullptr;
}

bool reply::answer::is_null() const noexcept
{
    return first->data_type == resp3::type::null;
}

std::string_view reply::answer::text() const
{
    return scalar(*first);
}

std::int64_t reply::answer::integer() const
{
    return to_integer(text());
}

const reply_node& reply::answer::node(std::size_t i) const
{
    if (i >= size())
        throw_unexpected_answer("fewer elements than expected");
    return first[i + 1];
}

std::string_view reply::answer::operator[](std::size_t i) const
{
    return scalar(node(i));
}

std::int64_t reply::answer::integer(std::size_t i) const
{
    return to_integer((*this)[i]);
}

std::span<const reply_node> reply::answer::nodes(std::size_t begin) const
{
    if (begin > size())
        throw_unexpected_answer("fewer elements than expected");
    return {first + 1 + begin, last};
}

std::size_t reply::answer::position(std::size_t i, std::size_t count) const
{
    const auto place = integer(i);
    if (place < 1 || static_cast<std::uint64_t>(place) > count)
        throw_unexpected_answer("a position outside of the list");
    return static_cast<std::size_t>(place) - 1;
}

reply::answer reply::operator[](std::size_t index) const
{
    return nth_value(tree.begin(), tree.end(), index);
}

reply::answer reply::part(const answer& whole, std::size_t index)
{
    return nth_value(whole.first + 1, whole.last, index);
}

std::vector<reply::answer> reply::parts(const answer& whole)
{
    std::vector<answer> found;
    for (const auto* at = whole.first + 1; at != whole.last; at = found.back().last)
        found.push_back({at, end_of_value(at, whole.last)});
    return found;
}

reply::answer reply::back() const
{
    const auto* at = tree.end();
    while (at != tree.begin())
        if ((--at)->depth == 0)
            return {at, tree.end()};
    throw_unexpected_answer("no value at all");
}

void reply::throw_if_error() const
{
    for (const auto& node : tree)
        if (is_error_node(node))
            throw refused(node.value);
}

error_code error_of_text(std::string_view text)
{
    return text.starts_with("WRONGTYPE") ? errc::wrong_key_type
           : says_read_only(text)        ? errc::read_only_server
                                         : errc::command_refused;
}

bool says_read_only(std::string_view error) noexcept
{
    const auto begins = [&](std::string_view code) {
        return error.starts_with(code) && (error.size() == code.size() || error[code.size()] == ' ');
    };
    // The code comes first, also when it was a script that wrote. Elsewhere in the text it may be a job's.
    return begins("READONLY") || begins("NOREPLICAS");
}

bool reply::is_refused_as_read_only() const noexcept
{
    return tree.begin() != tree.end() && std::all_of(tree.begin(), tree.end(), [](const reply_node& node) {
               return is_error_node(node) && says_read_only(node.value);
           });
}

std::string_view reply::read_only_refusal() const noexcept
{
    for (const auto& node : tree)
        if (is_error_node(node) && says_read_only(node.value))
            return node.value;
    return {};
}

} // namespace coworker::detail
