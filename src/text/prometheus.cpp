// SPDX-License-Identifier: MIT
#include "text/prometheus.hpp"

#include "text/utf8.hpp"

#include <charconv>

namespace coworker::detail {
namespace {

std::string escaped(std::string_view text, bool quotes)
{
    std::string result;
    for (const char c : make_utf8(text)) {
        if (c == '\0') { // Prometheus would read nothing of the whole page
            result += "\xEF\xBF\xBD";
            continue;
        }
        if (c == '\n') {
            result += "\\n";
            continue;
        }
        if (c == '\\' || (quotes && c == '"'))
            result += '\\';
        result += c;
    }
    return result;
}

} // namespace

bool is_label_value(std::string_view text) noexcept
{
    return is_utf8(text) && text.find('\0') == text.npos;
}

void prometheus_text::begin(std::string_view name, std::string_view type, std::string_view help)
{
    name_ = name;
    text_ += "# HELP " + name_ + ' ' + escaped(help, false) + '\n';
    text_ += "# TYPE " + name_ + ' ' + std::string{type} + '\n';
}

void prometheus_text::add(labels names, double value, std::string_view suffix)
{
    text_ += name_;
    text_ += suffix;
    char separator = '{';
    for (const auto& [name, text] : names) {
        text_ += separator + std::string{name} + "=\"" + escaped(text, true) + '"';
        separator = ',';
    }
    if (separator == ',')
        text_ += '}';
    char number[32];
    const auto [end, ec] = std::to_chars(number, number + sizeof number, value);
    text_ += ' ' + std::string{number, end} + '\n';
}

} // namespace coworker::detail
