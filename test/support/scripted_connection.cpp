// SPDX-License-Identifier: MIT
#include "support/scripted_connection.hpp"

#include "redis/channel_watch.hpp"
#include "redis/reply.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/redis/adapter/any_adapter.hpp>
#include <boost/redis/request.hpp>
#include <boost/redis/resp3/parser.hpp>

#include <utility>

namespace coworker::test {

using namespace detail;

scripted_connection::scripted_connection(asio::any_io_executor executor, std::string_view answers)
    : connection{std::move(executor), {}, {.name = "coworker:1"}}, rest_{answers}
{}

asio::awaitable<void> scripted_connection::ready(detail::patience)
{
    co_return;
}

bool read_answer(std::string_view& bytes, reply& into)
{
    boost::redis::any_adapter adapter{into.tree};
    boost::redis::resp3::parser parser;
    error_code ec;
    if (bytes.empty() || !boost::redis::resp3::parse(parser, bytes, adapter, ec) || ec)
        return false;
    bytes.remove_prefix(parser.get_consumed());
    return true;
}

asio::awaitable<void> scripted_connection::exec(const boost::redis::request& request, reply& answers,
                                                detail::patience)
{
    for (auto count = request.get_commands(); count != 0; --count)
        if (!read_answer(rest_, answers)) {
            rest_ = {};
            throw system_error{errc::unavailable};
        }
    co_return;
}

asio::awaitable<void> scripted_connection::listen(channel_watch& watch, detail::patience)
{
    watch.enlist();
    co_return;
}

asio::awaitable<void> scripted_connection::unlisten(channel_watch& watch)
{
    watch.withdraw();
    co_return;
}

void scripted_connection::drop(channel_watch& watch)
{
    watch.withdraw();
}

asio::awaitable<void> scripted_connection::stop()
{
    (void)begin_to_stop();
    co_return;
}

void scripted_connection::abandon()
{
    (void)begin_to_stop();
}

std::shared_ptr<connection> scripted_connection::make_confirming(const durability&)
{
    return shared_from_this();
}

namespace {

/// Where a client has its connection.
std::shared_ptr<connection> client::*place_of_connection();

/// An explicit instantiation may name a private member.
template<std::shared_ptr<connection> client::*Place>
struct private_place
{
    friend std::shared_ptr<connection> client::*place_of_connection() { return Place; }
};
template struct private_place<&client::connection_>;

} // namespace

client scripted_client(const asio::io_context::executor_type& executor, std::string_view answers)
{
    static asio::io_context unused;
    static const client pattern{unused.get_executor(), {.thread_safe = false}}; // to make one takes long
    auto made = share(pattern);
    made.*place_of_connection() = std::make_shared<scripted_connection>(executor, answers);
    return made;
}

void brief_context::run(asio::awaitable<void> what)
{
    const auto has_ended = std::make_shared<bool>(false);
    asio::co_spawn(io_, std::move(what),
                   asio::bind_cancellation_slot(end_.slot(), [=](std::exception_ptr why) {
                       *has_ended = true;
                       try {
                           if (why)
                               std::rethrow_exception(why);
                       } catch (const system_error&) {
                       }
                   }));
    io_.poll();
    if (*has_ended)
        return;
    end_.emit(asio::cancellation_type::terminal);
    io_.restart();
    io_.poll();
}

} // namespace coworker::test
