// SPDX-License-Identifier: MIT
#include "perform.hpp"

#ifdef BENCH_WITH_GATEWAY
#include "coworker/gateway.hpp"
#endif

#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <stdexcept>

namespace bench {

#ifdef BENCH_WITH_GATEWAY

asio::awaitable<measured> serve(coworker::client& redis, const announce& ready)
{
    coworker::gateway_options options;
    options.port = 0;
    coworker::gateway gateway{redis, options};
    gateway.listen();
    asio::signal_set signals{co_await asio::this_coro::executor, SIGTERM};
    signals.async_wait([&](boost::system::error_code, int) { gateway.stop(); });
    ready(std::to_string(gateway.port()));
    const meter counting;
    co_await gateway.async_run();
    co_return counting.stop();
}

#else

asio::awaitable<measured> serve(coworker::client&, const announce&)
{
    throw std::runtime_error{"coworker was built without its gateway (COWORKER_BUILD_GATEWAY)"};
    co_return measured{};
}

#endif

} // namespace bench
