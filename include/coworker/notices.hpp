// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "coworker/option_duration.hpp"
#include "coworker/text.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Notices that jobs have failed, batches have ended, or queues have no worker, as webhooks: signed as Standard Webhooks
/// says. `inspector::async_set_notices` lets them be written, and `coworker notify` sends them. See docs/notices.md.
namespace coworker {

/// The list queue that has the notices about a queue: `mail:notices` for the list queue `mail`, `ql:notices` for all
/// managed queues of a prefix.
std::string notices_queue(const queue_ref& about, std::string_view managed_prefix = "ql:");

/// The headers of a webhook, as they came.
struct webhook_headers
{
    text id;        ///< webhook-id: the same each time the notice is sent
    text timestamp; ///< webhook-timestamp: seconds since 1970
    text signature; ///< webhook-signature: one or more, with a space between them
};

/// The headers with which a body is sent: a signature for each secret.
///
/// @param id  what the receiver knows it by; without dots and blanks
/// @param body  its bytes, as they are sent
/// @param secrets  `whsec_` and base64 of 24 to 64 bytes
/// @param now  the time of sending
/// @throws system_error  `errc::invalid_option`: a secret is none, or there is none.
webhook_headers sign_webhook(text id, std::string_view body, const std::vector<std::string>& secrets,
                             std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

/// Whether a webhook was sent by somebody who has one of the secrets, not long ago. Signatures are compared in constant
/// time. Keep the ids for as long as `tolerance` and longer: each notice comes at least once.
///
/// @param headers  as they came
/// @param body  the bytes as they came, before anything has read them as JSON
/// @param secrets  those that are accepted: two while one replaces the other
/// @param tolerance  how far the time of sending may be from `now`
/// @param now  the present
/// @throws system_error  `errc::invalid_option`: a secret is none.
bool verify_webhook(const webhook_headers& headers, std::string_view body,
                    const std::vector<std::string>& secrets,
                    option_duration tolerance = std::chrono::minutes{5},
                    std::chrono::system_clock::time_point now = std::chrono::system_clock::now());

} // namespace coworker
