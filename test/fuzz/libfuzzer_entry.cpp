// SPDX-License-Identifier: MIT

// What libFuzzer calls; COWORKER_FUZZ_TARGET says which target is meant.
#include "fuzz/fuzz_target.hpp"
#include "fuzz/request_source.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

using namespace coworker::test;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const auto target = COWORKER_FUZZ_TARGET();
    const auto wrong = target->feed({reinterpret_cast<const char*>(bytes), size});
    if (!wrong.empty()) {
        std::fprintf(stderr, "%s\n", wrong.c_str());
        std::abort();
    }
    return 0;
}

/// Now and then a request as clients send it, from which libFuzzer goes on.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size, std::size_t most,
                                               unsigned seed)
{
    if (seed % 16 != 0)
        return LLVMFuzzerMutate(bytes, size, most);
    request_source source{seed};
    const auto fresh = seed % 64 == 0 ? source.body() : source.next();
    const auto fits = std::min(fresh.size(), most);
    std::copy_n(fresh.begin(), fits, bytes);
    return fits;
}
