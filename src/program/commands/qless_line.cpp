// SPDX-License-Identifier: MIT
#include "program/commands/qless_line.hpp"

#include "text/plain_text.hpp"

#include <coworker/codec.hpp>

#include <boost/json/value.hpp>

namespace coworker::program {
namespace {

namespace json = boost::json;

enum class text_form
{
    plain,
    hexadecimal
};

json::value to_json(const qless_reply& reply, text_form form)
{
    using type = qless_reply::type;
    if (reply.kind == type::nil)
        return nullptr;
    if (reply.kind == type::number)
        return reply.number;
    if (reply.kind != type::list)
        return json::string{form == text_form::plain ? reply.text : detail::hexadecimal(reply.text)};
    json::array elements;
    for (const auto& element : reply.list)
        elements.push_back(to_json(element, form));
    return elements;
}

} // namespace

request_line parse_request(std::string_view line)
{
    const detail::parsed_json parsed{line};
    if (parsed.error())
        return {{}, "The line is not JSON: " + parsed.error().message()};
    const auto* request = parsed.value().if_object();
    const auto* args = request ? request->if_contains("args") : nullptr;
    if (!args || !args->is_array())
        return {{}, "The line is not an object with a list \"args\""};
    request_line result;
    for (const auto& argument : args->get_array()) {
        if (argument.is_string())
            result.words.emplace_back(argument.get_string());
        else if (argument.is_int64())
            result.words.push_back(std::to_string(argument.get_int64()));
        else if (argument.is_uint64())
            result.words.push_back(std::to_string(argument.get_uint64()));
        else
            return {{}, "The args must be texts or whole numbers"};
    }
    return result;
}

std::string reply_line(const qless_reply& reply)
{
    if (reply.kind == qless_reply::type::error)
        return error_line(reply.text);
    if (const auto line = detail::encode_value(json::object{{"ok", to_json(reply, text_form::plain)}}))
        return *line;
    return detail::encode_value(json::object{{"hex", to_json(reply, text_form::hexadecimal)}}).value();
}

std::string error_line(std::string_view text)
{
    if (const auto line = detail::encode_value(json::object{{"err", text}}))
        return *line;
    std::string shown;
    for (const char letter : text)
        shown += static_cast<unsigned char>(letter) < 0x80 ? std::string{letter}
                                                           : "\\x" + detail::hexadecimal({&letter, 1});
    return detail::encode_value(json::object{{"err", shown}}).value();
}

} // namespace coworker::program
