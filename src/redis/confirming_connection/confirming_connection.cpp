// SPDX-License-Identifier: MIT
#include "redis/confirming_connection/confirming_connection.hpp"

#include <utility>

/// How a server's connection comes to have others beside it that confirm, and by what means these do.
namespace coworker::detail {
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

client_options options_beside(client_options how, const durability& wanted)
{
    const auto longer = wanted.limit() + delay_of_limit;
    if (how.command_timeout.count() != 0)
        how.command_timeout += longer;
    if (how.health_check_interval.count() != 0) // Redis answers nothing else meanwhile
        how.health_check_interval += 2 * longer;
    how.tracking = false;
    how.thread_safe = false; // the executor is a strand already
    how.on_event = warnings_of(std::move(how.on_event));
    how.client_name = how.client_name.str() + ":confirmed";
    return how;
}

cluster_identity identity_beside(std::shared_ptr<former_connections> former)
{
    cluster_identity who;
    who.former = std::move(former);
    return who;
}

} // namespace

confirming_connection::confirming_connection(asio::any_io_executor executor, client_options options,
                                             const durability& wanted,
                                             std::shared_ptr<former_connections> former)
    : server_connection{std::move(executor), options_beside(std::move(options), wanted),
                        identity_beside(std::move(former))},
      wanted_{wanted}
{}

std::shared_ptr<connection> server_connection::make_confirming(const durability& wanted)
{
    return std::make_shared<confirming_connection>(get_executor(), options(), wanted, former_);
}

std::shared_ptr<confirming_connection> confirming_connection::of(server_connection& beside,
                                                                 const durability& wanted)
{
    return std::static_pointer_cast<confirming_connection>(beside.confirming(wanted));
}

asio::awaitable<void> confirming_connection::exec(const boost::redis::request& request, reply& answers,
                                                  patience)
{
    return exec_and_judge(request, answers);
}

asio::awaitable<void> confirming_connection::exec_unconfirmed(const boost::redis::request& request,
                                                              reply& answers, patience how_long)
{
    return server_connection::exec(request, answers, how_long);
}

void confirming_connection::carry_out(std::shared_ptr<request_call> call)
{
    connection::carry_out(std::move(call));
}

/// By what command this server says that writes are as durable as was asked for.
asio::awaitable<confirmation> confirming_connection::find_means(clock::time_point latest)
{
    if (wanted_.asked_for() == durability::level::replicated)
        co_return confirmation::wait;
    if (means_ && known_since_ == connecting_since())
        co_return *means_;
    boost::redis::request question;
    write_question(question);
    reply answers;
    co_await exec_by(latest, question, answers, patience::unlimited);
    means_ = read_means(answers);
    known_since_ = connecting_since();
    co_return *means_;
}

} // namespace coworker::detail
