// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/gateway.hpp"
#include "gateway/answer.hpp"
#include "gateway/byte_stream.hpp"
#include "gateway/memory_share.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace coworker::detail {

/// Reads the requests of one connection, one after another, a header and a body each. Time limits are the caller's.
///
/// Most requests come as a whole. So `begin` and `begin_body` look at what has come, and the operations that read on are
/// for the others.
///
/// Operations set `ec` instead of throwing. Cancellation: terminal.
class request_reader
{
public:
    request_reader(byte_stream& stream, const gateway_options& options);
    ~request_reader();
    request_reader(const request_reader&) = delete;
    request_reader& operator=(const request_reader&) = delete;

    /// Bytes of the next request have come together with the one before.
    bool has_begun() noexcept;
    /// Waits for the first bytes of a request; the one before is forgotten. Empty lines are passed over.
    asio::awaitable<void> wait(error_code& ec);

    /// Begins a request, with what has come of it.
    void begin(error_code& ec);
    bool has_header() const noexcept;
    /// Reads the rest of the header.
    asio::awaitable<void> read_header(error_code& ec);
    /// The request without its body. It refers to what was read, until the next request begins.
    request_data header() const;
    bool is_head() const noexcept;
    /// What is wrong with the header as such; nothing if it is in order.
    std::optional<answer> refusal_of_header() const;

    /// How many bytes the header says that the body has; nothing: it does not say that.
    std::optional<std::uint64_t> announced_size() const;
    /// Whether a body may have so many bytes.
    bool fits(std::uint64_t size, bool has_tokens) const noexcept;
    /// Begins the body, with what has come of it.
    /// @param has_tokens  it may be as large as the token of a job
    void begin_body(bool has_tokens, error_code& ec);
    /// Reads the rest of the body, which the client may wait to be asked for, and counts its bytes.
    asio::awaitable<void> read_body(memory_share& held, error_code& ec);
    std::string take_body();

    /// Nothing of the request is left to be read.
    bool is_done() const noexcept;
    /// The client wants to go on with this connection.
    bool keeps_alive() const noexcept;
    /// It speaks HTTP/1.0, so it has to be told whether it can.
    bool is_old() const noexcept;

    /// What an error that reading has set means for the client; nothing when there is nobody to tell.
    std::optional<answer> complaint(const error_code& ec) const;

private:
    struct state;

    void pass_over_empty_lines() noexcept;
    asio::awaitable<void> read_more(error_code& ec);
    template<class Condition>
    bool parse_until(Condition is_complete, error_code& ec);
    template<class Condition>
    asio::awaitable<void> read_until(Condition is_complete, error_code& ec);

    byte_stream& stream_;
    const gateway_options& options_;
    std::uint64_t body_limit_; ///< of this request
    std::unique_ptr<state> state_;
};

} // namespace coworker::detail
