// SPDX-License-Identifier: MIT
#include "managed/managed_call.hpp"

#include "bounds.hpp"
#include "coworker/codec.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <charconv>

namespace coworker::detail {
namespace {

/// The scripts take the time from Redis' clock then. Those that put jobs need not look at the data, which were checked here.
std::string_view server_clock(std::string_view command)
{
    return command.starts_with("put") ? "checked" : "server";
}

} // namespace

managed_call::managed_call(std::string prefix, std::string_view command)
    : script_{&find_script("managed/" + std::string{command})}, prefix_{std::move(prefix)}
{
    add(server_clock(command));
}

managed_call& managed_call::add_number(double number)
{
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, number).ptr;
    return add({text, static_cast<std::size_t>(end - text)});
}

managed_call& managed_call::add_place(std::size_t number)
{
    constexpr std::size_t plenty = std::size_t{1} << 40;
    return add_number(std::min(number, plenty));
}

managed_call& managed_call::add_seconds(std::chrono::milliseconds time)
{
    return add_number(std::max(std::chrono::duration<double>{time}.count(), 0.0));
}

managed_call& managed_call::add_each(const text_list& texts)
{
    for (std::size_t i = 0; i != texts.size(); ++i)
        add(texts[i]);
    return *this;
}

managed_call& managed_call::add_list(const text_list& texts)
{
    boost::json::array list;
    for (std::size_t i = 0; i != texts.size(); ++i)
        list.emplace_back(texts[i]);
    return add(encode_value(std::move(list)).value());
}

void managed_call::count_from(std::size_t begin)
{
    const auto place = words_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto count = words_.size() - begin;
    words_.insert(place, std::to_string(count));
}

script_arguments managed_call::arguments() const
{
    script_arguments result{prefix_};
    result.reserve(words_.size() + 1);
    for (const auto& word : words_)
        result.add(word);
    return result;
}

managed_call& managed_batches::open_batch()
{
    constexpr std::size_t max_bytes = 1024 * 1024;
    if (calls_.empty() || in_last_ == max_batch || calls_.back().bytes() > max_bytes) {
        calls_.emplace_back(prefix_, command_);
        in_last_ = 0;
    }
    ++in_last_;
    return calls_.back();
}

asio::awaitable<reply> managed_batches::answer_of(kept_connection redis, managed_call call,
                                                  std::exception_ptr& unconfirmed)
{
    redis->pushes().send(redis); // they began before
    const auto arguments = call.arguments();
    co_return co_await redis->call(call.what(), arguments, unconfirmed);
}

asio::awaitable<result<reply>> try_managed(kept_connection redis, managed_call call)
{
    redis->pushes().send(redis); // they began before
    const auto arguments = call.arguments();
    reply answer = co_await redis->try_call(call.what(), arguments);
    if (!answer.back().is_error())
        co_return answer;
    if (const auto no = find_refusal(answer.back().text()))
        co_return *no;
    answer.throw_if_error();
    co_return answer;
}

asio::awaitable<reply> call_managed(kept_connection redis, managed_call call)
{
    redis->pushes().send(redis); // they began before
    const auto arguments = call.arguments();
    co_return co_await redis->call(call.what(), arguments);
}

asio::awaitable<void> tell(kept_connection redis, managed_call call)
{
    (void)co_await call_managed(redis, std::move(call));
}

asio::awaitable<void> tell_in_steps(kept_connection redis, managed_call call)
{
    for (bool is_done = false; !is_done;) {
        const reply answer = co_await call_managed(redis, call);
        is_done = answer.back().integer() != 1;
    }
}

asio::awaitable<result<void>> ask(kept_connection redis, managed_call call)
{
    const result<reply> answer = co_await try_managed(redis, std::move(call));
    if (!answer)
        co_return answer.error();
    co_return result<void>{};
}

} // namespace coworker::detail
