// SPDX-License-Identifier: MIT
#pragma once

#include "support/client_test.hpp"
#include "support/qless_client.hpp"

#include "coworker/managed_queue.hpp"

namespace coworker::test {

/// A server with a client and a managed queue, seen from outside as well.
struct managed_worker_test : client_test, qless_client
{
    managed_queue mail{redis, "mail"};

    managed_worker_test() : qless_client{server} {}
};

} // namespace coworker::test
