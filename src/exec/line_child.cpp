// SPDX-License-Identifier: MIT
#include "exec/line_child.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <system_error>
#include <utility>

namespace coworker::exec {

using boost::system::error_code;

line_child::line_child(const asio::any_io_executor& executor)
    : input_{executor}, output_{executor}, over_{executor, asio::steady_timer::time_point::max()},
      patience_{executor}
{}

std::shared_ptr<line_child> line_child::start(command_runner& runner, const asio::any_io_executor& executor,
                                              std::string about)
{
    const std::shared_ptr<line_child> child{new line_child{executor}};
    command_input input;
    input.about = std::move(about);
    try {
        auto questions = make_pipe(), answers = make_pipe();
        input.input = std::move(questions.read);
        input.output = std::move(answers.write);
        child->input_.assign(questions.write.release());
        child->output_.assign(answers.read.release());
    } catch (const std::system_error& error) {
        child->ended_ = command_end{command_end::kind::not_started, error.code().value(), error.what()};
        return child;
    }
    asio::co_spawn(executor, run(child, runner, std::move(input)), [](std::exception_ptr) {});
    return child;
}

asio::awaitable<void> line_child::run(std::shared_ptr<line_child> self, command_runner& runner,
                                      command_input input)
{
    command_end end;
    try {
        end = co_await runner.run(std::move(input), self->end_.slot());
    } catch (const std::system_error& error) {
        end = {command_end::kind::not_started, error.code().value(), error.what()};
    }
    self->ended_ = std::move(end);
    self->over_.cancel();
    self->patience_.cancel();
    error_code ignored;
    self->input_.close(ignored);
    // What it had written is still to be read.
}

asio::awaitable<std::optional<std::string>> line_child::ask(std::string line)
{
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    question_ = std::move(line);
    question_ += '\n';
    // An answer may come before all is written, from a command that does not read to the end.
    const auto is_written = std::make_shared<bool>(false);
    asio::async_write(
        input_, asio::buffer(question_),
        [self = shared_from_this(), is_written](error_code ec, std::size_t) { *is_written = !ec; });
    auto answer = co_await hear();
    if (answer && !*is_written) {
        is_good_ = false;
        problem_ = "it wrote a line before it had read its job";
        co_return std::nullopt;
    }
    co_return answer;
}

asio::awaitable<std::optional<std::string>> line_child::hear()
{
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    error_code ec;
    const auto size =
        co_await asio::async_read_until(output_, asio::dynamic_buffer(received_, longest_answer), '\n',
                                        asio::redirect_error(asio::use_awaitable, ec));
    if (ec) {
        is_good_ = false;
        has_closed_ = ec != asio::error::not_found;
        if (!has_closed_)
            problem_ = "it wrote a line of more than 64 MiB";
        co_return std::nullopt;
    }
    auto line = received_.substr(0, size - 1);
    received_.erase(0, size);
    co_return line;
}

void line_child::has_answered(std::string what)
{
    ++answered_;
    last_ = std::move(what);
    is_good_ = is_good_ && received_.empty();
}

std::string_view line_child::problem() const noexcept
{
    if (problem_.empty() && has_closed_ && was_told_)
        return "it closed its standard output";
    return problem_;
}

void line_child::give_up()
{
    constexpr std::chrono::milliseconds moment{100};
    if (has_closed_) // as whoever ends does just before
        end_after(moment);
    else
        end();
}

void line_child::finish(std::chrono::milliseconds patience)
{
    error_code ignored;
    input_.close(ignored);
    end_after(patience);
}

void line_child::end_after(std::chrono::milliseconds patience)
{
    is_good_ = false;
    if (ended_)
        return;
    patience_.expires_after(patience);
    patience_.async_wait([self = shared_from_this()](error_code ec) {
        if (!ec && !self->ended_)
            self->end();
    });
}

void line_child::end()
{
    is_good_ = false;
    was_told_ = was_told_ || !ended_;
    // Behind its beginning.
    asio::post(over_.get_executor(),
               [self = shared_from_this()] { self->end_.emit(asio::cancellation_type::terminal); });
}

asio::awaitable<command_end> line_child::wait()
{
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    while (!ended_) {
        error_code ignored; // the end is told as a cancellation
        co_await over_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    co_return *ended_;
}

} // namespace coworker::exec
