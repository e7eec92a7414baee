// SPDX-License-Identifier: MIT
#include "gateway/request_account.hpp"

#include <algorithm>

namespace coworker::detail {
namespace {

using clock = std::chrono::steady_clock;

std::string peer_of(const asio::ip::tcp::socket& socket)
{
    error_code ec;
    const auto peer = socket.remote_endpoint(ec);
    if (ec)
        return "-"; // gone already
    const auto address = peer.address().to_string();
    return (peer.address().is_v6() ? '[' + address + ']' : address) + ':' + std::to_string(peer.port());
}

} // namespace

request_account::request_account(const gateway_options& options, const asio::ip::tcp::socket& socket)
    : peer_{options.on_request ? peer_of(socket) : std::string{}}
{}

void request_account::begin(const byte_stream& stream)
{
    now_ = {};
    began_ = clock::now();
    written_before_ = stream.written();
}

void request_account::note(const request_data& header, const guard::visitor& from)
{
    began_ = clock::now();
    now_.method = header.method;
    now_.path = header.target.substr(0, header.target.find('?'));
    if (!peer_.empty()) // the tokens may be read anew before the request has ended
        now_.token = token_ = from.name;
}

void request_account::note(const route& where)
{
    now_.is_change = where.method != "GET" && where.facts.flow == job_flow::none;
}

void request_account::tell(const gateway_options& options, const byte_stream& stream, const answer* what)
{
    constexpr std::size_t largest_result = 1024;
    if (!options.on_request)
        return;
    now_.peer = peer_;
    now_.bytes = stream.written() - written_before_;
    now_.duration = clock::now() - began_;
    if (what != nullptr) {
        now_.status = what->status;
        now_.reason = what->reason;
        if (now_.is_change && what->content_type == "application/json" && what->body.size() <= largest_result)
            now_.result = std::string_view{what->body}.substr(0, what->body.find('\n'));
    }
    try {
        options.on_request.get()(now_);
    } catch (...) { // as its comment says
    }
}

} // namespace coworker::detail
