// SPDX-License-Identifier: MIT
#include "managed/acknowledgement_words.hpp"
#include "managed/checks.hpp"
#include "managed/managed_client/results.hpp"
#include "managed/managed_source/managed_source.hpp"

#include "managed/log_lines.hpp"
#include "managed/signals.hpp"
#include "text/bounded_time.hpp"
#include "text/numbers.hpp"

#include <boost/redis/request.hpp>

#include <deque>

/// What handlers tell of the jobs that they run, and ask about them.
namespace coworker::detail {
namespace {

/// What step_set.lua says of a step.
result<void> step_result_of(std::string_view said)
{
    if (said == "stored")
        return {};
    if (said == "lost")
        return errc::lease_lost;
    if (said == "other")
        return errc::not_unique;
    if (said == "many" || said == "large")
        return errc::job_too_large;
    throw_unexpected_answer("what became of a step");
}

} // namespace
namespace {

/// What await.lua answers.
wait_state read_wait_state(const reply::answer& words)
{
    wait_state state;
    const auto word = words.size() != 0 ? words[0] : std::string_view{};
    if (word == "over") {
        state.how = wait_state::kind::over;
    } else if (word == "late") {
        state.how = wait_state::kind::late;
    } else if (word == "value" && words.size() == 2) {
        state.how = wait_state::kind::came;
        state.value = words[1];
    } else if (word == "ended" && (words.size() == 2 || words.size() == 3)) {
        state.how = wait_state::kind::ended;
        state.other = end_of_job(words[1], words.size() == 3 ? words[2] : std::string_view{});
    } else if (word == "wait" && words.size() == 3) {
        state.how = wait_state::kind::waits;
        constexpr std::chrono::milliseconds no_time{0}, rounded_off{1};
        state.left =
            std::max(bounded_span_of_seconds(to_number<double>(words[1]).value_or(0)), no_time) + rounded_off;
        state.read = to_number<unsigned>(words[2]).value_or(0);
    } else if (word != "lost") {
        throw_unexpected_answer("an unknown state of a wait");
    }
    return state;
}

} // namespace

asio::awaitable<std::vector<std::size_t>> managed_source::store_notes(std::span<const job_note> notes)
{
    auto arguments = begin();
    std::deque<std::string> texts;
    arguments.add(name_);
    arguments.add(*worker_);
    for (const auto& note : notes) {
        arguments.add_number(2 + (note.progress ? 2 : 0) + (note.checkpoint ? 2 : 0) +
                             (note.log.empty() ? 0 : 2));
        arguments.add(texts.emplace_back(note.job->id())); // the job may be gone before the call is sent
        arguments.add(texts.emplace_back(time_taken(*note.job)));
        if (note.progress) {
            arguments.add("progress");
            arguments.add(texts.emplace_back(progress_text(*note.progress)));
        }
        if (note.checkpoint) {
            arguments.add("checkpoint");
            arguments.add(*note.checkpoint);
        }
        if (!note.log.empty()) {
            arguments.add("log");
            arguments.add(texts.emplace_back(log_text(note.log)));
        }
    }
    const reply answers = co_await redis_->call(find_script("managed/note"), arguments, how_long_);
    std::vector<std::size_t> lost;
    const auto answer = answers.back();
    for (std::size_t i = 0; i != answer.size(); ++i)
        lost.push_back(answer.position(i, notes.size()));
    co_return lost;
}

asio::awaitable<std::string> managed_source::read_checkpoint(const fetched_job& job)
{
    boost::redis::request ask;
    ask.push("HGET", key("j:" + std::string{job.id()}), "checkpoint");
    reply answer;
    co_await redis_->exec(ask, answer, how_long_);
    answer.throw_if_error();
    co_return std::string{answer[0].is_null() ? std::string_view{} : answer[0].text()};
}

asio::awaitable<wait_state> managed_source::begin_wait(const fetched_job& job, const job_wait& wait)
{
    const auto when = wait_time(wait); // which the arguments do not keep
    auto arguments = begin();
    arguments.add(job.id());
    arguments.add(*worker_);
    arguments.add(time_taken(job));
    arguments.add(wait_word(wait.what));
    arguments.add(wait.name.str());
    arguments.add_number(wait.turn);
    arguments.add(when);
    const reply answers = co_await redis_->call(find_script("managed/await"), arguments, how_long_);
    co_return read_wait_state(answers.back());
}

asio::awaitable<job_signals> managed_source::read_signals(const fetched_job& job)
{
    auto arguments = begin();
    arguments.add(job.id());
    const reply answers = co_await redis_->call(find_script("managed/signals"), arguments, how_long_);
    co_return read_signals_answer(answers.back());
}

asio::awaitable<std::string> managed_source::read_result(std::string id, bool needed)
{
    check_jid(id);
    const auto job = key("j:" + id), kept = key("coworker:result:" + id);
    script_arguments arguments{prefix_, job, kept};
    arguments.add("server");
    arguments.add(id);
    const reply answers =
        co_await redis_->call(find_script("managed/status"), arguments, patience::unlimited);
    co_return result_of(answers.back(), id, needed);
}

asio::awaitable<std::vector<result<void>>> managed_source::store_steps(std::span<const job_step> steps)
{
    auto arguments = begin();
    std::deque<std::string> texts;
    arguments.add(name_);
    arguments.add(*worker_);
    for (const auto& step : steps) {
        arguments.add_number(4);
        arguments.add(texts.emplace_back(step.job->id())); // the job may be gone before the call is sent
        arguments.add(texts.emplace_back(time_taken(*step.job)));
        arguments.add(step.name);
        arguments.add(step.value);
    }
    const reply answers = co_await redis_->call(find_script("managed/step_set"), arguments, how_long_);
    const auto answer = answers.back();
    std::vector<result<void>> results;
    for (std::size_t i = 0; i != steps.size(); ++i)
        results.push_back(step_result_of(answer[i]));
    co_return results;
}

asio::awaitable<std::map<std::string, std::string>> managed_source::read_steps(const fetched_job& job)
{
    const std::string jid{job.id()};
    auto arguments = begin();
    arguments.add(jid);
    const reply answers = co_await redis_->call(find_script("managed/step_look"), arguments, how_long_);
    const auto answer = answers.back();
    std::map<std::string, std::string> steps;
    for (std::size_t i = 0; i + 1 < answer.size(); i += 2)
        steps.emplace(answer[i], answer[i + 1]);
    co_return steps;
}

} // namespace coworker::detail
