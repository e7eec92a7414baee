#pragma once

#include <set>
#include <string>
#include <string_view>

namespace coworker::detail {

/// The names in a reply to CLIENT LIST.
std::set<std::string> connection_names(std::string_view client_list);

} // namespace coworker::detail
