// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "redis/connection/connection.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>

#include <memory>
#include <string_view>

namespace coworker::test {

/// A connection without a server: each command of a request is answered by the next of the answers that it was made with. When
/// there are none left, or bytes that are no RESP3, the connection is lost: `errc::unavailable`.
class scripted_connection final : public detail::connection
{
public:
    /// @param answers  have to outlive it
    scripted_connection(asio::any_io_executor executor, std::string_view answers);

    clock::time_point connecting_since() const noexcept override { return clock::time_point::min(); }
    asio::awaitable<void> ready(detail::patience how_long) override;
    asio::awaitable<void> exec(const boost::redis::request& request, detail::reply& answers,
                               detail::patience how_long) override;
    asio::awaitable<void> listen(detail::channel_watch& watch, detail::patience how_long) override;
    asio::awaitable<void> unlisten(detail::channel_watch& watch) override;
    void drop(detail::channel_watch& watch) override;
    asio::awaitable<void> stop() override;
    void abandon() override;

private:
    std::shared_ptr<detail::connection> make_confirming(const durability& wanted) override;

    std::string_view rest_;
};

/// Adds the next answer to a reply, and cuts it off. False: there is none.
bool read_answer(std::string_view& bytes, detail::reply& into);

/// A client of such a connection.
client scripted_client(const asio::io_context::executor_type& executor, std::string_view answers);

/// A context for one coroutine that uses such a client. What waits when it is destroyed is destroyed with it.
class brief_context
{
public:
    asio::io_context::executor_type get_executor() { return io_.get_executor(); }

    /// Runs the coroutine as far as it comes, and ends it if it waits for more than answers. An exception other than
    /// `system_error` leaves this.
    void run(asio::awaitable<void> what);

private:
    asio::cancellation_signal end_; ///< outlives who listens to it
    asio::io_context io_{1};
};

} // namespace coworker::test
