// SPDX-License-Identifier: MIT
#include "inspect/inspection.hpp"

#include <charconv>

namespace coworker::detail {

asio::awaitable<reply> answers_of(connection& redis, const boost::redis::request& what)
{
    reply answers;
    co_await redis.exec(what, answers);
    answers.throw_if_error();
    co_return answers;
}

asio::awaitable<void> expect_some_node(survey& nodes)
{
    if (nodes.is_answered() || nodes.is_complete())
        co_return;
    boost::redis::request any;
    any.push("PING");
    co_await nodes.exec_on_each(any); // those that there was nothing to ask
    if (!nodes.is_answered())
        throw system_error{errc::unavailable, nodes.missing().front()};
}

std::uint64_t read_cursor_number(std::string_view cursor)
{
    std::uint64_t number = 0;
    if (cursor.empty())
        return number;
    const auto [end, error] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), number);
    if (error != std::errc{} || end != cursor.data() + cursor.size())
        throw_bad_cursor();
    return number;
}

std::string make_cursor(std::uint64_t number)
{
    return number == 0 ? std::string{} : std::to_string(number);
}

void throw_bad_cursor()
{
    throw explained_error{errc::invalid_option, "a cursor is empty, or the 'next' of an earlier call"};
}

} // namespace coworker::detail
