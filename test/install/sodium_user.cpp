// SPDX-License-Identifier: MIT
#include <coworker/sodium.hpp>

#include <string>

/// Encrypts a job with the installed library.
int main()
{
    const coworker::key_ring keys{"k:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="};
    const coworker::payload_codecs codecs{coworker::sodium_codec(keys)};
    const std::string job = "[1]";
    const auto stored = codecs.encode(job, {"mail", "Letter"});
    return stored != job && codecs.decode(stored, {"mail", "Letter"}) == job ? 0 : 1;
}
