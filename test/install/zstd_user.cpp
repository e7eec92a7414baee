// SPDX-License-Identifier: MIT
#include <coworker/zstd.hpp>

#include <string>

/// Compresses a job with the installed library.
int main()
{
    const coworker::payload_codecs codecs{coworker::zstd_codec()};
    const auto job = '"' + std::string(5000, 'a') + '"';
    const auto stored = codecs.encode(job, {"mail", "Letter"});
    return stored.size() < 200 && codecs.decode(stored, {"mail", "Letter"}) == job ? 0 : 1;
}
