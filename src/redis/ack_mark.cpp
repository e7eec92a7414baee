// SPDX-License-Identifier: MIT
#include "redis/ack_mark.hpp"

#include "coworker/completion.hpp"
#include "coworker/detail/single_push.hpp"
#include "redis/script.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>
#include <atomic>
#include <utility>

namespace coworker::detail {
namespace {

struct question final : waiting_push
{
    question(const push_form& how, const std::string& mark, std::int64_t begin, std::int64_t end,
             std::chrono::milliseconds time)
        : waiting_push{how, mark, {}, mark.size()}, first{begin}, last{end}, life{time}
    {}

    std::int64_t first, last;
    std::chrono::milliseconds life;
};

/// Questions of several sources are sent with the pushes that are confirmed in the same way, and share their WAIT.
class question_form final : public push_form
{
public:
    question_form() : push_form{1, 0} {}

    const script* called(pushes) const override { return &script_; }

    void write(boost::redis::request& request, pushes all) const override
    {
        const auto& asked = static_cast<const question&>(*all.front());
        script_arguments arguments{asked.key};
        arguments.add_number(asked.first);
        arguments.add_number(asked.last);
        arguments.add_number(asked.life.count());
        push_call(request, script_, arguments);
    }

    std::vector<std::exception_ptr> read(const reply::answer& answer, pushes all) const override
    {
        auto why = push_form::read(answer, all);
        if (!answer.is_error() && answer.integer() == 0)
            why.front() = std::make_exception_ptr(
                system_error{errc::unconfirmed, "the server does not have it, or not any more"});
        return why;
    }

private:
    const script& script_ = find_script("redis/find_mark");
};

/// A client may have several sources, also for one queue.
std::string unique_name(const connection& redis)
{
    static std::atomic<unsigned> marks = 0;
    return redis.name() + '.' + std::to_string(++marks);
}

} // namespace

ack_mark::ack_mark(connection& redis, const durability& wanted, const std::string& keys, use how)
    : confirming_{redis.confirming(wanted)}, name_{unique_name(redis)}, key_{keys + name_},
      limit_{wanted.limit()}, life_{std::chrono::minutes{10} + 4 * wanted.limit()},
      kept_{how == use::often ? life_ : std::chrono::milliseconds{0}}
{}

ack_mark::call::call(ack_mark* mark) : mark_{mark}
{
    if (mark_ == nullptr)
        return;
    auto& others = mark_->under_way_;
    after_ = others.empty() ? mark_->answered_ : std::max(mark_->answered_, *others.rbegin());
    number_ = ++mark_->sent_;
    others.insert(number_);
}

ack_mark::call::~call()
{
    if (mark_ != nullptr)
        mark_->under_way_.erase(number_);
}

void ack_mark::call::answered()
{
    if (mark_ == nullptr)
        return;
    mark_->answered_ = std::max(mark_->answered_, number_);
    mark_->first_ = mark_->first_ == 0 ? number_ : std::min(mark_->first_, number_);
}

asio::awaitable<void> ack_mark::remove(connection& redis) const
{
    boost::redis::request removal;
    removal.push("DEL", key_);
    reply answers;
    try {
        co_await redis.exec(removal, answers);
    } catch (const system_error&) {
        co_return;
    }
}

asio::awaitable<void> ack_mark::confirm()
{
    using clock = std::chrono::steady_clock;
    static const question_form form;
    const auto first = std::exchange(first_, 0);
    const auto last = answered_;
    const auto until = clock::now() + limit_;
    bool is_told = first == 0;
    while (!is_told) {
        try {
            single_push ask{confirming_, std::make_shared<question>(form, key_, first, last, kept_)};
            const auto work = [&] { return std::move(ask); };
            co_await start(confirming_->get_executor(), leaves_in_doubt, work, default_token{});
            is_told = true;
        } catch (const system_error& error) {
            // A connection that is lost says nothing; the next one may be to the server that has taken over.
            if (error.code() != errc::in_doubt || clock::now() >= until)
                throw;
        }
    }
}

} // namespace coworker::detail
