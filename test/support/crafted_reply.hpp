// SPDX-License-Identifier: MIT
#pragma once

#include "redis/reply.hpp"

#include <boost/redis/adapter/any_adapter.hpp>
#include <boost/redis/resp3/parser.hpp>

#include <stdexcept>
#include <string_view>

namespace coworker::test {

/// A reply as it stands after these bytes have been received (RESP3): one answer after the other.
inline detail::reply crafted_reply(std::string_view bytes)
{
    detail::reply answers;
    boost::redis::any_adapter adapter{answers.tree};
    while (!bytes.empty()) {
        boost::redis::resp3::parser parser;
        boost::system::error_code ec;
        if (!boost::redis::resp3::parse(parser, bytes, adapter, ec) || ec)
            throw std::invalid_argument{"not RESP3"};
        bytes.remove_prefix(parser.get_consumed());
    }
    return answers;
}

} // namespace coworker::test
