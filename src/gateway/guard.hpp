// SPDX-License-Identifier: MIT
#pragma once

#include "gateway/answer.hpp"

#include "coworker/gateway.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Who may use the gateway.
namespace coworker::detail {

/// Decides from the header alone.
class guard
{
public:
    /// Who has sent a request.
    struct visitor
    {
        std::string_view name{}; ///< of the token; empty: there is none, or a wrong one
        gateway_right rights = gateway_right::none;
    };

    /// @param tokens  none: everybody who can connect may do everything
    /// @throws system_error  `errc::invalid_option`
    explicit guard(const std::vector<gateway_token>& tokens);

    /// Whose the value of the field Authorization is. Takes the same time for every wrong one.
    visitor visitor_of(std::string_view authorization) const;

    /// Checks everything about a request but its route: that it carries a token that suffices, and that no web page
    /// of another site sent it. Without a token, such a page must not get in under a name of its own that leads
    /// to this machine either, so only a name of the loopback device will do.
    /// @param needed  nothing: it is open to all; `none`: any token will do
    /// @throws refusal  401 or 403
    void check(const request_data& request, std::optional<gateway_right> needed) const;

private:
    struct known
    {
        std::string name;
        std::string digest;
        gateway_right rights;
    };

    std::vector<known> tokens_;
};

/// Checks that the gateway may listen there: without a token, on the loopback device only.
/// @throws system_error  `errc::invalid_option`, with what to do.
void check_listen_address(std::string_view address, bool has_tokens);

} // namespace coworker::detail
