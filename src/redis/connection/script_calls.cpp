// SPDX-License-Identifier: MIT
#include "redis/connection/call_on_each_node.hpp"
#include "redis/connection/connection.hpp"
#include "redis/survey.hpp"

#include <boost/redis/request.hpp>

/// How scripts are called, and given to servers that do not have them. Only gathered pushes do that for themselves.
namespace coworker::detail {
namespace {

namespace redis = boost::redis;

redis::request write_call(const script& what, const script_arguments& arguments, bool tracked = false)
{
    redis::request request;
    if (tracked)
        request.push("CLIENT", "CACHING", "YES");
    push_call(request, what, arguments);
    return request;
}

/// The first of these calls whose node does not have the script; their number if all have.
std::size_t first_without_script(const reply& answers, std::size_t calls)
{
    for (std::size_t i = 0; i != calls; ++i)
        if (answers[i].says_script_is_missing())
            return i;
    return calls;
}

} // namespace

asio::awaitable<reply> connection::call(const script& what, const script_arguments& arguments,
                                        patience how_long)
{
    auto answers = co_await try_call(what, arguments, how_long);
    answers.throw_if_error();
    co_return answers;
}

asio::awaitable<reply> connection::try_call(const script& what, const script_arguments& arguments,
                                            patience how_long)
{
    const auto self = shared_from_this();
    const auto request = write_call(what, arguments);
    reply answers;
    co_await exec(request, answers, how_long);
    if (answers.back().says_script_is_missing())
        answers = co_await load_and_call(what, request, how_long);
    co_return answers;
}

asio::awaitable<reply> connection::call(const script& what, const script_arguments& arguments,
                                        std::exception_ptr& unconfirmed)
{
    const auto self = shared_from_this();
    const auto request = write_call(what, arguments);
    reply answers;
    co_await exec_confirmed(request, answers, unconfirmed);
    if (answers.back().says_script_is_missing())
        answers = co_await load_and_call(what, request, patience::command_timeout, &unconfirmed);
    answers.throw_if_error();
    co_return answers;
}

asio::awaitable<reply> connection::call_tracked(const script& what, const script_arguments& arguments)
{
    const auto self = shared_from_this();
    const bool tracked = tracks();
    const auto request = write_call(what, arguments, tracked);
    reply answers;
    co_await exec(request, answers, patience::unlimited);
    if (tracked && answers[0].is_error()) {
        fall_back_to_polling(answers[0].text());
        co_return co_await call(what, arguments, patience::unlimited);
    }
    if (answers.back().says_script_is_missing())
        answers = co_await load_and_call(what, request, patience::unlimited);
    answers.throw_if_error();
    co_return answers;
}

asio::awaitable<reply> connection::call_each(const script& what, std::span<const script_arguments> calls)
{
    const auto self = shared_from_this();
    const request_sender send = [this](const redis::request& some, reply& got) { return exec(some, got); };
    reply answers = co_await call_on_each_node(what, calls, send);
    answers.throw_if_error();
    co_return answers;
}

/// Repeats calls of a script with a server that did not have it.
asio::awaitable<reply> connection::load_and_call(const script& what, redis::request calls, patience how_long,
                                                 std::exception_ptr* unconfirmed)
{
    if (in_cluster()) { // each node has its own scripts: this one goes where the call goes
        calls = with_script(what, calls);
    } else { // by itself, or a call that is refused because the server accepts no writes could not be repeated
        redis::request load;
        push_load(load, what);
        reply loaded;
        co_await exec_unconfirmed(load, loaded, how_long);
        loaded.throw_if_error();
    }
    reply answers;
    if (unconfirmed == nullptr)
        co_await exec(calls, answers, how_long);
    else
        co_await exec_confirmed(calls, answers, *unconfirmed);
    co_return answers;
}

asio::awaitable<reply> call_on_each_node(const script& what, std::span<const script_arguments> calls,
                                         request_sender send)
{
    redis::request all;
    for (const auto& arguments : calls)
        push_call(all, what, arguments);
    reply answers;
    co_await send(all, answers);
    auto nodes_left = calls.size(); // there are no more than calls
    auto missing = first_without_script(answers, calls.size());
    while (missing != calls.size() && nodes_left-- != 0) {
        const auto loading = with_script(what, write_call(what, calls[missing])); // goes where its keys are
        reply loaded;
        co_await send(loading, loaded);
        throw_if_refused(loaded[0]);
        answers.tree.clear();
        co_await send(all, answers);
        missing = first_without_script(answers, calls.size());
    }
    co_return answers;
}

} // namespace coworker::detail
