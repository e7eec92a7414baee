// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "redis/address.hpp"

#include <boost/asio/ssl/context.hpp>

namespace coworker::detail {

/// The TLS settings of a connection, from the client's options. For another transport: none. With Sentinels, of a
/// connection to any of them, or to a server that they name.
///
/// @throws system_error  `errc::invalid_option`, naming the file that cannot be used.
asio::ssl::context make_tls(const client_options& options, const address& where);

} // namespace coworker::detail
