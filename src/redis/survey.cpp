// SPDX-License-Identifier: MIT
#include "redis/survey.hpp"

#include "redis/cluster/cluster.hpp"
#include "redis/connection/call_on_each_node.hpp"

namespace coworker::detail {

using boost::redis::request;

asio::awaitable<void> survey::exec(const request& what, reply& answers)
{
    if (!notes()) {
        co_await redis_.exec(what, answers);
        co_return;
    }
    co_await redis_.whole()->exec_where_reached(what, answers, missing_);
    for (std::size_t i = 0; i != what.get_commands() && !is_answered_; ++i)
        is_answered_ = !is_of_missing_node(answers[i]);
}

asio::awaitable<reply> survey::call_each(const script& what, std::span<const script_arguments> calls)
{
    if (!notes())
        co_return co_await redis_.call_each(what, calls);
    const request_sender send = [this](const request& some, reply& got) { return exec(some, got); };
    const reply answers = co_await call_on_each_node(what, calls, send);
    for (std::size_t i = 0; i != calls.size(); ++i)
        throw_if_refused(answers[i]);
    co_return answers;
}

asio::awaitable<node_answer> survey::exec_on_nth(std::size_t which, const request& what, reply& answers)
{
    if (redis_.in_cluster()) {
        const auto answer = co_await redis_.whole()->exec_on_nth(which, what, answers, missing_);
        if (answer == node_answer::missing && !notes())
            throw system_error{errc::unavailable, missing().back()};
        is_answered_ = is_answered_ || answer == node_answer::answered;
        co_return answer;
    }
    if (which != 0)
        co_return node_answer::no_such_node;
    co_await redis_.exec(what, answers);
    co_return node_answer::answered;
}

asio::awaitable<std::vector<reply>> survey::exec_on_each(const request& what)
{
    std::vector<reply> answers;
    if (redis_.in_cluster()) {
        answers = co_await redis_.whole()->exec_on_each(what, missing_);
        is_answered_ = is_answered_ || !answers.empty();
        co_return answers;
    }
    answers.resize(1);
    co_await redis_.exec(what, answers.front());
    co_return answers;
}

asio::awaitable<void> survey::exec_on_any(const request& what, reply& answers)
{
    auto came = node_answer::missing;
    if (notes())
        for (std::size_t i = 0; came == node_answer::missing; ++i)
            came = co_await exec_on_nth(i, what, answers);
    if (came != node_answer::answered)
        co_await redis_.exec(what, answers);
}

void throw_if_refused(const reply::answer& answer)
{
    if (answer.is_error() && !is_of_missing_node(answer))
        std::rethrow_exception(answer.error());
}

} // namespace coworker::detail
