// SPDX-License-Identifier: MIT
#include "redis/key_types.hpp"

#include <boost/redis/request.hpp>

namespace coworker::detail {

asio::awaitable<void> check_key_types(connection& redis, expected_types expected)
{
    boost::redis::request types;
    for (const auto& [key, type] : expected)
        types.push("TYPE", key);
    reply answers;
    co_await redis.exec(types, answers, patience::unlimited);
    answers.throw_if_error();
    for (std::size_t i = 0; i != expected.size(); ++i)
        if (const auto type = answers[i].text(); type != "none" && type != expected[i].second)
            throw explained_error{errc::wrong_key_type, "key '" + expected[i].first + "' is a " +
                                                            std::string{type} + ", not a " +
                                                            std::string{expected[i].second} +
                                                            "; choose another queue name, or remove the key"};
}

} // namespace coworker::detail
