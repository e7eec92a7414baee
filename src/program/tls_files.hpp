// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace coworker::program {

/// Files for TLS to Redis, in PEM form. Empty: none.
struct tls_files
{
    std::string ca;          ///< whom to trust
    std::string certificate; ///< this side's
    std::string key;         ///< and its private key

    bool empty() const noexcept { return ca.empty() && certificate.empty() && key.empty(); }
};

/// Takes `ca=…`, `cert=…` and `key=…` out of what stands behind the ? of a URL; other parameters stay there.
///
/// @throws failure  `exit_code::usage`
tls_files take_tls_files(std::string& url);

} // namespace coworker::program
