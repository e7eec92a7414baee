// SPDX-License-Identifier: MIT
#include "program/queue_name.hpp"

#include "program/exit_code.hpp"

namespace coworker::program {
namespace {

constexpr std::string_view managed_prefix = "managed:", list_prefix = "list:";
constexpr std::size_t longest_name = 512;

} // namespace

std::string shown_name(const queue_ref& queue)
{
    const auto& name = queue.name();
    if (queue.is_managed())
        return std::string{managed_prefix} + name;
    const bool ambiguous = name.starts_with(managed_prefix) || name.starts_with(list_prefix);
    return ambiguous ? std::string{list_prefix} + name : name;
}

queue_ref parse_queue_name(std::string_view text)
{
    const bool is_managed = text.starts_with(managed_prefix);
    if (is_managed)
        text.remove_prefix(managed_prefix.size());
    else if (text.starts_with(list_prefix))
        text.remove_prefix(list_prefix.size());
    if (text.empty() || text.size() > longest_name)
        throw failure{exit_code::usage,
                      "a queue's name has 1 to 512 bytes: write NAME for a list queue, managed:NAME for a "
                      "managed one"};
    return {is_managed ? queue_kind::managed : queue_kind::list, std::string{text}};
}

std::vector<queue_ref> parse_queue_names(const std::vector<std::string>& texts)
{
    std::vector<queue_ref> queues;
    for (const auto& text : texts)
        queues.push_back(parse_queue_name(text));
    return queues;
}

} // namespace coworker::program
