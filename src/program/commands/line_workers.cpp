// SPDX-License-Identifier: MIT
#include "program/commands/line_workers.hpp"

#include "program/commands/job_command.hpp"
#include "program/terminal/text_functions.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancel_after.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace coworker::program {
namespace {

using std::chrono::milliseconds;

/// Before another process is started, when so many have ended without an answer.
milliseconds wait_before_start(unsigned failures)
{
    constexpr milliseconds first{100}, most{10'000};
    return failures == 0 ? milliseconds{0} : std::min(most, first * (1U << std::min(failures - 1, 10U)));
}

} // namespace

/// Tells a process to end when its job is, and lets what waits for Redis on its behalf be cancelled.
class line_workers::ends_with_its_job
{
public:
    ends_with_its_job(asio::cancellation_slot slot, const child& one) : slot_{slot}
    {
        slot_.assign([one, this](asio::cancellation_type type) {
            one->end();
            saving_.emit(type);
        });
    }
    ~ends_with_its_job() { slot_.clear(); }
    ends_with_its_job(const ends_with_its_job&) = delete;
    ends_with_its_job& operator=(const ends_with_its_job&) = delete;

    asio::cancellation_slot saving() { return saving_.slot(); }

private:
    asio::cancellation_slot slot_;
    asio::cancellation_signal saving_;
};

asio::awaitable<line_workers::answer> line_workers::run(std::string line, job_context& context,
                                                        line_rules rules)
{
    auto one = co_await find_child(context);
    // From here on the job ends when its process has answered, or when nothing of that is left.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    const bool was_new = one->answered() == 0;
    std::optional<answer> result;
    {
        ends_with_its_job guard{context.cancellation_slot(), one};
        auto said = co_await converse(*one, std::move(line), context, rules, guard);
        if (!said.result || context.cancelled()) {
            if (context.cancelled() || !said.problem.empty())
                one->end();
            else
                one->give_up();
            const auto end = co_await one->wait();
            if (context.cancelled()) // it may have done half of its work: the worker knows why
                throw system_error{asio::error::operation_aborted};
            failures_ = was_new ? failures_ + 1 : 0;
            co_return answer{no_answer(end, said.problem, one->problem())};
        }
        result = answer{std::move(*said.result), std::move(said.effects)};
        one->has_answered(std::string{context.id()});
    }
    failures_ = 0;
    put_back(std::move(one));
    co_return std::move(*result);
}

/// Gives the process its line, and does what it says until it answers. Without an answer: what is wrong with what it
/// said; nothing if it has ended.
asio::awaitable<said_line> line_workers::converse(exec::line_child& one, std::string line,
                                                  job_context& context, line_rules rules,
                                                  ends_with_its_job& guard)
{
    auto text = co_await one.ask(std::move(line));
    while (text) {
        auto said = read_line(*text, context.id(), one.last_answered(), rules);
        if (said.progress || !said.log.empty()) {
            if (said.progress)
                context.set_progress(*said.progress, said.message);
            for (const auto& logged : said.log)
                context.log(logged);
            text = co_await one.hear();
        } else if (said.checkpoint) {
            std::string why_not = "it was started without --checkpoints";
            if (rules.checkpoints)
                why_not = co_await save(context, *said.checkpoint, guard);
            text = co_await one.ask(saved_line(context.id(), why_not));
        } else if (!said.step.empty()) {
            const auto why_not = co_await store(context, said.step, said.value, guard);
            text = co_await one.ask(saved_line(context.id(), why_not));
        } else if (said.is_late) {
            text = co_await one.hear();
        } else {
            co_return said;
        }
    }
    co_return said_line{};
}

/// Stores it for as long as the job is not told to end; if it has been, for as long as its process has to end. Returns
/// why it is not stored; empty: it is.
asio::awaitable<std::string> line_workers::save(job_context& context, raw_json checkpoint,
                                                ends_with_its_job& guard)
{
    error_code failed;
    result<void> saved;
    if (context.cancelled())
        saved = co_await context.async_save(
            checkpoint,
            asio::cancel_after(settings_->what.grace, asio::redirect_error(asio::use_awaitable, failed)));
    else
        saved = co_await context.async_save(
            checkpoint,
            asio::bind_cancellation_slot(guard.saving(), asio::redirect_error(asio::use_awaitable, failed)));
    if (failed)
        co_return failed.message();
    co_return saved ? std::string{} : saved.error().message();
}

/// The same for a step that the process has carried out.
asio::awaitable<std::string> line_workers::store(job_context& context, std::string step, raw_json value,
                                                 ends_with_its_job& guard)
{
    const auto given = [&value] { return value; };
    auto storing = context.step(step, given);
    std::string problem;
    raw_json stored;
    const auto executor = context.get_executor();
    try {
        if (context.cancelled())
            stored = co_await asio::co_spawn(executor, std::move(storing),
                                             asio::cancel_after(settings_->what.grace, asio::use_awaitable));
        else
            stored =
                co_await asio::co_spawn(executor, std::move(storing),
                                        asio::bind_cancellation_slot(guard.saving(), asio::use_awaitable));
    } catch (const system_error& error) {
        problem = error.what();
    }
    if (!problem.empty())
        co_return problem;
    co_return stored.text == value.text ? std::string{} : "the step has another value, which stays";
}

asio::awaitable<line_workers::child> line_workers::find_child(job_context& context)
{
    if (auto one = take_idle())
        co_return one;
    if (const auto pause = wait_before_start(failures_); pause.count() != 0 && !context.cancelled()) {
        asio::steady_timer timer{executor_, pause};
        co_await timer.async_wait(asio::use_awaitable);
    }
    std::string about;
    if (settings_->log.format == log_format::json)
        about = "{\"process\":" + std::to_string(++started_) + '}';
    co_return exec::line_child::start(*runner_, executor_, std::move(about));
}

/// The one that ran last, so that few are kept busy.
line_workers::child line_workers::take_idle()
{
    while (!idle_.empty()) {
        auto one = std::move(idle_.back());
        idle_.pop_back();
        if (one->is_ready())
            return one;
        one->end();
    }
    return nullptr;
}

void line_workers::put_back(child one)
{
    const auto most = settings_->jobs_per_child;
    if (!one->is_ready())
        one->end();
    else if (is_stopped_ || (most != 0 && one->answered() >= most))
        one->finish(settings_->what.grace);
    else
        idle_.push_back(std::move(one));
}

void line_workers::stop()
{
    is_stopped_ = true;
    for (const auto& one : std::exchange(idle_, {}))
        one->finish(settings_->what.grace);
}

/// @param said  what is wrong with its answer
/// @param silent  or why there was none, if it did not end by itself
outcome line_workers::no_answer(const exec::command_end& end, const std::string& said,
                                std::string_view silent)
{
    if (!said.empty())
        return retry("the process' answer cannot be used: " + said, std::nullopt, ":no-answer");
    if (!silent.empty())
        return retry("the process gave no answer: " + std::string{silent}, std::nullopt, ":no-answer");
    // An exit status is no answer, whichever it is.
    if (end.how == exec::command_end::kind::exited)
        return retry("the process ended before it answered, with status " + std::to_string(end.number) +
                         (end.last_line.empty() ? "" : ": " + escaped(end.last_line)),
                     std::nullopt, ":no-answer");
    return job_outcome(end, {});
}

} // namespace coworker::program
