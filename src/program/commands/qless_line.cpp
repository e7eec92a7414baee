#include "program/commands/qless_line.hpp"

#include "text/plain_text.hpp"

#include <coworker/codec.hpp>

#include <boost/json/value.hpp>
#include <boost/redis/resp3/type.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace coworker::program {
namespace {

namespace json = boost::json;
namespace resp3 = boost::redis::resp3;
using detail::reply_node;

enum class text_form
{
    plain,
    hexadecimal
};

/// Makes JSON of the value that begins `rest`, and takes it off.
json::value take_value(std::span<const reply_node>& rest, text_form form)
{
    if (rest.empty())
        detail::throw_unexpected_answer("fewer elements than expected");
    const auto& node = rest.front();
    rest = rest.subspan(1);
    if (resp3::is_aggregate(node.data_type)) {
        json::array elements;
        for (auto count = node.aggregate_size * resp3::element_multiplicity(node.data_type); count != 0;
             --count)
            elements.push_back(take_value(rest, form));
        return elements;
    }
    if (node.data_type == resp3::type::null)
        return nullptr;
    if (node.data_type == resp3::type::number)
        return detail::to_integer(node.value);
    return json::string{form == text_form::plain ? std::string{node.value} : detail::hexadecimal(node.value)};
}

/// Whether `text` is a number and nothing else.
bool is_number(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// The length of "user_script:12: " at the beginning of `text`; 0 if it does not begin so.
std::size_t script_position(std::string_view text)
{
    constexpr std::string_view name = "user_script:";
    const auto end = text.find(": ", name.size());
    if (!text.starts_with(name) || end == text.npos ||
        !is_number(text.substr(name.size(), end - name.size())))
        return 0;
    return end + 2;
}

/// Where " script: <hash>, on @user_script:12." begins at the end of `text`; its length if it does not.
std::size_t script_trailer(std::string_view text)
{
    constexpr std::string_view begin = " script: ", middle = ", on @user_script:";
    constexpr std::size_t hash_size = 40;
    const auto at = text.rfind(begin);
    if (at == text.npos || !text.ends_with('.'))
        return text.size();
    const auto rest = text.substr(at + begin.size());
    if (rest.size() <= hash_size || !rest.substr(hash_size).starts_with(middle))
        return text.size();
    const auto line = rest.substr(hash_size + middle.size());
    return is_number(line.substr(0, line.size() - 1)) ? at : text.size();
}

/// The commands of qless whose names have a dot, and the file names of which cannot.
constexpr std::array dotted = {std::string_view{"config."}, std::string_view{"recur."},
                               std::string_view{"worker."}, std::string_view{"queue."}};

/// How clients spell the command of a script.
std::string command_of(std::string_view script)
{
    std::string name{script};
    for (const auto space : dotted)
        if (name.size() > space.size() && name.starts_with(space.substr(0, space.size() - 1)) &&
            name[space.size() - 1] == '_')
            name[space.size() - 1] = '.';
    return name;
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

const detail::script* find_command(std::string_view name)
{
    constexpr std::string_view folder = "managed/";
    for (const auto& script : detail::embedded_scripts())
        if (script.name.starts_with(folder) && command_of(script.name.substr(folder.size())) == name)
            return &script;
    return nullptr;
}

std::string reply_line(const detail::reply& answers)
{
    const auto answer = answers.back();
    if (answer.is_error())
        return error_line(bare_error(answer.text()));
    std::span<const reply_node> rest{answer.first, answer.last};
    if (const auto line = detail::encode_value(json::object{{"ok", take_value(rest, text_form::plain)}}))
        return *line;
    rest = {answer.first, answer.last};
    return detail::encode_value(json::object{{"hex", take_value(rest, text_form::hexadecimal)}}).value();
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

std::string bare_error(std::string_view text)
{
    if (text.starts_with("ERR "))
        text.remove_prefix(4);
    text = text.substr(0, script_trailer(text));
    text.remove_prefix(script_position(text));
    return std::string{text};
}

} // namespace coworker::program
