// SPDX-License-Identifier: MIT
#include "redis/gathered_pushes.hpp"

#include "coworker/detail/single_push.hpp"
#include "redis/connection/connection.hpp"
#include "redis/push_batch.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

namespace coworker::detail {

std::vector<std::exception_ptr> push_form::read(const reply::answer& answer, pushes all) const
{
    return std::vector<std::exception_ptr>(all.size(), answer.error());
}

void waiting_push::cancelled()
{
    const auto mine = batch.lock();
    if (mine && --mine->waiting == 0)
        mine->cancel(); // the request need not be sent any more
}

void single_push::launch(asio::any_io_executor executor, asio::cancellation_type obeyed,
                         operation<std::string>::handler handler) &&
{
    if (failure_.valid()) {
        operation<std::string>::launch(std::move(executor), std::move(failure_), obeyed, std::move(handler));
        return;
    }
    push_->begin(executor, std::move(handler), obeyed);
    asio::dispatch(executor, [redis = std::move(redis_), push = std::move(push_)]() mutable {
        redis->pushes().add(redis, std::move(push));
    });
}

void gathered_pushes::add(const std::shared_ptr<connection>& redis, std::shared_ptr<waiting_push> push)
{
    auto batch = gathering_.lock();
    if (!batch) {
        batch = std::make_shared<push_batch>();
        gathering_ = batch;
        if (under_way_ != 0)
            asio::post(redis->get_executor(), [redis, batch] { redis->pushes().send(redis, batch); });
    }
    batch->add(std::move(push));
    if (under_way_ == 0 || batch->is_full())
        send(redis, batch);
}

void gathered_pushes::send(const std::shared_ptr<connection>& redis)
{
    if (const auto batch = gathering_.lock())
        send(redis, batch);
}

void gathered_pushes::send(const std::shared_ptr<connection>& redis, const std::shared_ptr<push_batch>& batch)
{
    if (std::exchange(batch->is_sent, true))
        return;
    gathering_.reset();
    if (!batch->pushes.empty()) // or they were cancelled
        batch->start(redis);
}

} // namespace coworker::detail
