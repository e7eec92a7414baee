// SPDX-License-Identifier: MIT
#include "redis/script_arguments.hpp"

#include "redis/script.hpp"

#include <boost/redis/request.hpp>

namespace coworker::detail {

void push_call(boost::redis::request& request, const script& what, const script_arguments& arguments)
{
    const auto words = arguments.words();
    std::size_t bytes = 128;
    for (const auto& word : words)
        bytes += word.size() + 16;
    request.reserve(request.payload().size() + bytes);
    const std::string key_count = std::to_string(arguments.key_count());
    std::vector<std::string_view> all;
    all.reserve(words.size() + 2);
    all.push_back(what.sha);
    all.push_back(key_count);
    all.insert(all.end(), words.begin(), words.end());
    request.push_range("EVALSHA", all);
}

void push_load(boost::redis::request& request, const script& what)
{
    request.push("SCRIPT", "LOAD", what.text());
}

boost::redis::request with_script(const script& what, const boost::redis::request& calls)
{
    boost::redis::request both;
    push_load(both, what);
    both.append(calls);
    return both;
}

} // namespace coworker::detail
