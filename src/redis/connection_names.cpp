// SPDX-License-Identifier: MIT
#include "redis/connection_names.hpp"

#include <boost/redis/request.hpp>

namespace coworker::detail {

std::set<std::string> connection_names(std::string_view client_list)
{
    std::set<std::string> names;
    constexpr std::string_view field = " name=";
    for (auto at = client_list.find(field); at != client_list.npos; at = client_list.find(field, at)) {
        at += field.size();
        const auto end = client_list.find(' ', at);
        if (end != at)
            names.emplace(client_list.substr(at, end - at));
    }
    return names;
}

asio::awaitable<std::optional<std::set<std::string>>> connected_names(connection& redis)
{
    boost::redis::request list;
    list.push("CLIENT", "LIST");
    reply answers;
    co_await redis.exec(list, answers);
    std::optional<std::set<std::string>> names;
    if (!answers[0].is_error())
        names = connection_names(answers[0].text());
    co_return names;
}

} // namespace coworker::detail
