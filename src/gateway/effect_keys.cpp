// SPDX-License-Identifier: MIT
#include "gateway/effect_keys.hpp"

#include "text/plain_text.hpp"
#include "json/refusal.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace coworker::detail {
namespace {

bool belongs_to_queues(std::string_view key, const gateway_options& options)
{
    return key.starts_with(options.managed_prefix.str()) || key.starts_with("hworker-");
}

/// Which of the permitted commands has several keys, `job_effects` knows; here it is enough that these two do.
bool names_keys_only(std::string_view command)
{
    return command == "DEL" || command == "UNLINK";
}

} // namespace

void check_effect_keys(const text_list& command, const gateway_options& options)
{
    if (options.effect_keys.empty())
        throw refusal{403,
                      "this gateway carries out no Redis commands; whoever runs it has to say which keys "
                      "these may write to ('--effect-keys'). Jobs are carried out"};
    const auto count = names_keys_only(command[0]) ? command.size() : std::size_t{2};
    for (std::size_t i = 1; i != count; ++i) {
        const auto& key = command[i];
        const auto covers = [&](const std::string& beginning) { return key.starts_with(beginning); };
        if (std::none_of(options.effect_keys.begin(), options.effect_keys.end(), covers) ||
            belongs_to_queues(key, options))
            throw refusal{403, in_quotes(key) +
                                   " is none of the keys to which commands may write through this gateway"};
    }
}

} // namespace coworker::detail
