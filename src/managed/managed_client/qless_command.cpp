// SPDX-License-Identifier: MIT
#include "managed/managed_client/qless_command.hpp"

#include "coworker/managed_client.hpp"
#include "managed/managed_call.hpp"

#include <boost/redis/resp3/type.hpp>

#include <array>
#include <span>

namespace coworker::detail {

namespace resp3 = boost::redis::resp3;

namespace {

/// The commands of qless whose names have a dot, which the names of files have not.
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

qless_reply make_error(std::string text)
{
    qless_reply refused;
    refused.kind = qless_reply::type::error;
    refused.text = std::move(text);
    return refused;
}

/// Reads the value that begins `rest`, and takes it off.
qless_reply take_value(std::span<const reply_node>& rest)
{
    if (rest.empty())
        throw_unexpected_answer("fewer elements than expected");
    const auto& node = rest.front();
    rest = rest.subspan(1);
    qless_reply value;
    if (resp3::is_aggregate(node.data_type)) {
        value.kind = qless_reply::type::list;
        for (auto count = node.aggregate_size * resp3::element_multiplicity(node.data_type); count != 0;
             --count)
            value.list.push_back(take_value(rest));
    } else if (node.data_type == resp3::type::number) {
        value.kind = qless_reply::type::number;
        value.number = to_integer(node.value);
    } else if (node.data_type != resp3::type::null) {
        value.kind = qless_reply::type::text;
        value.text = node.value;
    }
    return value;
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

/// Does what is due because of jobs that have ended and for which others waited.
asio::awaitable<void> settle_parents(kept_connection redis, std::string prefix)
{
    for (bool more = true; more;) {
        script_arguments words{prefix};
        words.add("server");
        const reply answers = co_await redis->try_call(find_script("managed/recover"), words);
        more = !answers.back().is_error() && answers.back().integer(2) != 0;
    }
}

asio::awaitable<qless_reply> call_as_named(kept_connection redis, std::string prefix, std::string command,
                                           text_list arguments)
{
    const auto* script = find_command(command);
    if (!script)
        co_return make_error("Unknown command " + command);
    script_arguments words{prefix};
    for (const auto& each : arguments)
        words.add(each);
    const reply answers = co_await redis->try_call(*script, words);
    auto result = read_qless_reply(answers.back());
    // Of very many jobs that waited for one that is complete now, it has freed some. Nobody else may be there to go on.
    if (command.starts_with("complete") && result.kind != qless_reply::type::error)
        co_await settle_parents(redis, std::move(prefix));
    co_return result;
}

} // namespace

const script* find_command(std::string_view name)
{
    constexpr std::string_view folder = "managed/";
    for (const auto& script : embedded_scripts())
        if (script.name.starts_with(folder) && command_of(script.name.substr(folder.size())) == name)
            return &script;
    return nullptr;
}

qless_reply read_qless_reply(const reply::answer& answer)
{
    if (answer.is_error())
        return make_error(bare_error(answer.text()));
    std::span<const reply_node> nodes{answer.first, answer.last};
    return take_value(nodes);
}

std::string bare_error(std::string_view text)
{
    if (text.starts_with("ERR "))
        text.remove_prefix(4);
    text = text.substr(0, script_trailer(text));
    text.remove_prefix(script_position(text));
    return std::string{text};
}

} // namespace coworker::detail

namespace coworker {

asio::awaitable<qless_reply> managed_client::call(std::string_view command, text_list arguments) const
{
    return detail::call_as_named(*redis_, options_.prefix, std::string{command}, std::move(arguments));
}

} // namespace coworker
