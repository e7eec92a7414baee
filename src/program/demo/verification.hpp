#pragma once

#include "program/demo/tally.hpp"

#include <boost/asio/awaitable.hpp>

#include <ctime>
#include <string>
#include <vector>

namespace coworker::demo {

namespace asio = boost::asio;

/// Results compared with what the program `sha256sum` says.
struct verification
{
    std::size_t checked = 0;
    std::size_t changed = 0;        ///< left out: the file has changed since the demo began
    std::vector<std::string> wrong; ///< what did not agree
};

/// Compares a sample: files whose job ran twice first, then some at random.
/// @throws std::system_error  sha256sum cannot be started.
asio::awaitable<verification> verify_sample(const std::vector<std::string>& paths, const tally& results,
                                            std::time_t demo_began);

/// Whether a file has changed, or gone, since a time.
bool has_changed(const std::string& path, std::time_t since);

} // namespace coworker::demo
