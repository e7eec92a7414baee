// SPDX-License-Identifier: MIT
#include "redis/server_connection/connection_setup.hpp"

#include "coworker/error.hpp"
#include "redis/sentinels.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/cancel_after.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/redis/connection.hpp>
#include <boost/redis/logger.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace coworker::detail {
namespace {

namespace redis = boost::redis;

/// Redis' code for an error: the first word of its answer.
std::string_view code_of(std::string_view text)
{
    return text.substr(0, text.find(' '));
}

/// Where the primary is, as the first Sentinel tells that answers.
asio::awaitable<std::optional<redis::address>> ask_sentinels(asio::any_io_executor executor,
                                                             std::function<asio::ssl::context()> make_tls,
                                                             redis::config where)
{
    const auto sentinels = std::exchange(where.sentinel.addresses, {});
    for (const auto& sentinel : sentinels) {
        auto there = sentinel_alone(where, sentinel);
        redis::request request;
        request.push("SENTINEL", "GET-MASTER-ADDR-BY-NAME", where.sentinel.master_name);
        const auto told = co_await ask_once(executor, make_tls(), std::move(there), request);
        if (told.tree.empty() || told[0].size() != 2)
            continue;
        const auto primary = told[0];
        co_return redis::address{std::string{primary[0]}, std::string{primary[1]}};
    }
    co_return std::nullopt;
}

/// From the answer to HELLO, which is a map.
std::string version_in(const reply::answer& hello)
{
    for (std::size_t i = 0; i + 1 < hello.size(); ++i)
        if (hello.node(i).value == "version")
            return std::string{hello.node(i + 1).value};
    return {};
}

} // namespace

asio::awaitable<reply> ask_once(asio::any_io_executor executor, asio::ssl::context tls, redis::config where,
                                redis::request request)
{
    using namespace asio::experimental::awaitable_operators;
    constexpr std::chrono::seconds patience{5};
    redis::connection link{std::move(executor), std::move(tls),
                           redis::logger{redis::logger::level::disabled}};
    reply answers;
    co_await (link.async_run(where, asio::as_tuple(asio::use_awaitable)) ||
              link.async_exec(request, answers.tree,
                              asio::cancel_after(patience, asio::as_tuple(asio::use_awaitable))));
    co_return answers;
}

std::vector<setup_step> connection_setup::add_to(redis::request& request) const
{
    std::vector<setup_step> steps;
    if (user.empty() && password.empty())
        request.hello_setname(name);
    else
        request.hello_setname(user.empty() ? "default" : user, password, name);
    steps.push_back(setup_step::hello);
    if (database != 0) {
        request.push("SELECT", database);
        steps.push_back(setup_step::select_database);
    }
    if (tracking) {
        request.push("CLIENT", "TRACKING", "ON", "OPTIN");
        steps.push_back(setup_step::tracking);
    }
    // Answered with pushes, on every connect: the sign that waiting has to be armed again. A refusal is an ordinary
    // answer, and stands where that to the command behind it is expected.
    request.push_range("SUBSCRIBE", channels);
    request.push("PING");
    steps.push_back(setup_step::subscribe);
    return steps;
}

setup_verdict judge(const setup_refusal& refusal)
{
    using namespace std::string_view_literals;
    constexpr std::array passing{"LOADING"sv,     "BUSY"sv,       "MASTERDOWN"sv, "TRYAGAIN"sv,
                                 "CLUSTERDOWN"sv, "UNKILLABLE"sv, "OOM"sv,        "MISCONF"sv};
    const auto code = code_of(refusal.text);
    // Without a code of its own; Redis says it instead of answering the first command, and hangs up.
    const bool is_full = refusal.text.starts_with("ERR max number of clients");
    if (is_full || std::find(passing.begin(), passing.end(), code) != passing.end())
        return setup_verdict::passes;
    if (code == "WRONGPASS" || code == "NOAUTH")
        return setup_verdict::authentication_refused;
    int version = 0;
    std::from_chars(refusal.version.data(), refusal.version.data() + refusal.version.size(), version);
    const bool knows_hello = refusal.step != setup_step::hello;
    if (code == "NOPROTO" || (!knows_hello && refusal.text.starts_with("ERR unknown command")) ||
        (knows_hello && version != 0 && version < 7))
        return setup_verdict::too_old;
    return refusal.step == setup_step::tracking ? setup_verdict::poll : setup_verdict::refused;
}

asio::awaitable<std::optional<setup_refusal>> find_setup_refusal(asio::any_io_executor executor,
                                                                 std::function<asio::ssl::context()> make_tls,
                                                                 redis::config where, connection_setup setup)
{
    if (!where.sentinel.addresses.empty()) {
        const auto primary = co_await ask_sentinels(executor, make_tls, where);
        if (!primary)
            co_return std::nullopt;
        where.addr = *primary;
        where.sentinel.addresses.clear();
    }
    redis::request request;
    const auto steps = setup.add_to(request);
    const auto answers = co_await ask_once(executor, make_tls(), std::move(where), std::move(request));
    std::string version;
    for (std::size_t i = 0; i != std::min(steps.size(), answers.tree.get_total_msgs()); ++i) {
        const auto answer = answers[i];
        if (answer.is_error()) {
            setup_refusal refusal{steps[i], std::string{answer.text()}, version};
            co_return refusal;
        }
        if (steps[i] == setup_step::hello)
            version = version_in(answer);
    }
    co_return std::nullopt;
}

} // namespace coworker::detail
