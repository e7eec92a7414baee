// SPDX-License-Identifier: MIT
#include "redis/sentinels.hpp"

#include "redis/connection_setup.hpp"

#include <boost/asio/ssl/context.hpp>
#include <boost/redis/request.hpp>

#include <charconv>
#include <utility>

namespace coworker::detail {

namespace redis = boost::redis;

std::optional<named_primary> read_primary(const reply::answer& told)
{
    if (told.is_error())
        return std::nullopt;
    named_primary found;
    for (std::size_t i = 0; i + 1 < told.size(); i += 2) {
        const auto name = told[i], value = told[i + 1];
        if (name == "ip")
            found.where.host = value;
        else if (name == "port")
            found.where.port = value;
        else if (name == "runid")
            found.run_id = value;
        else if (name == "config-epoch")
            std::from_chars(value.data(), value.data() + value.size(), found.epoch);
    }
    if (found.where.host.empty() || found.where.port.empty())
        return std::nullopt;
    return found;
}

asio::awaitable<std::optional<named_primary>> ask_all_sentinels(asio::any_io_executor executor,
                                                                redis::config where)
{
    const auto sentinels = std::exchange(where.sentinel.addresses, {});
    where.use_ssl = where.sentinel.use_ssl;
    redis::request request;
    request.push("SENTINEL", "MASTER", where.sentinel.master_name);
    std::optional<named_primary> latest;
    for (std::size_t i = 0; i != sentinels.size(); ++i) {
        where.addr = sentinels[i];
        asio::ssl::context tls{asio::ssl::context::tls_client};
        const auto told = co_await ask_once(executor, std::move(tls), where, request);
        if (told.tree.empty())
            continue;
        auto primary = read_primary(told[0]);
        if (primary && (!latest || primary->epoch > latest->epoch)) {
            primary->sentinel = i;
            latest = std::move(primary);
        }
    }
    co_return latest;
}

} // namespace coworker::detail
