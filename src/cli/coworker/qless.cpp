#include "coworker/qless.hpp"

#include "coworker/qless_line.hpp"

#include "redis/client.hpp"
#include <coworker/run_blocking.hpp>
#include <coworker/session.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include <iostream>
#include <stdexcept>

namespace coworker::cli {
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
    if (!(std::cout << line << std::endl))
        throw std::runtime_error{"standard output cannot be written"};
}

/// Carries out one line.
class interpreter
{
public:
    interpreter(session& redis, std::string prefix) : redis_{redis}, prefix_{std::move(prefix)} {}

    asio::awaitable<std::string> answer(const std::string& line)
    {
        const auto [words, complaint] = parse_request(line);
        if (!complaint.empty())
            co_return error_line(complaint);
        if (words.empty())
            co_return error_line("Must provide a command");
        const auto* script = find_command(words.front());
        if (!script)
            co_return error_line("Unknown command " + words.front());
        std::string failure;
        try {
            co_return reply_line(co_await call(*script, words));
        } catch (const system_error& error) {
            failure = error.what();
        }
        co_return error_line(failure);
    }

private:
    asio::awaitable<detail::reply> call(const detail::script& script, const std::vector<std::string>& words)
    {
        detail::script_arguments arguments{prefix_};
        for (std::size_t i = 1; i < words.size(); ++i)
            arguments.add(words[i]);
        co_return co_await redis_.client().try_call(script, arguments);
    }

    session& redis_;
    std::string prefix_;
};

session_options options_for(const qless_settings& settings)
{
    return {.url = settings.redis_url, .client_name = "coworker-qless", .tracking = false};
}

asio::awaitable<void> serve(qless_settings settings, asio::any_io_executor reader)
{
    session redis{co_await asio::this_coro::executor, options_for(settings)};
    interpreter lines{redis, settings.prefix};
    // Read beside the context, so that the connection is looked after while no line comes.
    while (const auto line = co_await run_blocking(reader, read_line)) {
        const auto answer = co_await lines.answer(*line);
        write_line(answer);
    }
    co_await redis.stop();
}

} // namespace

void serve_qless(const qless_settings& settings)
{
    std::ios::sync_with_stdio(false);
    asio::io_context io{1};
    asio::thread_pool reader{1};
    std::exception_ptr error;
    asio::co_spawn(io, serve(settings, reader.get_executor()),
                   [&](std::exception_ptr thrown) { error = thrown; });
    io.run();
    if (error)
        std::rethrow_exception(error);
}

} // namespace coworker::cli
