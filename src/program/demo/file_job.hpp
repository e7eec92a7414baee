#pragma once

#include "exec/path_text.hpp"

#include <boost/describe/class.hpp>

#include <cstdint>
#include <string>

/// What travels through Redis in the demo.
namespace coworker::demo {

/// A file to be hashed.
struct file_job
{
    std::uint64_t file; ///< its number
    std::string path;   ///< as `cli::encode_path` has it
};
BOOST_DESCRIBE_STRUCT(file_job, (), (file, path))

/// A file that was hashed.
struct file_result
{
    std::uint64_t file;
    std::string digest; ///< SHA-256, hexadecimal
    std::uint64_t bytes;
    unsigned worker;      ///< which one did it
    unsigned attempt;     ///< its how-many-eth run that was
    std::int64_t started; ///< when, as `microseconds_now` tells
};
BOOST_DESCRIBE_STRUCT(file_result, (), (file, digest, bytes, worker, attempt, started))

using cli::decode_path;
using cli::encode_path;

/// A clock that all processes of this machine share.
std::int64_t microseconds_now();

} // namespace coworker::demo
