// SPDX-License-Identifier: MIT
#include "redis/sentinels.hpp"

#include "coworker/error.hpp"
#include "redis/server_connection/connection_setup.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace coworker::detail {

namespace redis = boost::redis;

redis::address parse_sentinel(std::string_view place)
{
    const auto refuse = [&](const std::string& why) {
        throw explained_error{errc::invalid_option, "the Sentinel '" + std::string{place} + "' " + why};
    };
    redis::address found{{}, "26379"};
    auto rest = place;
    if (rest.starts_with('[')) { // IPv6
        const auto close = rest.find(']');
        if (close == rest.npos)
            refuse("lacks the ] of an IPv6 address");
        found.host = rest.substr(1, close - 1);
        rest.remove_prefix(close + 1);
        if (!rest.empty() && rest.front() != ':')
            refuse("has something other than :port after the ]");
    } else {
        const auto colon = rest.rfind(':');
        if (rest.find(':') != colon)
            refuse("has several colons: write [address]:port for an IPv6 address");
        found.host = rest.substr(0, colon);
        rest.remove_prefix(colon == rest.npos ? rest.size() : colon);
    }
    if (found.host.empty())
        refuse("has no host");
    if (rest.empty())
        return found;
    rest.remove_prefix(1);
    std::uint16_t port = 0;
    const auto [end, ec] = std::from_chars(rest.data(), rest.data() + rest.size(), port);
    if (ec != std::errc{} || end != rest.data() + rest.size())
        refuse("has a port that is not a number from 0 to 65535");
    found.port = rest;
    return found;
}

redis::config sentinel_alone(redis::config where, const redis::address& sentinel)
{
    where.addr = sentinel;
    where.use_ssl = where.sentinel.use_ssl;
    where.use_setup = true;
    where.setup = where.sentinel.setup;
    where.sentinel.addresses.clear();
    return where;
}

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

std::string on_one_line(std::string_view text)
{
    std::string line;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        auto part = text.substr(0, end);
        part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
        if (!line.empty() && !part.empty())
            line += line.ends_with(':') ? " " : "; ";
        line += part;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return line;
}

asio::awaitable<std::optional<named_primary>> ask_all_sentinels(asio::any_io_executor executor,
                                                                std::function<asio::ssl::context()> make_tls,
                                                                redis::config where)
{
    const auto sentinels = std::exchange(where.sentinel.addresses, {});
    redis::request request;
    request.push("SENTINEL", "MASTER", where.sentinel.master_name);
    std::optional<named_primary> latest;
    for (std::size_t i = 0; i != sentinels.size(); ++i) {
        auto there = sentinel_alone(where, sentinels[i]);
        const auto told = co_await ask_once(executor, make_tls(), std::move(there), request);
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
