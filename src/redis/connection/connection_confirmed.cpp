// SPDX-License-Identifier: MIT
#include "redis/confirmed_writes.hpp"
#include "redis/connection/connection.hpp"

#include <utility>

/// The connections whose writes are confirmed, and by what means.
namespace coworker::detail {

namespace redis = boost::redis;

namespace {

/// Redis looks only so often whether the time of a WAIT is over.
constexpr std::chrono::milliseconds delay_of_limit{200};

/// Only what needs attention is told of a connection that users do not know of.
std::function<void(const event&)> warnings_of(std::function<void(const event&)> on_event)
{
    if (!on_event)
        return {};
    return [tell = std::move(on_event)](const event& what) {
        if (what.kind == event_kind::warning)
            tell(what);
    };
}

} // namespace

std::shared_ptr<connection> connection::confirming(const durability& wanted)
{
    if (wanted == durability::memory())
        return shared_from_this();
    const std::lock_guard lock{confirming_mutex_};
    if (!stopping_) // those that have failed for good while this one has not
        std::erase_if(confirming_, [](const auto& each) { return each->stopping_ && !each->cluster_; });
    for (const auto& each : confirming_)
        if (each->confirmed_->wanted == wanted)
            return each;
    return confirming_.emplace_back(make_confirming(wanted));
}

std::shared_ptr<connection> connection::make_confirming(const durability& wanted) const
{
    if (cluster_)
        return std::make_shared<connection>(*this, wanted);
    auto how = options_;
    const auto longer = wanted.limit() + delay_of_limit;
    if (how.command_timeout.count() != 0)
        how.command_timeout += longer;
    if (how.health_check_interval.count() != 0) // Redis answers nothing else meanwhile
        how.health_check_interval += 2 * longer;
    how.tracking = false;
    how.thread_safe = false; // the executor is a strand already
    how.on_event = warnings_of(std::move(how.on_event));
    how.client_name = options_.client_name.str() + ":confirmed";
    auto made = std::make_shared<connection>(executor_, std::move(how));
    made->confirmed_ = std::make_unique<confirmed_writes>(wanted);
    made->former_ = former_;
    if (stopping_)
        made->abandon();
    return made;
}

std::vector<std::shared_ptr<connection>> connection::all_confirming()
{
    const std::lock_guard lock{confirming_mutex_};
    return confirming_;
}

/// By what command this server says that writes are as durable as was asked for.
asio::awaitable<confirmation> connection::find_means(clock::time_point latest)
{
    auto& mine = *confirmed_;
    if (mine.wanted.asked_for() == durability::level::replicated)
        co_return confirmation::wait;
    if (mine.means && mine.known_since == connecting_since_)
        co_return *mine.means;
    redis::request question;
    write_question(question);
    reply answers;
    co_await exec_plain(question, answers, patience::unlimited, latest);
    mine.means = read_means(answers);
    mine.known_since = connecting_since_;
    co_return *mine.means;
}

} // namespace coworker::detail
