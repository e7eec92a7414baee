// SPDX-License-Identifier: MIT
#include "redis/connection_names.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>

namespace coworker::detail {

std::set<std::string> connection_names(std::string_view client_list)
{
    std::set<std::string> names;
    constexpr std::string_view field = " name=";
    for (auto at = client_list.find(field); at != client_list.npos; at = client_list.find(field, at)) {
        at += field.size();
        const auto end = std::min(client_list.find_first_of(" \n", at), client_list.size());
        if (end != at)
            names.emplace(client_list.substr(at, end - at));
    }
    return names;
}

asio::awaitable<std::optional<std::set<std::string>>> connected_names(connection& redis)
{
    survey nodes{redis};
    co_return co_await connected_names(nodes);
}

asio::awaitable<std::optional<std::set<std::string>>> connected_names(survey& nodes)
{
    boost::redis::request list;
    list.push("CLIENT", "LIST");
    const auto answers = co_await nodes.exec_on_each(list);
    std::optional<std::set<std::string>> names;
    for (const auto& answer : answers)
        if (!answer[0].is_error()) {
            auto some = connection_names(answer[0].text());
            if (!some.contains(nodes.redis().name()))
                co_return std::nullopt;
            if (names)
                names->merge(some);
            else
                names = std::move(some);
        }
    co_return names;
}

} // namespace coworker::detail
