// SPDX-License-Identifier: MIT
#include "program/listen_place.hpp"

#include "program/exit_code.hpp"
#include "program/terminal/text_functions.hpp"

#include <charconv>

namespace coworker::program {

listen_place read_listen_place(const std::string& option, const std::string& text)
{
    listen_place place;
    const auto colon = text.rfind(':');
    const auto host = text.substr(0, colon);
    const auto digits = colon == text.npos ? std::string{} : text.substr(colon + 1);
    const auto* end = digits.data() + digits.size();
    const auto [read, ec] = std::from_chars(digits.data(), end, place.port);
    const bool has_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
    if (digits.empty() || ec != std::errc{} || read != end || host.empty() ||
        (host.find(':') != host.npos && !has_brackets))
        refuse(option + " '" + escaped(text) +
               "' is not HOST:PORT, such as 127.0.0.1:8080, 0.0.0.0:8080, [::1]:8080 or localhost:0 (any "
               "free port)");
    if (host != "localhost")
        place.address = has_brackets ? host.substr(1, host.size() - 2) : host;
    return place;
}

std::string to_string(const listen_place& place)
{
    const bool is_six = place.address.find(':') != std::string::npos;
    return (is_six ? '[' + place.address + ']' : place.address) + ':' + std::to_string(place.port);
}

} // namespace coworker::program
