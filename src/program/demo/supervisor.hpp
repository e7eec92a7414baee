#pragma once

#include <boost/asio/awaitable.hpp>

#include <string>

namespace coworker::demo {

namespace asio = boost::asio;

struct demo_settings
{
    std::string folder;
    std::string redis_url; ///< empty: a private server
};

/// The demo: queues a job per file, lets two worker processes hash them, kills one halfway and reports.
/// Leaves nothing behind, also when cancelled.
///
/// Returns whether all was as it should be.
asio::awaitable<bool> run_demo(demo_settings settings);

} // namespace coworker::demo
