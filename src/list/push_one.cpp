// SPDX-License-Identifier: MIT
#include "list/list_queue_state.hpp"

#include <boost/asio/dispatch.hpp>

/// How single jobs get into a list queue: many concurrent pushes are few requests.
namespace coworker {

using namespace detail;

void raw_list_queue::single_push::launch(asio::any_io_executor executor, asio::cancellation_type obeyed,
                                         operation<std::string>::handler handler) &&
{
    if (coroutine_.valid()) {
        operation<std::string>::launch(std::move(executor), std::move(coroutine_), obeyed,
                                       std::move(handler));
        return;
    }
    auto push = std::make_shared<waiting_push>(executor, std::move(handler));
    push->id = std::move(id_);
    push->key = queue_->keys.jobs;
    push->value = std::move(payload_);
    push->name = queue_->told;
    push->obey(obeyed, executor);
    asio::dispatch(executor, [redis = queue_->redis, push = std::move(push)]() mutable {
        redis->pushes().add(redis, std::move(push));
    });
}

} // namespace coworker
