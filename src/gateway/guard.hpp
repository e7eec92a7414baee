// SPDX-License-Identifier: MIT
#pragma once

#include "gateway/answer.hpp"

#include <string>
#include <string_view>

/// Who may use the gateway.
namespace coworker::detail {

/// Decides from the header alone.
class guard
{
public:
    /// What a client may do.
    enum class right
    {
        none, ///< what is open to all
        look,
        act,
    };

    /// @param token  empty: everybody who can connect may act
    /// @param read_token  of those who may look; empty: there is none
    explicit guard(std::string_view token, std::string_view read_token = {});

    /// What a value of the field Authorization allows. Takes the same time for every wrong one.
    right right_of(std::string_view authorization) const;

    /// Checks everything about a request but its route: that it carries a token that suffices, and that no web page
    /// of another site sent it. Without a token, such a page must not get in under a name of its own that leads
    /// to this machine either, so only a name of the loopback device will do.
    /// @throws refusal  401 or 403
    void check(const request_data& request, right needed) const;

private:
    std::string digest_, read_digest_; ///< empty: no token
};

/// Checks that the gateway may listen there: without a token, on the loopback device only.
/// @throws system_error  `errc::invalid_option`, with what to do.
void check_listen_address(std::string_view address, std::string_view token);

} // namespace coworker::detail
