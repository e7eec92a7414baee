// SPDX-License-Identifier: MIT
// What the forms and the mistakes include.
#include <coworker/list_queue.hpp>
#include <coworker/managed_queue.hpp>
#include <coworker/monitor.hpp>
#include <coworker/run_blocking.hpp>
#include <coworker/schedules.hpp>
#include <coworker/testing.hpp>
#include <coworker/worker.hpp>

#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe/class.hpp>

#include <array>
