// SPDX-License-Identifier: MIT
#include "list/partition_set.hpp"

#include "list/list_source/list_source.hpp"
#include "list/partitions.hpp"
#include "redis/cluster/cluster.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <utility>

namespace coworker {

using namespace detail;

namespace {

/// How long a number of partitions is believed.
constexpr std::chrono::seconds time_to_believe{30};

/// How soon it is asked again where that has failed.
constexpr std::chrono::seconds time_until_next_question{5};

/// Runs all calls concurrently. Returns for each, in order, the exception that it threw, or null.
asio::awaitable<std::vector<std::exception_ptr>> errors_of(std::vector<asio::awaitable<void>> calls)
{
    if (calls.empty()) // which a parallel group must not be
        co_return std::vector<std::exception_ptr>{};
    const auto executor = co_await asio::this_coro::executor;
    const auto begin = [&](asio::awaitable<void>& call) {
        return asio::co_spawn(executor, std::move(call), asio::deferred);
    };
    std::vector<decltype(begin(calls.front()))> all;
    all.reserve(calls.size());
    for (auto& call : calls)
        all.push_back(begin(call));
    auto together = asio::experimental::make_parallel_group(std::move(all));
    auto [order, errors] =
        co_await together.async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
    co_return std::move(errors);
}

/// Throws what the first of them has thrown that failed.
asio::awaitable<void> carry_out(std::vector<asio::awaitable<void>> calls)
{
    const auto errors = co_await errors_of(std::move(calls));
    for (const auto& error : errors)
        if (error)
            std::rethrow_exception(error);
}

/// Whoever is told that a push was refused takes it that nothing was pushed. That is so if all shares were refused.
/// Those that are unconfirmed were pushed.
void throw_if_any(const std::vector<std::exception_ptr>& errors)
{
    const auto is_unconfirmed = [](const auto& error) {
        return error && code_of(error) == errc::unconfirmed;
    };
    const auto failed = std::find_if(errors.begin(), errors.end(),
                                     [&](const auto& error) { return error && !is_unconfirmed(error); });
    if (failed == errors.end()) {
        const auto unconfirmed = std::find_if(errors.begin(), errors.end(), is_unconfirmed);
        if (unconfirmed != errors.end())
            std::rethrow_exception(*unconfirmed);
        return;
    }
    const auto code = code_of(*failed);
    const auto is_like_it = [&](const auto& error) { return error && code_of(error) == code; };
    if (code == asio::error::operation_aborted || std::all_of(errors.begin(), errors.end(), is_like_it))
        std::rethrow_exception(*failed);
    throw explained_error{errc::in_doubt, "some partitions did not take their jobs: " + code.message()};
}

void add_sizes(list_queue_sizes& sum, const list_queue_sizes& part)
{
    for (const auto number :
         {&list_queue_sizes::waiting, &list_queue_sizes::running, &list_queue_sizes::scheduled,
          &list_queue_sizes::overdue, &list_queue_sizes::failed, &list_queue_sizes::broken,
          &list_queue_sizes::total_succeeded, &list_queue_sizes::total_retried,
          &list_queue_sizes::total_failed, &list_queue_sizes::total_broken,
          &list_queue_sizes::total_recovered, &list_queue_sizes::total_dropped,
          &list_queue_sizes::total_dropped_broken})
        sum.*number += part.*number;
    sum.paused = sum.paused || part.paused;
    sum.workers = std::max(sum.workers, part.workers); // a worker fetches from all of them
    if (part.oldest_waiting_age)
        sum.oldest_waiting_age =
            std::max(sum.oldest_waiting_age.value_or(*part.oldest_waiting_age), *part.oldest_waiting_age);
}

} // namespace

// Each begins with another partition: programs that push one job each do not all push it to the first.
raw_list_queue::partition_set::partition_set(std::shared_ptr<connection> redis, std::string queue,
                                             list_queue_options options)
    : redis_{std::move(redis)}, queue_{std::move(queue)}, options_{options},
      asked_{std::exchange(options_.partitions, 0U)}, turn_{std::random_device{}()}
{}

raw_list_queue::partition_set::shared raw_list_queue::partition_set::with(const durability& wanted)
{
    if (wanted == wanted_)
        return shared_from_this();
    auto options = options_;
    options.partitions = asked_;
    const auto copy = std::make_shared<partition_set>(redis_, queue_, options);
    copy->wanted_ = wanted;
    const std::lock_guard lock{mutex_};
    std::vector<std::shared_ptr<state>> same;
    for (const auto& each : *parts_)
        same.push_back(copy->make_part(each->name));
    copy->parts_ = std::make_shared<parts::element_type>(std::move(same));
    copy->known_until_ = known_until_;
    copy->is_failing_ = is_failing_;
    return copy;
}

std::shared_ptr<raw_list_queue::state> raw_list_queue::partition_set::make_part(const std::string& name) const
{
    const auto part = std::make_shared<state>(name, options_, redis_->for_queue(name));
    part->pushes = part->redis->confirming(wanted_);
    return part;
}

asio::awaitable<raw_list_queue::partition_set::parts> raw_list_queue::partition_set::know(shared self)
{
    if (auto known = self->known_parts())
        co_return known;
    try {
        co_return co_await learn(self);
    } catch (const system_error& error) {
        if (!self->goes_on_after(error.code()))
            throw;
    }
    const std::lock_guard lock{self->mutex_};
    co_return self->parts_;
}

asio::awaitable<raw_list_queue::partition_set::parts> raw_list_queue::partition_set::learn(shared self)
{
    const auto count = co_await divide(*self->redis_, self->queue_, self->asked_);
    if (count == 0 && self->redis_->in_cluster()) // nobody has divided it, and it was not asked for here
        refuse_undivided(self->queue_);
    std::vector<std::shared_ptr<connection>> homes; // they live as long as somebody has them
    if (const auto& whole = self->redis_->whole(); whole && self->known_count() < count) {
        for (unsigned i = 0; i < count; ++i)
            homes.push_back(self->redis_->for_queue(partition_name(self->queue_, i)));
        co_await whole->look_for(homes);
    }
    const std::lock_guard lock{self->mutex_};
    auto all = *self->parts_;
    for (auto i = static_cast<unsigned>(all.size()); i < count; ++i)
        all.push_back(self->make_part(partition_name(self->queue_, i)));
    self->parts_ = std::make_shared<parts::element_type>(std::move(all));
    self->known_until_ = std::chrono::steady_clock::now() + time_to_believe;
    self->is_failing_ = false;
    co_return self->parts_;
}

raw_list_queue::partition_set::parts raw_list_queue::partition_set::known_parts()
{
    const auto now = std::chrono::steady_clock::now();
    bool is_old = false;
    parts known;
    {
        const std::lock_guard lock{mutex_};
        if (parts_->empty() || (!is_failing_ && now >= known_until_ + time_to_believe))
            return nullptr;
        known = parts_;
        is_old = now >= known_until_ && !std::exchange(is_asking_, true);
    }
    if (is_old)
        ask_again();
    return known;
}

std::size_t raw_list_queue::partition_set::known_count()
{
    const std::lock_guard lock{mutex_};
    return parts_->size();
}

void raw_list_queue::partition_set::ask_again()
{
    const auto ask = [](shared self) -> asio::awaitable<void> { (void)co_await learn(self); };
    asio::co_spawn(redis_->get_executor(), ask(shared_from_this()),
                   [self = shared_from_this()](const std::exception_ptr& failed) {
                       if (failed)
                           (void)self->goes_on_after(code_of(failed));
                       const std::lock_guard lock{self->mutex_};
                       self->is_asking_ = false;
                   });
}

bool raw_list_queue::partition_set::goes_on_after(error_code why)
{
    const std::lock_guard lock{mutex_};
    if (why == errc::invalid_queue_name) // it is divided no more
        parts_ = std::make_shared<parts::element_type>();
    is_failing_ = true;
    known_until_ = std::chrono::steady_clock::now() + time_until_next_question;
    return !parts_->empty() && (why == errc::unavailable || why == errc::in_doubt || why == errc::timed_out);
}

std::shared_ptr<raw_list_queue::state>
raw_list_queue::partition_set::part_of(const parts& among, const push_options& how, std::string_view id)
{
    const auto count = static_cast<unsigned>(among->size());
    if (const std::string_view key = how.key; !key.empty())
        return (*among)[partition_of(key, count)];
    if (how.unique_for.count() != 0) // its id is remembered in one of them
        return (*among)[partition_of(id, count)];
    for (unsigned i = 0; i != count; ++i)
        if (const auto& next = (*among)[turn_++ % count]; !next->redis->is_away())
            return next;
    return (*among)[turn_ % count];
}

// --- push ----------------------------------------------------------------------------

single_push raw_list_queue::partition_set::make_push(const shared& self, std::string id, std::string payload,
                                                     push_options how)
{
    const auto known = self->known_parts();
    if (!known)
        return push_when_known(self, std::move(id), std::move(payload), std::move(how));
    const auto part = self->part_of(known, how, id);
    return state::make_push(part, std::move(id), std::move(payload), how, nullptr);
}

asio::awaitable<std::string> raw_list_queue::partition_set::push_when_known(shared self, std::string id,
                                                                            std::string payload,
                                                                            push_options how)
{
    const auto known = co_await know(self);
    const auto part = self->part_of(known, how, id);
    auto push = state::make_push(part, std::move(id), std::move(payload), how, nullptr);
    const auto work = [&] { return std::move(push); };
    co_return co_await start(self->redis_->get_executor(), leaves_in_doubt, work, default_token{});
}

asio::awaitable<void> raw_list_queue::partition_set::send(shared self, many_pushes& all)
{
    const auto known = co_await know(self);
    std::map<std::shared_ptr<state>, std::vector<std::size_t>> shares;
    for (std::size_t i = 0; i != all.ids.size(); ++i)
        shares[self->part_of(known, all.how(i), all.ids[i])].push_back(i);
    std::vector<asio::awaitable<void>> calls;
    for (const auto& [part, places] : shares)
        calls.push_back(state::send(part, all, places));
    const auto errors = co_await errors_of(std::move(calls));
    throw_if_any(errors);
}

std::shared_ptr<raw_list_queue::state> raw_list_queue::partition_set::part_for_effect(const push_options& how)
{
    const auto known = known_parts();
    if (known)
        return part_of(known, how, {});
    if (const std::string_view key = how.key; !key.empty() || asked_ == 0)
        throw explained_error{errc::not_supported,
                              "the number of partitions of '" + queue_ +
                                  "' is not known yet, which an effect needs; call async_sizes first"};
    return make_part(partition_name(queue_, 0)); // which is there in any case
}

// --- all of them ---------------------------------------------------------------------

asio::awaitable<raw_list_queue::partition_set::parts> raw_list_queue::partition_set::all(shared self)
{
    const auto known = co_await learn(self);
    auto all = *known;
    if (!self->redis_->in_cluster())
        all.push_back(self->make_part(self->queue_));
    co_return std::make_shared<parts::element_type>(std::move(all));
}

asio::awaitable<list_queue_sizes> raw_list_queue::partition_set::sizes(shared self)
{
    const auto parts = co_await all(self);
    list_queue_sizes sum;
    const auto add = [](std::shared_ptr<state> part, list_queue_sizes& to) -> asio::awaitable<void> {
        add_sizes(to, co_await state::sizes(std::move(part)));
    };
    std::vector<asio::awaitable<void>> calls;
    for (const auto& part : *parts)
        calls.push_back(add(part, sum));
    co_await carry_out(std::move(calls));
    co_return sum;
}

asio::awaitable<void>
raw_list_queue::partition_set::on_each(shared self, asio::awaitable<void> (*act)(std::shared_ptr<state>))
{
    const auto parts = co_await all(self);
    std::vector<asio::awaitable<void>> calls;
    for (const auto& part : *parts)
        calls.push_back(act(part));
    co_await carry_out(std::move(calls));
}

raw_list_queue::partition_set::shared raw_list_queue::partition_set::of(const std::shared_ptr<state>& queue)
{
    if (queue->partitions || queue->redis->in_cluster() || !can_be_divided(queue->name))
        return queue->partitions;
    return std::make_shared<partition_set>(queue->redis, queue->name, queue->options);
}

asio::awaitable<void>
raw_list_queue::partition_set::on_all_of(const std::shared_ptr<state>& queue,
                                         asio::awaitable<void> (*act)(std::shared_ptr<state>))
{
    const auto divided = of(queue);
    return divided ? on_each(divided, act) : act(queue);
}

asio::awaitable<void> raw_list_queue::partition_set::destroy(shared self, std::shared_ptr<state> by)
{
    by->told->is_told = by->redis->in_cluster(); // else the next push makes a new one
    co_await on_each(self, &state::destroy);
    boost::redis::request remove;
    remove.push("DEL", partitions_key(self->queue_));
    co_await ask(*self->redis_, remove);
    const std::lock_guard lock{self->mutex_};
    self->parts_ = std::make_shared<parts::element_type>(); // the next push writes it again
}

std::unique_ptr<job_source> raw_list_queue::partition_set::make_source() const
{
    return list_source::of_divided(redis_, queue_, options_, asked_);
}

} // namespace coworker
