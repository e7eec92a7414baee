// SPDX-License-Identifier: MIT
#include "mysql/mysql_address.hpp"

#include "coworker/error.hpp"
#include "text/numbers.hpp"
#include "text/percent_code.hpp"

#include <cstdint>

namespace coworker::detail {
namespace {

[[noreturn]] void refuse(const std::string& why)
{
    throw explained_error{errc::invalid_option,
                          "the address of the database is mysql://user:password@host:port/database: " + why};
}

std::string decoded(std::string_view text)
{
    auto plain = percent_decoded(text);
    if (!plain)
        refuse("a % is not followed by two hexadecimal digits");
    if (plain->find('\0') != plain->npos)
        refuse("it has a zero byte");
    return *std::move(plain);
}

/// What stands before the sign; the text goes on behind it. All of it if there is none.
std::string_view cut(std::string_view& text, char sign)
{
    const auto end = text.find(sign);
    const auto part = text.substr(0, end);
    text = end == text.npos ? std::string_view{} : text.substr(end + 1);
    return part;
}

mysql_tls read_tls(std::string_view word)
{
    if (word == "off")
        return mysql_tls::off;
    if (word == "required")
        return mysql_tls::required;
    if (word == "verify")
        return mysql_tls::verify;
    refuse("tls is 'off', 'required' or 'verify'");
}

void read_option(mysql_address& address, std::string_view text)
{
    const auto name = cut(text, '=');
    const auto value = decoded(text);
    if (name == "socket")
        address.socket = value;
    else if (name == "tls")
        address.tls = read_tls(value);
    else if (name == "ca")
        address.ca = value;
    else if (name == "cert")
        address.certificate = value;
    else if (name == "key")
        address.key = value;
    else if (name == "plugins")
        address.plugins = value;
    else if (name == "option_file")
        address.option_file = value;
    else
        refuse("its options are socket, tls, ca, cert, key, plugins and option_file");
}

void read_place(mysql_address& address, std::string_view text)
{
    if (text.starts_with('[')) {
        text.remove_prefix(1);
        address.host = decoded(cut(text, ']'));
        if (!text.empty() && text.front() != ':')
            refuse("behind the host stands a colon and the port");
        text.remove_prefix(text.empty() ? 0 : 1);
    } else {
        address.host = decoded(cut(text, ':'));
    }
    if (text.empty())
        return;
    const auto port = to_number<std::uint16_t>(text);
    if (!port || *port == 0)
        refuse("the port is a number from 1 to 65535");
    address.port = *port;
}

} // namespace

mysql_address read_mysql_address(std::string_view url)
{
    const auto scheme = cut(url, ':');
    if ((scheme != "mysql" && scheme != "mariadb") || !url.starts_with("//"))
        refuse("it does not begin so");
    url.remove_prefix(2);
    mysql_address address;
    auto path = cut(url, '?');
    auto place = cut(path, '/');
    address.database = decoded(path);
    if (const auto at = place.rfind('@'); at != place.npos) {
        auto who = place.substr(0, at);
        place.remove_prefix(at + 1);
        address.user = decoded(cut(who, ':'));
        address.password = decoded(who);
    }
    read_place(address, place);
    while (!url.empty())
        read_option(address, cut(url, '&'));
    return address;
}

} // namespace coworker::detail
