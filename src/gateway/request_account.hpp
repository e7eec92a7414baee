// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/gateway.hpp"
#include "gateway/byte_stream.hpp"
#include "gateway/guard.hpp"
#include "gateway/route.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace coworker::detail {

/// What is told of the requests of one connection, for a log.
class request_account
{
public:
    request_account(const gateway_options& options, const asio::ip::tcp::socket& socket);

    /// Another request begins.
    void begin(const byte_stream& stream);
    /// Its header is there. It has to stay valid until the request has ended.
    void note(const request_data& header, const guard::visitor& from);
    /// It was let in.
    void note(const route& where);
    /// It has ended.
    /// @param what  how it was answered; null: it was not
    void tell(const gateway_options& options, const byte_stream& stream, const answer* what);

private:
    std::string peer_; ///< empty: nobody wants to know
    std::string token_;
    gateway_request now_{};
    std::chrono::steady_clock::time_point began_{};
    std::uint64_t written_before_ = 0;
};

} // namespace coworker::detail
