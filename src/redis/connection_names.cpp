#include "redis/connection_names.hpp"

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

} // namespace coworker::detail
