// SPDX-License-Identifier: MIT
#pragma once

#include "http/answer.hpp"

#include <string>
#include <string_view>

/// Who may use the gateway.
namespace coworker::detail {

/// Decides from the header alone.
class guard
{
public:
    /// @param token  empty: everybody who can connect
    explicit guard(std::string_view token);

    /// Whether a value of the field Authorization carries the token. Takes the same time for every wrong one.
    bool knows(std::string_view authorization) const;

    /// Checks everything about a request but its route: that it carries the token, and that no web page of
    /// another site sent it. Without a token, such a page must not get in under a name of its own that leads
    /// to this machine either, so only a name of the loopback device will do.
    /// @throws refusal  401 or 403
    void check(const request_data& request, bool is_open) const;

private:
    std::string digest_; ///< empty: no token
};

/// Checks that the gateway may listen there: without a token, on the loopback device only.
/// @throws system_error  `errc::invalid_option`, with what to do.
void check_listen_address(std::string_view address, std::string_view token);

} // namespace coworker::detail
