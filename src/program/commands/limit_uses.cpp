// SPDX-License-Identifier: MIT
#include "program/commands/limit_uses.hpp"

#include "program/terminal/text_functions.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace coworker::program {

bool is_short_text(const std::string& text)
{
    constexpr std::size_t longest = 256;
    return text.size() <= longest && is_utf8(text);
}

limit_list read_limit_uses(const std::vector<std::string>& texts, const std::string& option)
{
    constexpr std::size_t most = 16;
    constexpr std::uint32_t most_units = 1'000'000;
    limit_list limits;
    for (const auto& text : texts) {
        const auto equals = text.rfind('=');
        const auto name = text.substr(0, equals);
        std::uint32_t units = 1;
        if (equals != text.npos) {
            const auto* const end = text.data() + text.size();
            const auto [rest, error] = std::from_chars(text.data() + equals + 1, end, units);
            if (error != std::errc{} || rest != end || units < 1 || units > most_units)
                throw unusable_value{option + " is NAME or NAME=UNITS, with 1 to 1000000 units"};
        }
        if (!is_short_text(name))
            throw unusable_value{"the name of a " + option + " is a text of at most 256 bytes"};
        if (!can_name_limit(name))
            throw unusable_value{
                "the name of a " + option +
                " is not empty, does not begin with 'order:', and has no '&' at an end and no '&&'"};
        if (std::any_of(limits.begin(), limits.end(),
                        [&](const auto& other) { return other.name() == name; }))
            throw unusable_value{option + " names '" + name + "' twice"};
        limits.push_back({name, units});
    }
    if (limits.size() > most)
        throw unusable_value{"a job is subject to 16 limits at most"};
    return limits;
}

} // namespace coworker::program
