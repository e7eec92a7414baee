// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "redis/address.hpp"

#include <boost/asio/ssl/context.hpp>

#include <memory>
#include <string>

namespace coworker::detail {

/// What OpenSSL found wrong with the last certificate that it refused, for people: its error code says only that
/// something is.
struct tls_trouble
{
    std::string text;
};

/// The TLS settings of a connection, from the client's options. For another transport: none. With Sentinels, of a
/// connection to any of them, or to a server that they name.
///
/// @param trouble  where to note why a certificate is refused; null: nowhere
/// @throws system_error  `errc::invalid_option`, naming the file that cannot be used.
asio::ssl::context make_tls(const client_options& options, const address& where,
                            std::shared_ptr<tls_trouble> trouble = nullptr);

} // namespace coworker::detail
