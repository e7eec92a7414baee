// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster_refusal.hpp"

#include "redis/reply.hpp"

#include <charconv>

namespace coworker::detail {
namespace {

/// Reads "3999 127.0.0.1:6381". A node that does not know its host leaves it out, or writes a question mark.
std::optional<cluster_refusal> read_target(cluster_refusal::reason why, std::string_view text,
                                           const node_address& asked)
{
    cluster_refusal found{why};
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), found.slot);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const auto colon = text.rfind(':'); // an IPv6 address has more of them
    if (ec != std::errc{} || found.slot >= slot_count || !text.starts_with(' ') || colon == text.npos)
        return std::nullopt;
    const auto host = text.substr(1, colon - 1);
    const auto port = text.substr(colon + 1);
    if (const auto number = to_integer(port); number < 1 || number > 65535)
        return std::nullopt;
    found.where.host = host.empty() ? asked.host : host == "?" ? std::string{} : std::string{host};
    found.where.port = port;
    return found;
}

} // namespace

std::optional<cluster_refusal> read_refusal(std::string_view error, const node_address& asked)
{
    using reason = cluster_refusal::reason;
    const auto blank = error.find(' ');
    const auto code = error.substr(0, blank);
    const auto rest = blank == error.npos ? std::string_view{} : error.substr(blank + 1);
    if (code == "MOVED")
        return read_target(reason::moved, rest, asked);
    if (code == "ASK")
        return read_target(reason::asks, rest, asked);
    if (code == "TRYAGAIN")
        return cluster_refusal{reason::try_again};
    if (code == "CLUSTERDOWN" || code == "LOADING" || code == "MASTERDOWN")
        return cluster_refusal{reason::down};
    if (says_read_only(error))
        return cluster_refusal{reason::read_only};
    return std::nullopt;
}

} // namespace coworker::detail
