// SPDX-License-Identifier: MIT

// What libFuzzer calls: coworker-fuzz TARGET [FOLDER...] [libFuzzer's options]
#include "fuzz/fuzz.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

const coworker::fuzz::target* chosen = nullptr;

} // namespace

/// libFuzzer starts this program again for some of its options, with the arguments that are left: they find the name in the
/// environment.
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments)
{
    constexpr auto variable = "COWORKER_FUZZ_TARGET";
    if (const auto* const known = std::getenv(variable)) {
        chosen = coworker::fuzz::find_target(known);
    } else if (*count > 1) {
        chosen = coworker::fuzz::find_target((*arguments)[1]);
        ::setenv(variable, (*arguments)[1], 0);
        (*arguments)[1] = (*arguments)[0];
        ++*arguments;
        --*count;
    }
    if (chosen)
        return 0;
    std::fprintf(stderr,
                 "usage: coworker-fuzz TARGET [FOLDER|FILE...] [-OPTION=VALUE...]; the targets are\n");
    for (const auto& each : coworker::fuzz::targets())
        std::fprintf(stderr, "  %.*s\n", static_cast<int>(each.name.size()), each.name.data());
    std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    chosen->feed({reinterpret_cast<const char*>(bytes), size});
    return 0;
}
