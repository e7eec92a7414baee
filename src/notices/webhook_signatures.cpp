// SPDX-License-Identifier: MIT
#include "coworker/notices.hpp"

#include "coworker/error.hpp"
#include "text/base64.hpp"
#include "text/numbers.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>

/// Signatures of webhooks: HMAC-SHA256 over id, time and body.
namespace coworker {
namespace {

using clock = std::chrono::system_clock;

constexpr std::string_view version = "v1,", secret_prefix = "whsec_";

/// The message never shows the secret.
std::string read_secret(std::string_view secret)
{
    if (secret.starts_with(secret_prefix))
        secret.remove_prefix(secret_prefix.size());
    auto key = detail::base64_decode(secret);
    if (!key || key->size() < 24 || key->size() > 64)
        throw explained_error{errc::invalid_option,
                              "a secret of webhooks is 'whsec_' and base64 of 24 to 64 bytes"};
    return std::move(*key);
}

std::string signature_of(const webhook_headers& headers, std::string_view body, std::string_view secret)
{
    const auto key = read_secret(secret);
    auto signed_text = headers.id.str() + '.' + headers.timestamp.str() + '.';
    signed_text += body;
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
             reinterpret_cast<const unsigned char*>(signed_text.data()), signed_text.size(), digest.data(),
             &size) == nullptr)
        throw std::bad_alloc{};
    return std::string{version} + detail::base64_encode({reinterpret_cast<const char*>(digest.data()), size});
}

bool is_in_time(std::string_view timestamp, std::chrono::milliseconds tolerance, clock::time_point now)
{
    constexpr std::int64_t end_of_time = 253402300800; // the year 10000
    const auto sent = detail::to_number<std::int64_t>(timestamp);
    if (!sent || *sent < 0 || *sent > end_of_time)
        return false;
    const auto present = std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch());
    const auto age = present - std::chrono::milliseconds{*sent * 1000};
    return age <= tolerance && -age <= tolerance;
}

/// Looks at all, whichever is right.
bool has_signature(std::string_view given, std::string_view wanted)
{
    bool found = false;
    while (!given.empty()) {
        const auto end = std::min(given.find(' '), given.size());
        const auto one = given.substr(0, end);
        if (one.size() == wanted.size() && CRYPTO_memcmp(one.data(), wanted.data(), one.size()) == 0)
            found = true;
        given.remove_prefix(std::min(end + 1, given.size()));
    }
    return found;
}

} // namespace

webhook_headers sign_webhook(text id, std::string_view body, const std::vector<std::string>& secrets,
                             clock::time_point now)
{
    if (secrets.empty())
        throw explained_error{errc::invalid_option, "there is no secret to sign webhooks with"};
    const auto seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
    webhook_headers headers{std::move(id), std::to_string(seconds), {}};
    std::string all;
    for (const auto& secret : secrets)
        all += (all.empty() ? "" : " ") + signature_of(headers, body, secret);
    headers.signature = all;
    return headers;
}

bool verify_webhook(const webhook_headers& headers, std::string_view body,
                    const std::vector<std::string>& secrets, option_duration tolerance, clock::time_point now)
{
    bool is_signed = false;
    for (const auto& secret : secrets)
        if (has_signature(headers.signature.str(), signature_of(headers, body, secret)))
            is_signed = true;
    return is_signed && is_in_time(headers.timestamp.str(), tolerance, now);
}

std::string notices_queue(const queue_ref& about, std::string_view prefix)
{
    return about.is_managed() ? std::string{prefix} + "notices" : about.name() + ":notices";
}

} // namespace coworker
