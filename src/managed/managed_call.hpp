// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_options.hpp"
#include "managed/script_refusal.hpp"
#include "redis/connection/connection.hpp"
#include "redis/joint_confirmation.hpp"

#include <boost/redis/resp3/type.hpp>

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Calling a script of the managed queue.
namespace coworker::detail {

/// A script with its arguments, which it owns: what they were made from may be gone when the call is awaited.
class managed_call
{
public:
    /// @param command  the script's name without its folder
    managed_call(std::string prefix, std::string_view command);

    managed_call& add(std::string_view text)
    {
        words_.emplace_back(text);
        bytes_ += text.size();
        return *this;
    }
    managed_call& add_number(double number);
    managed_call& add_number(std::integral auto number) { return add(std::to_string(number)); }
    /// An offset or a count: more than any collection holds means all of it.
    managed_call& add_place(std::size_t number);
    /// In seconds; what is less than zero counts as zero.
    managed_call& add_seconds(std::chrono::milliseconds time);
    /// Each text as an argument.
    managed_call& add_each(const text_list& texts);
    /// All texts as one JSON list.
    managed_call& add_list(const text_list& texts);

    /// Puts a number before the arguments from `begin` on: how many they are. For batches.
    void count_from(std::size_t begin);
    std::size_t size() const noexcept { return words_.size(); }
    std::size_t bytes() const noexcept { return bytes_; }

    const script& what() const noexcept { return *script_; }
    const std::string& prefix() const noexcept { return prefix_; }
    /// The arguments, the time in front.
    std::span<const std::string> words() const noexcept { return words_; }
    script_arguments arguments() const;

private:
    const script* script_;
    std::string prefix_;
    std::vector<std::string> words_;
    std::size_t bytes_ = 0;
};

/// A connection that a coroutine keeps alive: it may begin when the client is gone.
class kept_connection
{
public:
    kept_connection(connection& redis) : connection_{redis.shared_from_this()} {}
    operator connection&() const noexcept { return *connection_; }
    operator const std::shared_ptr<connection>&() const noexcept { return connection_; }
    connection* operator->() const noexcept { return connection_.get(); }

private:
    std::shared_ptr<connection> connection_;
};

/// The answer; when the script says no, its reason is the error. Throws for anything else it refuses.
asio::awaitable<result<reply>> try_managed(kept_connection redis, managed_call call);

/// The same where there is no reason to say no.
asio::awaitable<reply> call_managed(kept_connection redis, managed_call call);

/// Sends a call and reads what it answers.
template<class T>
asio::awaitable<T> tell(kept_connection redis, managed_call call, T (*read)(const reply::answer&))
{
    const reply answer = co_await call_managed(redis, std::move(call));
    co_return read(answer.back());
}
asio::awaitable<void> tell(kept_connection redis, managed_call call);
/// Again as long as the script answers with 1: it has done a part.
asio::awaitable<void> tell_in_steps(kept_connection redis, managed_call call);

/// The same for calls that may be answered with a no.
template<class T>
asio::awaitable<result<T>> ask(kept_connection redis, managed_call call, T (*read)(const reply::answer&))
{
    const result<reply> answer = co_await try_managed(redis, std::move(call));
    if (!answer)
        co_return answer.error();
    co_return read(answer->back());
}
asio::awaitable<result<void>> ask(kept_connection redis, managed_call call);

/// Many calls of one command, in as few script calls as is good for Redis' other clients.
class managed_batches
{
public:
    /// @param command  the script for many
    managed_batches(std::string prefix, std::string_view command)
        : prefix_{std::move(prefix)}, command_{command}
    {}

    /// Calls `add_arguments` to add the arguments of one more call.
    template<class Function>
    void add(Function add_arguments)
    {
        managed_call& call = open_batch();
        ++count_;
        const auto begin = call.size();
        add_arguments(call);
        call.count_from(begin);
    }

    /// Sends everything, one batch after the other, and reads each answer. When Redis fails on the way, a
    /// first part has been carried out.
    ///
    /// @param confirmed  told whether what was carried out is confirmed
    /// @param reasons  gets, for each call, why it was refused, for people; empty if it was not
    template<class T>
    static asio::awaitable<std::vector<result<T>>>
    send(kept_connection redis, managed_batches batches, T (*read)(const reply::answer&),
         joint_confirmation& confirmed, std::vector<std::string>* reasons = nullptr)
    {
        std::vector<result<T>> results;
        const auto expected = batches.count_;
        for (auto& call : batches.calls_) {
            std::exception_ptr unconfirmed;
            const auto answer = co_await answer_of(redis, std::move(call), unconfirmed);
            confirmed.add(std::move(unconfirmed));
            for (const auto& each : reply::parts(answer.back())) {
                const bool is_list = each.first->data_type == boost::redis::resp3::type::array;
                if (is_list && each.size() == 0)
                    throw_unexpected_answer("a list that is not complete");
                const bool is_refusal = is_list && each.size() == 1; // the reason, alone in a list
                if (reasons != nullptr)
                    reasons->emplace_back(is_refusal ? each[0] : std::string_view{});
                if (is_refusal)
                    results.emplace_back(error_of_refusal(each[0]));
                else
                    results.emplace_back(read(each));
            }
        }
        if (results.size() != expected)
            throw_unexpected_answer("not as many results as there were calls");
        co_return results;
    }

    /// The same over a connection that confirms nothing.
    template<class T>
    static asio::awaitable<std::vector<result<T>>> send(kept_connection redis, managed_batches batches,
                                                        T (*read)(const reply::answer&))
    {
        joint_confirmation nothing;
        co_return co_await send(std::move(redis), std::move(batches), read, nothing);
    }

private:
    managed_call& open_batch();
    static asio::awaitable<reply> answer_of(kept_connection redis, managed_call call,
                                            std::exception_ptr& unconfirmed);

    std::string prefix_;
    std::string_view command_;
    std::vector<managed_call> calls_;
    std::size_t in_last_ = 0;
    std::size_t count_ = 0;
};

/// How to read an answer that is a text.
inline std::string read_text(const reply::answer& answer)
{
    return std::string{answer.text()};
}

/// The same for a list of texts.
inline std::vector<std::string> read_array(const reply::answer& answer)
{
    std::vector<std::string> texts;
    for (std::size_t i = 0; i != answer.size(); ++i)
        texts.emplace_back(answer[i]);
    return texts;
}

} // namespace coworker::detail
