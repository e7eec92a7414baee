// SPDX-License-Identifier: MIT
#include "coworker/managed_client.hpp"
#include "managed/checks.hpp"
#include "managed/managed_call.hpp"
#include "managed/read_look.hpp"
#include "text/numbers.hpp"

#include <cmath>

/// Settings.
namespace coworker {

using namespace detail;

namespace {

/// Locks that end at once would let each job fail without having run.
void check_heartbeat(std::string_view option, std::string_view value)
{
    if (!option.ends_with("heartbeat"))
        return;
    const auto seconds = to_number<double>(value);
    if (!seconds || !std::isfinite(*seconds) || *seconds <= 0)
        throw explained_error{errc::invalid_option,
                              "a heartbeat is a number greater than zero, not '" + std::string{value} + "'"};
}

} // namespace

asio::awaitable<std::map<std::string, std::string>> managed_client::config() const
{
    return tell(
        *redis_, managed_call{options_.prefix, "config_get"},
        +[](const reply::answer& answer) { return read_config(answer.text()); });
}

asio::awaitable<void> managed_client::set_config(std::string_view option, std::string_view value) const
{
    check_name(option, "the option");
    check_utf8(value, "the value");
    check_heartbeat(option, value);
    managed_call call{options_.prefix, "config_set"};
    call.add(option).add(value);
    return tell(*redis_, std::move(call));
}

asio::awaitable<void> managed_client::unset_config(std::string_view option) const
{
    check_name(option, "the option");
    managed_call call{options_.prefix, "config_unset"};
    call.add(option);
    return tell(*redis_, std::move(call));
}

} // namespace coworker
