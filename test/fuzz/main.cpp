// SPDX-License-Identifier: MIT

// Feeds a target with random requests for some time, or with the bytes of files:
//
//   http-fuzz texts|gateway SECONDS [SEED]
//   http-fuzz texts|gateway FILE...
//
// Bytes that something is wrong with are left in the file fuzz-found.
#include "fuzz/fuzz_target.hpp"
#include "fuzz/request_source.hpp"

#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>

using namespace coworker::test;

namespace {

std::string present; ///< what the target is being fed with

/// For crashes: what led to it is worth more than anything.
void save_present()
{
    if (auto* const file = std::fopen("fuzz-found", "wb")) {
        std::fwrite(present.data(), 1, present.size(), file);
        std::fclose(file);
    }
}

void save_and_abort(int signal)
{
    save_present();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// @return whether nothing is wrong
bool feed(fuzz_target& target, std::string bytes)
{
    present = std::move(bytes);
    const auto wrong = target.feed(present);
    if (wrong.empty())
        return true;
    save_present();
    std::cerr << "http-fuzz: " << wrong << "\nhttp-fuzz: what it was fed with is in fuzz-found\n";
    return false;
}

bool feed_for(fuzz_target& target, bool is_text, std::chrono::seconds time, std::uint64_t seed)
{
    request_source source{seed};
    std::uint64_t count = 0;
    for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;
         ++count) {
        auto bytes = !is_text         ? source.next()
                     : count % 3 == 0 ? source.target()
                     : count % 3 == 1 ? source.body()
                                      : source.mangled(source.body());
        if (!feed(target, std::move(bytes)))
            return false;
    }
    std::cout << "http-fuzz: " << (is_text ? "texts" : "gateway") << ", seed " << seed << ": " << count
              << " inputs, nothing found\n";
    return true;
}

bool feed_files(fuzz_target& target, int count, char** names)
{
    bool is_good = true;
    for (int i = 0; i != count; ++i) {
        std::ifstream file{names[i], std::ios::binary};
        is_good = feed(target, {std::istreambuf_iterator<char>{file}, {}}) && is_good;
    }
    return is_good;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string_view what = argc > 2 ? argv[1] : "";
    if (what != "texts" && what != "gateway") {
        std::cerr
            << "usage: http-fuzz texts|gateway SECONDS [SEED]\n       http-fuzz texts|gateway FILE...\n";
        return 2;
    }
    for (const int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL})
        std::signal(signal, save_and_abort);
    const auto target = what == "texts" ? make_text_target() : make_gateway_target();
    const std::string_view number = argv[2];
    long seconds = 0;
    const auto [end, ec] = std::from_chars(number.data(), number.data() + number.size(), seconds);
    const bool is_time = ec == std::errc{} && end == number.data() + number.size();
    const std::uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : std::random_device{}();
    const bool is_good = is_time ? feed_for(*target, what == "texts", std::chrono::seconds{seconds}, seed)
                                 : feed_files(*target, argc - 2, argv + 2);
    return is_good ? 0 : 1;
}
