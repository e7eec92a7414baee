// SPDX-License-Identifier: MIT
#include "support/held_jobs.hpp"

#include "managed/read_job.hpp"
#include "managed/script_refusal.hpp"

#include <algorithm>
#include <utility>

namespace coworker::test {
namespace {

std::vector<std::string> listed_with(std::vector<std::string> words, std::vector<std::string> more)
{
    for (auto& each : more)
        words.push_back(std::move(each));
    return words;
}

asio::awaitable<result<std::int64_t>> number_of(managed_client jobs, std::string command,
                                                std::vector<std::string> words)
{
    const auto answer = co_await call_qless(std::move(jobs), std::move(command), std::move(words));
    if (!answer)
        co_return answer.error();
    co_return answer->kind == qless_reply::type::number ? answer->number : std::stoll(answer->text);
}

} // namespace

asio::awaitable<result<qless_reply>> call_qless(managed_client jobs, std::string command,
                                                std::vector<std::string> words)
{
    words.insert(words.begin(), "server");
    auto answer = co_await jobs.async_call(command, text_list{words});
    if (answer.kind == qless_reply::type::error) {
        const auto why = detail::find_refusal(answer.text);
        if (!why)
            throw system_error{detail::error_of_refusal(answer.text), answer.text};
        co_return *why;
    }
    co_return answer;
}

asio::awaitable<std::vector<managed_job>> pop_jobs(managed_client jobs, std::string queue, std::string worker,
                                                   std::size_t count)
{
    constexpr std::size_t most = 500; // what an answer holds easily
    std::vector<managed_job> all;
    for (bool more = true; more && all.size() < count;) {
        const auto wanted = std::min(count - all.size(), most);
        std::vector<std::string> words{queue, worker, std::to_string(wanted)};
        const auto answer = co_await call_qless(jobs, "pop", std::move(words));
        auto popped = detail::read_jobs(answer.value().text);
        more = popped.size() == wanted;
        all.insert(all.end(), popped.begin(), popped.end());
    }
    co_return all;
}

asio::awaitable<result<std::string>> complete_job(managed_client jobs, held_job job,
                                                  std::vector<std::string> more)
{
    std::vector<std::string> words{job.jid, job.worker, job.queue, job.data};
    const auto answer =
        co_await call_qless(std::move(jobs), "complete", listed_with(std::move(words), std::move(more)));
    if (!answer)
        co_return answer.error();
    co_return answer->text;
}

asio::awaitable<result<void>> fail_job(managed_client jobs, held_job job, std::string group,
                                       std::string message, std::vector<std::string> data)
{
    std::vector<std::string> words{job.jid, job.worker, std::move(group), std::move(message)};
    const auto answer =
        co_await call_qless(std::move(jobs), "fail", listed_with(std::move(words), std::move(data)));
    if (!answer)
        co_return answer.error();
    co_return result<void>{};
}

asio::awaitable<result<std::int64_t>> retry_job(managed_client jobs, held_job job,
                                                std::vector<std::string> more)
{
    std::vector<std::string> words{job.jid, job.queue, job.worker};
    return number_of(std::move(jobs), "retry", listed_with(std::move(words), std::move(more)));
}

asio::awaitable<result<std::int64_t>> heartbeat_job(managed_client jobs, held_job job,
                                                    std::vector<std::string> data)
{
    std::vector<std::string> words{job.jid, job.worker};
    return number_of(std::move(jobs), "heartbeat", listed_with(std::move(words), std::move(data)));
}

} // namespace coworker::test
