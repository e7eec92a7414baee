// SPDX-License-Identifier: MIT
#include "managed_calls.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace bench {
namespace {

using coworker::detail::find_script;
using coworker::detail::reply;

constexpr std::string_view data =
    R"({"to":"ada.lovelace@example.com","subject":"Your report of last week is ready","number":1})";
constexpr std::string_view scripts[] = {"put", "pop", "complete", "put_many", "ack_and_fetch"};
constexpr std::size_t jid_length = 32;
constexpr std::size_t words_per_job = 10; // in what ack_and_fetch.lua answers

std::string script_name(std::string_view name)
{
    return "managed/" + std::string{name};
}

std::string make_jid(std::size_t number)
{
    char text[jid_length + 1];
    std::snprintf(text, sizeof text, "%016zx%016zx", number * 0x9e3779b97f4a7c15U, number);
    return text;
}

} // namespace

asio::awaitable<void> managed_calls::prepare()
{
    boost::redis::request request;
    for (const auto name : scripts)
        request.push("SCRIPT", "LOAD", find_script(script_name(name)).text());
    request.push("HSET", "ql:config", "heartbeat", "86400", "jobs-history-count", "100000000");
    reply answers;
    co_await redis_.exec(request, answers);
    answers.throw_if_error();
}

managed_calls::command managed_calls::call(std::string_view script) const
{
    return {std::string{find_script(script_name(script)).sha}, "1", "ql:", "server"};
}

/// What clients of qless send: all options, even where they are the default.
void managed_calls::add_put(command& to)
{
    to.insert(to.end(), {"bench", "bench", make_jid(++jobs_), "letter", std::string{data}, "0", "priority",
                         "0", "tags", "[]", "retries", "5", "depends", "[]"});
}

asio::awaitable<double> managed_calls::time_in_scripts()
{
    boost::redis::request request;
    request.push("INFO", "commandstats");
    reply answers;
    co_await redis_.exec(request, answers);
    const auto text = answers[0].text();
    const auto line = text.find("cmdstat_evalsha:");
    constexpr std::string_view field = "usec=";
    if (line == text.npos)
        co_return 0;
    co_return static_cast<double>(
        coworker::detail::to_integer(text.substr(text.find(field, line) + field.size())));
}

asio::awaitable<double> managed_calls::send(std::vector<command> calls, reply& answers)
{
    boost::redis::request request;
    for (const auto& each : calls)
        request.push_range("EVALSHA", each);
    const double before = co_await time_in_scripts();
    co_await redis_.exec(request, answers, coworker::detail::patience::unlimited);
    answers.throw_if_error();
    co_return co_await time_in_scripts() - before;
}

asio::awaitable<double> managed_calls::put(std::size_t count)
{
    std::vector<command> calls;
    for (std::size_t i = 0; i != count; ++i)
        add_put(calls.emplace_back(call("put")));
    reply answers;
    const double time = co_await send(std::move(calls), answers);
    co_return time / static_cast<double>(count);
}

asio::awaitable<double> managed_calls::pop(std::size_t count)
{
    std::vector<command> calls;
    for (std::size_t i = 0; i != count; ++i) {
        auto& words = calls.emplace_back(call("pop"));
        words.insert(words.end(), {"bench", "bench", "1"});
    }
    reply answers;
    const double time = co_await send(std::move(calls), answers);
    constexpr std::string_view opening = "[{\"jid\":\"";
    for (std::size_t i = 0; i != count; ++i) {
        const auto text = answers[i].text();
        if (!text.starts_with(opening))
            throw std::runtime_error{"managed: a pop found no job"};
        held_.emplace_back(text.substr(opening.size(), jid_length));
    }
    co_return time / static_cast<double>(count);
}

asio::awaitable<double> managed_calls::complete()
{
    std::vector<command> calls;
    for (const auto& jid : held_) {
        auto& words = calls.emplace_back(call("complete"));
        words.insert(words.end(), {jid, "bench", "bench", std::string{data}});
    }
    held_.clear();
    const auto count = static_cast<double>(calls.size());
    reply answers;
    const double time = co_await send(std::move(calls), answers);
    co_return time / count;
}

asio::awaitable<double> managed_calls::put_batches(std::size_t count)
{
    std::vector<command> calls;
    for (std::size_t done = 0; done < count; done += batch) {
        auto& words = calls.emplace_back(call("put_many"));
        for (std::size_t i = done; i != std::min(count, done + batch); ++i) {
            words.push_back("14");
            add_put(words);
        }
    }
    reply answers;
    const double time = co_await send(std::move(calls), answers);
    co_return time / static_cast<double>(count);
}

/// Completes what is held and takes up to `count` jobs; returns the time in all.
asio::awaitable<double> managed_calls::ack_and_fetch(std::size_t count)
{
    std::vector<command> calls;
    auto& words = calls.emplace_back(call("ack_and_fetch"));
    words.insert(words.end(), {"bench", "bench", std::to_string(count)});
    for (const auto& jid : held_)
        words.insert(words.end(), {"3", "complete", jid, std::string{data}});
    held_.clear();
    reply answers;
    const double time = co_await send(std::move(calls), answers);
    if (reply::part(answers.back(), 0).size() != 0)
        throw std::runtime_error{"managed: a completion was refused"};
    const auto taken = reply::part(answers.back(), 4);
    for (std::size_t i = 0; i != taken.size(); i += words_per_job)
        held_.emplace_back(taken[i]);
    co_return time;
}

asio::awaitable<double> managed_calls::cycle(std::size_t count)
{
    double time = co_await put_batches(count) * static_cast<double>(count);
    for (std::size_t done = 0; done < count; done += batch)
        time += co_await ack_and_fetch(std::min(batch, count - done));
    time += co_await ack_and_fetch(0);
    co_return time / static_cast<double>(count);
}

} // namespace bench
