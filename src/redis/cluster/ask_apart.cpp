// SPDX-License-Identifier: MIT
#include "redis/cluster/ask_apart.hpp"

#include "redis/address.hpp"
#include "redis/server_connection/connection_setup.hpp"
#include "redis/tls.hpp"

#include <boost/redis/config.hpp>

#include <utility>

namespace coworker::detail {

asio::awaitable<reply> ask_apart(asio::any_io_executor executor, client_options how,
                                 boost::redis::request what)
{
    const auto server = parse_url(how.url);
    boost::redis::config where;
    where.use_ssl = server.kind == transport::tls;
    where.addr = {server.host, server.port};
    where.reconnect_wait_interval = std::chrono::seconds{0}; // one attempt
    where.use_setup = true;
    where.setup.clear();
    boost::redis::request all;
    if (how.password.empty())
        all.push("HELLO", "3");
    else
        all.push("HELLO", "3", "AUTH", how.user.empty() ? "default" : how.user.str(), how.password.str());
    all.append(what);
    const auto expected = all.get_expected_responses();
    auto tls = make_tls(how, server);
    auto answers = co_await ask_once(std::move(executor), std::move(tls), std::move(where), std::move(all));
    if (answers.tree.get_total_msgs() != expected ||
        answers[0].is_error()) // who is refused may still be answered
        throw system_error{errc::unavailable, server.display()};
    co_return answers;
}

} // namespace coworker::detail
