// SPDX-License-Identifier: MIT
#include "gateway/guard.hpp"

#include "coworker/error.hpp"

#include <boost/asio/ip/address.hpp>
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>

namespace coworker::detail {
namespace {

/// Of the same length for all texts, so that comparing them does not tell a token's length.
std::string digest(std::string_view text)
{
    unsigned char bytes[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), bytes);
    return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

char lower(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Whatever the case of the letters.
bool are_equal(std::string_view a, std::string_view b) noexcept
{
    return std::ranges::equal(a, b, {}, lower, lower);
}

bool begins_with_bearer(std::string_view text) noexcept
{
    constexpr std::string_view scheme = "bearer ";
    return are_equal(text.substr(0, scheme.size()), scheme);
}

/// "[::1]:8080" and "localhost:8080" without the port and the brackets.
std::string_view host_of(std::string_view host) noexcept
{
    if (!host.empty() && host.front() == '[')
        return host.substr(1, host.find(']') - 1);
    return host.substr(0, host.find(':'));
}

bool is_loopback(std::string_view host)
{
    if (host.ends_with('.')) // the root of all names
        host.remove_suffix(1);
    if (are_equal(host, "localhost"))
        return true;
    boost::system::error_code ec;
    const auto address = boost::asio::ip::make_address(host, ec);
    return !ec && address.is_loopback();
}

/// What an origin, "https://example.com:8080", says behind the scheme.
std::string_view authority(std::string_view origin) noexcept
{
    const auto scheme = origin.find("://");
    return scheme == origin.npos ? std::string_view{} : origin.substr(scheme + 3);
}

} // namespace

guard::guard(std::string_view token, std::string_view read_token)
    : digest_{token.empty() ? std::string{} : digest(token)}, read_digest_{read_token.empty()
                                                                               ? std::string{}
                                                                               : digest(read_token)}
{
    if (!read_token.empty() && (token.empty() || token == read_token))
        throw explained_error{errc::invalid_option,
                              "a gateway with a token for reading needs another one for everything else"};
}

guard::right guard::right_of(std::string_view authorization) const
{
    if (digest_.empty())
        return right::act;
    if (!begins_with_bearer(authorization))
        return right::none;
    authorization.remove_prefix(std::min(authorization.find_first_not_of(' ', 7), authorization.size()));
    const auto given = digest(authorization);
    const auto is = [&](const std::string& known) {
        return known.size() == given.size() && CRYPTO_memcmp(given.data(), known.data(), known.size()) == 0;
    };
    const bool may_act = is(digest_), may_look = is(read_digest_);
    return may_act ? right::act : may_look ? right::look : right::none;
}

void guard::check(const request_data& request, right needed) const
{
    if (request.fetch_site == "cross-site" || request.fetch_site == "same-site" ||
        (!request.origin.empty() && !are_equal(authority(request.origin), request.host)))
        throw refusal{403, "The request comes from a page of another site; that is not allowed."};
    if (digest_.empty() && !request.host.empty() && !is_loopback(host_of(request.host)))
        throw refusal{403, "Without a token the gateway answers to localhost, 127.0.0.1 and [::1] only; "
                           "start it with a token to reach it under another name."};
    const auto has = right_of(request.authorization);
    if (has >= needed)
        return;
    if (has == right::look)
        throw refusal{403, "This token may only read; send the other one to change something."};
    refusal refused{401, request.authorization.empty()
                             ? "The token is missing; send it as \"Authorization: Bearer <token>\"."
                             : "The token is wrong."};
    refused.fields.emplace_back("WWW-Authenticate", "Bearer");
    throw refused;
}

void check_listen_address(std::string_view address, std::string_view token)
{
    boost::system::error_code ec;
    const auto parsed = boost::asio::ip::make_address(address, ec);
    if (ec)
        throw explained_error{errc::invalid_option, "the gateway's address '" + std::string{address} +
                                                        "' is not an IP address such as 127.0.0.1 or ::"};
    if (token.empty() && !parsed.is_loopback())
        throw explained_error{errc::invalid_option,
                              "without a token the gateway listens on 127.0.0.1 or ::1 only, not on " +
                                  std::string{address} + "; set a token to let other machines in"};
}

} // namespace coworker::detail
