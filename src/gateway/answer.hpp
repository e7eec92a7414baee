// SPDX-License-Identifier: MIT
#pragma once

#include "json/refusal.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// What the gateway is asked and what it answers, without how that travels.
namespace coworker::detail {

/// A request, as far as the gateway looks at it.
struct request_data
{
    // Of its header: kept by who has read it, until it has been answered.
    std::string_view method{}, target{};
    std::string_view content_type{}, authorization{}, host{}, origin{}, fetch_site{}, if_none_match{};

    std::string body{};
};

struct answer
{
    unsigned status = 200;
    std::string body{};
    std::string content_type = "application/json";
    std::vector<std::pair<std::string, std::string>> fields{}; ///< more of the header
    std::string reason{}; ///< of a 5xx: why, for whoever runs the gateway. Not sent
    /// Called if the client has gone before this was sent. May be empty.
    std::function<boost::asio::awaitable<void>()> if_undelivered{};
    /// Called for each further part of a body that has no known end, until one is empty. May be empty: `body` is all.
    std::function<boost::asio::awaitable<std::string>()> next_part{};
};

/// An answer of the form of RFC 9457, application/problem+json. `detail` says what is wrong and what to do. It is the
/// reason, too, where nobody knows more.
answer problem(unsigned status, std::string_view detail);

answer answer_of(const refusal& refused);

/// One answer for all of an array: the status of each if they have the same, else 207.
answer combine(const std::vector<answer>& answers);

/// What HTTP calls a status.
std::string_view reason_phrase(unsigned status) noexcept;

} // namespace coworker::detail
