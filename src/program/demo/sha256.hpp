#pragma once

#include <boost/system/result.hpp>

#include <cstdint>
#include <string>

namespace coworker::demo {

struct file_hash
{
    std::string digest; ///< hexadecimal
    std::uint64_t bytes;
};

/// Reads a regular file and computes its SHA-256. Blocks meanwhile. Anything but a regular file is an error,
/// also if it was one a moment ago.
boost::system::result<file_hash> hash_file(const std::string& path);

} // namespace coworker::demo
