// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/qless_line.hpp"

#include <coworker/managed_client.hpp>
#include <coworker/run_blocking.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include <cerrno>
#include <iostream>

namespace coworker::program {
namespace {

std::optional<std::string> read_line()
{
    std::string line;
    if (!std::getline(std::cin, line))
        return std::nullopt;
    return line;
}

void write_line(const std::string& line)
{
    if (std::cout << line << std::endl)
        return;
    if (errno == EPIPE)
        throw output_closed{};
    throw failure{exit_code::failed, "standard output cannot be written"};
}

/// Carries out one line.
asio::awaitable<std::string> answer_line(managed_client& client, const std::string& line)
{
    const auto [words, complaint] = parse_request(line);
    if (!complaint.empty())
        co_return error_line(complaint);
    if (words.empty())
        co_return error_line("Must provide a command");
    text_list arguments;
    for (std::size_t i = 1; i != words.size(); ++i)
        arguments.push_back(words[i]);
    std::string failure;
    try {
        const auto reply = co_await client.async_call(words.front(), std::move(arguments));
        co_return reply_line(reply);
    } catch (const system_error& error) {
        failure = error.what();
    }
    co_return error_line(failure);
}

asio::awaitable<void> serve(server_settings server, asio::any_io_executor reader)
{
    const auto opened = make_client(co_await asio::this_coro::executor, server, "coworker-qless");
    auto& redis = *opened;
    managed_client client{redis, server.managed()};
    // Read beside the context, so that the connection is looked after while no line comes.
    while (const auto line = co_await async_run_blocking(reader, read_line)) {
        const auto answer = co_await answer_line(client, *line);
        write_line(answer);
    }
    co_await redis.async_stop();
}

/// Calls the commands that standard input names, a line each, and writes a line for each, in order; see
/// qless_line.hpp for both. Ends with the input.
///
/// A line that cannot be carried out, also because Redis is away, is answered with an error and does not end
/// it. After an error of the connection it is unknown whether the command was carried out.
exit_code serve_qless(const surroundings& here)
{
    std::ios::sync_with_stdio(false);
    asio::io_context io{1};
    asio::thread_pool reader{1};
    std::exception_ptr error;
    asio::co_spawn(io, serve(here.server, reader.get_executor()),
                   [&](std::exception_ptr thrown) { error = thrown; });
    io.run();
    if (error)
        std::rethrow_exception(error);
    return exit_code::done;
}

} // namespace

void add_qless(command_line& line)
{
    line.add(
        "qless",
        "Call commands of managed queues in qless's own form: reads one JSON object a line from standard "
        "input and writes {\"ok\": reply} or {\"err\": \"text\"} for each.",
        "  echo '{\"args\": [\"get\", \"1700000000.1\", \"JID\"]}' | coworker qless", serve_qless);
}

} // namespace coworker::program
