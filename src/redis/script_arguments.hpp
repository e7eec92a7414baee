// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace boost::redis {
class request;
}

namespace coworker::detail {

struct script;

/// The keys and arguments of a script call. Texts must outlive it; numbers it keeps itself.
class script_arguments
{
public:
    template<std::convertible_to<std::string_view>... Keys>
    explicit script_arguments(const Keys&... keys) : key_count_{sizeof...(Keys)}
    {
        (words_.push_back(keys), ...);
    }

    /// Before the first argument.
    void add_key(std::string_view key)
    {
        words_.push_back(key);
        ++key_count_;
    }

    void reserve(std::size_t words) { words_.reserve(words); }
    void add(std::string_view text) { words_.push_back(text); }
    void add_number(std::int64_t number) { words_.push_back(numbers_.emplace_back(std::to_string(number))); }

    std::size_t key_count() const noexcept { return key_count_; }
    std::span<const std::string_view> words() const noexcept { return words_; }

private:
    std::size_t key_count_;
    std::vector<std::string_view> words_;
    std::deque<std::string> numbers_;
};

/// Appends the call of a script to a request.
void push_call(boost::redis::request& request, const script& what, const script_arguments& arguments);

/// Appends the command that gives a server a script.
void push_load(boost::redis::request& request, const script& what);

/// The same request behind a command that loads the script which it calls, for a server that does not have that.
boost::redis::request with_script(const script& what, const boost::redis::request& calls);

} // namespace coworker::detail
