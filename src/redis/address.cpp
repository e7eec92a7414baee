// SPDX-License-Identifier: MIT
#include "redis/address.hpp"

#include "coworker/error.hpp"
#include "text/percent_code.hpp"
#include "text/redis_scheme.hpp"

#include <charconv>
#include <utility>

namespace coworker::detail {
namespace {

[[noreturn]] void refuse(std::string_view why)
{
    throw explained_error{errc::invalid_option, "Redis URL: " + std::string{why}};
}

std::string percent_decode(std::string_view text)
{
    auto decoded = percent_decoded(text);
    if (!decoded)
        refuse("a % is not followed by two hexadecimal digits");
    return std::move(*decoded);
}

int parse_number(std::string_view text, int maximum, std::string_view what)
{
    int value = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (ec != std::errc{} || end != text.data() + text.size() || value < 0 || value > maximum)
        refuse(std::string{what} + " is not a number from 0 to " + std::to_string(maximum));
    return value;
}

/// Removes what stands before `separator` from `rest` and returns it; nothing if there is none.
std::string_view cut_before(std::string_view& rest, std::size_t separator)
{
    if (separator == rest.npos)
        return {};
    const auto front = rest.substr(0, separator);
    rest.remove_prefix(separator + 1);
    return front;
}

/// Where the @ behind the credentials stands, if there are any. A path may have one as well.
std::size_t end_of_credentials(std::string_view rest, transport kind)
{
    if (kind != transport::unix_socket)
        return rest.rfind('@');
    return rest.starts_with('/') ? rest.npos : rest.find("@/");
}

void parse_credentials(std::string_view text, address& result)
{
    const auto colon = text.find(':');
    if (colon == text.npos) {
        result.user = percent_decode(text);
    } else {
        result.user = percent_decode(text.substr(0, colon));
        result.password = percent_decode(text.substr(colon + 1));
    }
}

void parse_host(std::string_view text, address& result)
{
    std::string_view port;
    if (text.starts_with('[')) { // IPv6
        const auto close = text.find(']');
        if (close == text.npos)
            refuse("the [ of an IPv6 address is not closed");
        result.host = text.substr(1, close - 1);
        const auto rest = text.substr(close + 1);
        if (!rest.empty() && rest.front() != ':')
            refuse("after the ] only :port may follow");
        port = rest.empty() ? rest : rest.substr(1);
    } else {
        const auto colon = text.find(':');
        if (colon != 0 && !text.empty())
            result.host = percent_decode(text.substr(0, colon));
        port = colon == text.npos ? std::string_view{} : text.substr(colon + 1);
    }
    if (!port.empty())
        result.port = std::to_string(parse_number(port, 65535, "the port"));
}

/// Nodes of a cluster, separated by commas.
void parse_nodes(std::string_view text, address& result)
{
    for (bool more = true; more;) {
        const auto comma = text.find(',');
        more = comma != text.npos;
        address node;
        parse_host(text.substr(0, comma), node);
        result.nodes.emplace_back(std::move(node.host), std::move(node.port));
        text.remove_prefix(more ? comma + 1 : text.size());
    }
    result.host = result.nodes.front().first;
    result.port = result.nodes.front().second;
}

std::string display_host(const std::string& host, const std::string& port)
{
    const bool is_ipv6 = host.find(':') != host.npos;
    return (is_ipv6 ? '[' + host + ']' : host) + ':' + port;
}

} // namespace

address parse_url(std::string_view url)
{
    address result;
    std::string_view rest = url;
    if (const auto why = complaint_of_scheme(url); !why.empty())
        refuse(why);
    const auto scheme = url.find("://");
    const auto name = url.substr(0, scheme);
    rest.remove_prefix(scheme + 3);
    if (name == "rediss" || name == "rediss+cluster")
        result.kind = transport::tls;
    else if (name == "unix" || name == "redis+socket")
        result.kind = transport::unix_socket;
    const bool is_cluster = name.ends_with("+cluster");

    std::string_view query;
    if (const auto mark = rest.find('?'); mark != rest.npos) {
        query = rest.substr(mark + 1);
        rest = rest.substr(0, mark);
    }
    parse_credentials(cut_before(rest, end_of_credentials(rest, result.kind)), result);

    if (result.kind == transport::unix_socket) {
        if (!rest.starts_with('/'))
            refuse("unix:// is followed by an absolute path, as in unix:///run/redis/redis.sock");
        result.path = percent_decode(rest);
    } else {
        const auto slash = rest.find('/');
        if (is_cluster)
            parse_nodes(rest.substr(0, slash), result);
        else
            parse_host(rest.substr(0, slash), result);
        if (slash != rest.npos && slash + 1 != rest.size())
            result.database = parse_number(rest.substr(slash + 1), 1'000'000, "the database");
    }

    if (query.starts_with("db="))
        result.database = parse_number(query.substr(3), 1'000'000, "the database");
    else if (!query.empty())
        refuse(
            "it has an unknown parameter; behind the ? may stand db=NUMBER"); // not shown: it may be a password
    if (is_cluster && result.database != 0)
        refuse("a cluster has no database but 0");
    return result;
}

std::string address::display() const
{
    std::string where = display_host(host, port);
    if (!nodes.empty()) {
        where.clear();
        for (const auto& [node, its_port] : nodes) {
            if (!where.empty())
                where += ',';
            where += display_host(node, its_port);
        }
        return (kind == transport::tls ? "rediss+cluster://" : "redis+cluster://") + where;
    }
    std::string text = kind == transport::unix_socket ? "unix://" + path
                       : kind == transport::tls       ? "rediss://" + where
                                                      : "redis://" + where;
    if (database != 0)
        text += (kind == transport::unix_socket ? "?db=" : "/") + std::to_string(database);
    return text;
}

} // namespace coworker::detail
