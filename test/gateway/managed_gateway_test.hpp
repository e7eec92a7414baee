// SPDX-License-Identifier: MIT
#pragma once

#include "gateway_test.hpp"

#include "support/qless_client.hpp"

namespace coworker::test {

/// A gateway, and a qless client beside it.
struct managed_gateway_test : gateway_test, qless_client
{
    /// @param command_timeout  how long requests wait for Redis
    explicit managed_gateway_test(std::chrono::milliseconds command_timeout = 10s)
        : gateway_test{{}, command_timeout}, qless_client{store()}
    {}

    /// Puts jobs into the queue "mail", and lets the worker "w-1" take them.
    template<class... Jids>
    void put_and_pop(const Jids&... jids)
    {
        (put(jids, "Letter"), ...);
        qless("pop", "mail", "w-1", std::to_string(sizeof...(jids)));
    }

    /// The same, and lets them fail in that order.
    template<class... Jids>
    void let_fail(const std::string& group, const Jids&... jids)
    {
        put_and_pop(jids...);
        (qless("fail", jids, "w-1", group, "no luck", "{}"), ...);
    }

    /// "a7" of "a" and 7.
    static std::string numbered(std::string name, int number) { return name += std::to_string(number); }
};

} // namespace coworker::test
