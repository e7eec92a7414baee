// SPDX-License-Identifier: MIT
#include "json/queue_words.hpp"

namespace coworker::detail {
namespace {

constexpr std::string_view managed_prefix = "managed:", list_prefix = "list:";

} // namespace

std::optional<queue_ref> queue_called(std::string_view text)
{
    const bool is_managed = text.starts_with(managed_prefix);
    if (is_managed)
        text.remove_prefix(managed_prefix.size());
    else if (text.starts_with(list_prefix))
        text.remove_prefix(list_prefix.size());
    if (text.empty() || text.size() > longest_queue_name)
        return std::nullopt;
    return queue_ref{is_managed ? queue_kind::managed : queue_kind::list, std::string{text}};
}

std::string call_queue(const queue_ref& queue)
{
    const auto& name = queue.name();
    if (queue.is_managed())
        return call_managed_queue(name);
    const bool is_ambiguous = name.starts_with(managed_prefix) || name.starts_with(list_prefix);
    return is_ambiguous ? std::string{list_prefix} + name : name;
}

std::string call_managed_queue(std::string_view name)
{
    return name.empty() ? std::string{} : std::string{managed_prefix}.append(name);
}

std::string complaint_of_missing(const queue_ref& queue)
{
    return "there is no queue '" + call_queue(queue) + "', or it is empty and nobody has ever worked on it";
}

} // namespace coworker::detail
