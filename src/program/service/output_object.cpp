// SPDX-License-Identifier: MIT
#include "program/service/output_object.hpp"

#include "program/terminal/json_line.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"

#include <chrono>

namespace coworker::program {

std::string output_object(std::string_view about, std::string_view level, std::string_view text)
{
    const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
    json_line line;
    line.text("time", format_time(now)).text("level", level).text("event", "output");
    auto whole = line.str();
    whole.pop_back();
    whole += ',';
    whole += about.substr(1, about.size() - 2);
    whole += ',';
    const auto message = json_line{}.text("message", is_utf8(text) ? std::string{text} : escaped(text)).str();
    return whole += std::string_view{message}.substr(1);
}

} // namespace coworker::program
