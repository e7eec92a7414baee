// SPDX-License-Identifier: MIT
#pragma once

/// Names of Boost.Redis, for headers that only mention them. `boost/redis/connection.hpp` takes 1.8 s to compile, so
/// that no header includes it.
namespace boost::redis {

class any_adapter;
class connection;
class request;
struct address;
struct config;

} // namespace boost::redis
