// SPDX-License-Identifier: MIT
#include "redis/process_record.hpp"

#include "coworker/version.hpp"
#include "redis/connection_names.hpp"

#include <boost/asio/ip/host_name.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/redis/request.hpp>

#include <chrono>
#include <vector>

#include <unistd.h>

namespace coworker::detail {

namespace {

/// Of more, those are forgotten that have no connection any more.
constexpr std::int64_t many_processes = 100;

std::chrono::seconds process_start()
{
    using namespace std::chrono;
    static const auto first_seen = floor<seconds>(system_clock::now()).time_since_epoch();
    return first_seen;
}

asio::awaitable<void> forget_ended_processes(connection& redis)
{
    boost::redis::request ask;
    ask.push("HKEYS", processes_key);
    reply answers;
    const bool is_answered = co_await redis.exec_aside(ask, answers);
    if (!is_answered)
        co_return;
    const auto connected =
        co_await connected_names(redis); // after the names: who is noted must be in the list
    if (!connected || answers[0].is_error())
        co_return;
    std::vector<std::string> ended;
    const auto names = answers[0];
    for (std::size_t i = 0; i != names.size(); ++i)
        if (const std::string name{names[i]}; !connected->contains(name))
            ended.push_back(name);
    if (ended.empty())
        co_return;
    boost::redis::request remove;
    remove.push_range("HDEL", processes_key, ended);
    reply ignored;
    co_await redis.exec_aside(remove, ignored);
}

} // namespace

std::string describe_this_process()
{
    error_code ignored;
    const boost::json::object record{{"host", asio::ip::host_name(ignored)},
                                     {"process", static_cast<std::int64_t>(::getpid())},
                                     {"version", COWORKER_VERSION_STRING},
                                     {"started", process_start().count()}};
    return boost::json::serialize(record);
}

asio::awaitable<void> note_process(connection& redis)
{
    boost::redis::request note;
    note.push("HSET", processes_key, redis.name(), describe_this_process());
    note.push("HLEN", processes_key);
    reply answers;
    const bool is_answered = co_await redis.exec_aside(note, answers, patience::unlimited);
    if (is_answered && !answers.back().is_error() && answers.back().integer() > many_processes)
        co_await forget_ended_processes(redis);
}

asio::awaitable<void> forget_process(connection& redis)
{
    boost::redis::request remove;
    remove.push("HDEL", processes_key, redis.name());
    reply ignored;
    co_await redis.exec_aside(remove, ignored);
}

} // namespace coworker::detail
