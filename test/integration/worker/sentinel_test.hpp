// SPDX-License-Identifier: MIT
#pragma once

#include "support/client_test.hpp"
#include "support/sentinel_servers.hpp"

namespace coworker::test {

/// A primary that Sentinels watch over, and clients that ask these where it is.
struct sentinel_test
{
    sentinel_servers servers;
    asio::io_context io{1};
    event_log events{io.get_executor()};

    explicit sentinel_test(cuttable_network* network = nullptr) : servers{network} {}

    client_options how_to_connect()
    {
        client_options how;
        for (const auto& place : servers.places())
            how.sentinels.push_back(place);
        how.sentinel_primary = "jobs";
        how.command_timeout = std::chrono::seconds{1};
        how.health_check_interval = std::chrono::milliseconds{200};
        how.reconnect_delay_maximum = std::chrono::milliseconds{100};
        how.on_event = events.observe();
        return how;
    }
};

} // namespace coworker::test
