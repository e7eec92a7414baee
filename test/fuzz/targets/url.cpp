// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "coworker/error.hpp"
#include "program/exit_code.hpp"
#include "program/sentinel_url.hpp"
#include "redis/address.hpp"
#include "redis/sentinels.hpp"

#include <algorithm>

namespace coworker::fuzz {

using namespace detail;

namespace {

/// What stands behind a URL's scheme may be a password. Short pieces may be words of the sentence.
void claim_discretion(std::string_view url, std::string_view said)
{
    const auto scheme = url.find("://");
    const auto rest = scheme == url.npos ? std::string_view{} : url.substr(scheme + 3);
    claim(rest.size() < 24 || said.find(rest) == said.npos);
}

bool is_plain(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    });
}

void read_url(std::string_view url)
{
    try {
        const auto found = parse_url(url);
        const auto shown = found.display();
        if (found.kind == transport::unix_socket || !found.nodes.empty() || !is_plain(found.host))
            return;
        const auto again = parse_url(shown); // without user and password
        claim(again.host == found.host && again.port == found.port && again.database == found.database);
        claim(again.kind == found.kind && again.password.empty());
    } catch (const explained_error& refused) {
        claim(refused.code() == errc::invalid_option);
        claim_sentence(refused.what(), url);
        claim_discretion(url, refused.what());
    }
}

void read_sentinel(std::string_view place)
{
    try {
        const auto found = parse_sentinel(place);
        claim(!found.host.empty() && !found.port.empty());
    } catch (const explained_error& refused) {
        claim(refused.code() == errc::invalid_option);
        claim_sentence(refused.what(), place);
    }
}

void read_sentinel_url(std::string_view url)
{
    try {
        const auto found = program::parse_sentinel_url(url);
        if (!found)
            return;
        claim(!found->sentinels.empty() && !found->primary.empty());
        read_url(found->url);
        for (const auto& place : found->sentinels)
            read_sentinel(place);
    } catch (const program::failure& refused) {
        claim_sentence(refused.what(), url);
        claim_discretion(url, refused.what());
    }
}

} // namespace

/// URLs of Redis, and places of Sentinels.
FUZZ_TARGET(url)
{
    read_url(bytes);
    read_sentinel(bytes);
    read_sentinel_url(bytes);
}

} // namespace coworker::fuzz
