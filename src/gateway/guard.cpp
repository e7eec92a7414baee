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

bool is_visible(std::string_view text) noexcept
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

/// Of a token: "read and push".
std::string rights_text(gateway_right rights)
{
    std::string text;
    for (const auto& [right, word] : {std::pair{gateway_right::look, "read"},
                                      {gateway_right::push, "push"},
                                      {gateway_right::work, "take jobs"}})
        if (allows(rights, right))
            text += (text.empty() ? "" : " and ") + std::string{word};
    return text;
}

[[noreturn]] void refuse_token(std::string_view name, const std::string& why)
{
    throw explained_error{errc::invalid_option, "the token '" + std::string{name} + "' " + why};
}

} // namespace

guard::guard(const std::vector<gateway_token>& tokens)
{
    constexpr std::size_t longest_name = 100;
    for (const auto& [name, token, rights] : tokens) {
        const std::string_view named{name};
        if (!is_visible(named) || named.size() > longest_name)
            throw explained_error{errc::invalid_option,
                                  "the name of a token has to be 1 to 100 visible ASCII characters"};
        if (!is_visible(token))
            refuse_token(named,
                         "has to be visible ASCII characters without blanks, as 'openssl rand -hex 32' "
                         "makes them");
        if (rights == gateway_right::none)
            refuse_token(named, "allows nothing");
        auto sum = digest(token);
        for (const auto& other : tokens_) {
            if (other.name == named)
                refuse_token(named, "is there twice; give each a name of its own");
            if (other.digest == sum)
                refuse_token(named, "is the same as '" + other.name + '\'');
        }
        tokens_.push_back({std::string{named}, std::move(sum), rights});
    }
}

guard::visitor guard::visitor_of(std::string_view authorization) const
{
    if (tokens_.empty())
        return {.rights = gateway_right::all};
    if (!begins_with_bearer(authorization))
        return {};
    authorization.remove_prefix(std::min(authorization.find_first_not_of(' ', 7), authorization.size()));
    const auto given = digest(authorization);
    visitor found;
    for (const auto& each : tokens_)
        if (CRYPTO_memcmp(given.data(), each.digest.data(), given.size()) == 0)
            found = {each.name, each.rights};
    return found;
}

void guard::check(const request_data& request, std::optional<gateway_right> needed) const
{
    if (request.fetch_site == "cross-site" || request.fetch_site == "same-site" ||
        (!request.origin.empty() && !are_equal(authority(request.origin), request.host)))
        throw refusal{403, "The request comes from a page of another site; that is not allowed."};
    if (tokens_.empty() && !request.host.empty() && !is_loopback(host_of(request.host)))
        throw refusal{403, "Without a token the gateway answers to localhost, 127.0.0.1 and [::1] only; "
                           "start it with a token to reach it under another name."};
    const auto from = visitor_of(request.authorization);
    if (!needed || (from.rights != gateway_right::none && allows(from.rights, *needed)))
        return;
    if (from.rights != gateway_right::none)
        throw refusal{403,
                      "This token may only " + rights_text(from.rights) + "; send one that may do this."};
    refusal refused{401, request.authorization.empty()
                             ? "The token is missing; send it as \"Authorization: Bearer <token>\"."
                             : "The token is wrong."};
    refused.fields.emplace_back("WWW-Authenticate", "Bearer");
    throw refused;
}

void check_listen_address(std::string_view address, bool has_tokens)
{
    boost::system::error_code ec;
    const auto parsed = boost::asio::ip::make_address(address, ec);
    if (ec)
        throw explained_error{errc::invalid_option, "the gateway's address '" + std::string{address} +
                                                        "' is not an IP address such as 127.0.0.1 or ::"};
    if (!has_tokens && !parsed.is_loopback())
        throw explained_error{errc::invalid_option,
                              "without a token the gateway listens on 127.0.0.1 or ::1 only, not on " +
                                  std::string{address} + "; set a token to let other machines in"};
}

} // namespace coworker::detail
