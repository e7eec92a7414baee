// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/payload_codec.hpp"

#include <cstddef>
#include <memory>

/// @file
/// Compression of jobs. Link the target `coworker::zstd`.
namespace coworker {

/// How jobs are compressed.
struct zstd_options
{
    /// Jobs of fewer bytes of JSON stay as they are. So does a job that would not get smaller.
    std::size_t smallest = 1024;

    /// The largest job that is made of a compressed one, in bytes: a small text in Redis may stand for a very large
    /// one. A job that would be larger is broken. A push of a larger one is refused with `errc::job_too_large`. Zero:
    /// no limit.
    std::size_t largest = 64 * 1024 * 1024;

    /// The compression level: 1 to 19, or less than zero for faster and larger. Zero: zstd's default, which is 3.
    int level = 3;
};

/// Compresses jobs with Zstandard. An encoded job is `{"coworker:zstd:1":"BASE64"}`; see docs/payload-codecs.md.
///
/// @par Cost  Some 100 MB of JSON per second and core to compress, and some 300 MB to decompress: 0.07 and 0.02 ms for
///   10 KB. Each thread that encodes or decodes keeps about 1 MB of memory.
/// @throws system_error  `errc::invalid_option` for a level that there is not
std::shared_ptr<const payload_codec> zstd_codec(zstd_options options = {});

} // namespace coworker
