// SPDX-License-Identifier: MIT
#pragma once

// What fragments of the documentation may use without saying where it comes from.
#include <coworker/coworker.hpp>
#include <coworker/gateway.hpp>
#include <coworker/mysql.hpp>
#include <coworker/postgresql.hpp>
#include <coworker/sodium.hpp>
#include <coworker/zstd.hpp>

#include <boost/asio/cancel_after.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe/class.hpp>

#include <chrono>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct email
{
    std::string to, subject;
};
BOOST_DESCRIBE_STRUCT(email, (), (to, subject))

void report(coworker::error_code failed, const std::string& id);
void report(std::exception_ptr error);

#define FRAGMENT_MAY_USE                                                                                     \
    asio::io_context &io, coworker::client &redis, coworker::list_queue<email>&emails,                       \
        coworker::worker &worker, const email &letter, const std::vector<email>&letters
