// SPDX-License-Identifier: MIT
#include "program/queue_name.hpp"

#include "program/exit_code.hpp"
#include "json/queue_words.hpp"

namespace coworker::program {

std::string shown_name(const queue_ref& queue)
{
    return queue.name().empty() ? std::string{queue.is_managed() ? "managed:" : ""}
                                : detail::call_queue(queue);
}

queue_ref parse_queue_name(std::string_view text)
{
    auto queue = detail::queue_called(text);
    if (!queue)
        throw failure{exit_code::usage,
                      "a queue's name has 1 to 512 bytes: write NAME for a list queue, managed:NAME for a "
                      "managed one"};
    return std::move(*queue);
}

std::vector<queue_ref> parse_queue_names(const std::vector<std::string>& texts)
{
    std::vector<queue_ref> queues;
    for (const auto& text : texts)
        queues.push_back(parse_queue_name(text));
    return queues;
}

} // namespace coworker::program
