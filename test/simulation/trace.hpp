// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/world.hpp"

#include <cstdint>
#include <cstdio>
#include <string_view>

namespace coworker::test {

/// What happened, in its order and with its times, as a number: two runs of a seed have to agree in it. Prints it as
/// well, if asked to.
class trace
{
public:
    /// The time that lines are printed relative to.
    nanoseconds zero = 0;
    bool prints_events = false, prints_wire = false;

    void event(nanoseconds now, std::string_view who, std::string_view what)
    {
        add(now);
        add(who);
        add(what);
        if (prints_events)
            print(now, who, what);
    }
    void bytes(nanoseconds now, int link, bool to_redis, std::string_view text)
    {
        add(now);
        add(link * 2 + (to_redis ? 1 : 0));
        add(text.substr(
            0, text.find("# Memory"))); // of INFO: threads of the server's give memory back when they like
        if (prints_wire)
            print_bytes(now, link, to_redis, text);
    }
    std::uint64_t hash() const noexcept { return hash_; }

private:
    void add(std::string_view text)
    {
        for (const char c : text)
            hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
    void add(std::int64_t number) { add({reinterpret_cast<const char*>(&number), sizeof number}); }

    double seconds(nanoseconds now) const { return static_cast<double>(now - zero) / second; }
    void print(nanoseconds now, std::string_view who, std::string_view what) const
    {
        std::printf("%14.6f %-10.*s %.*s\n", seconds(now), static_cast<int>(who.size()), who.data(),
                    static_cast<int>(what.size()), what.data());
    }
    void print_bytes(nanoseconds now, int link, bool to_redis, std::string_view text) const
    {
        std::printf("%14.6f wire %d %s %zu ", seconds(now), link, to_redis ? "->" : "<-", text.size());
        for (const char c : text)
            std::putchar(c == '\n' ? '|' : static_cast<unsigned char>(c) < ' ' ? ' ' : c);
        std::putchar('\n');
    }

    std::uint64_t hash_ = 0xcbf29ce484222325;
};

} // namespace coworker::test
