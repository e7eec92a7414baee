// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster_view.hpp"

#include <charconv>
#include <tuple>
#include <utility>

namespace coworker::detail {
namespace {

/// The value of a line such as `name:value`; empty if there is none.
std::string_view line_of(std::string_view info, std::string_view name)
{
    while (!info.empty()) {
        const auto end = info.find_first_of("\r\n");
        const auto line = info.substr(0, end);
        if (line.starts_with(name) && line.substr(name.size()).starts_with(':'))
            return line.substr(name.size() + 1);
        info.remove_prefix(end == info.npos ? info.size() : end + 1);
    }
    return {};
}

} // namespace

void read_info(std::string_view info, cluster_view& to)
{
    constexpr std::string_view kind_of_text = "txt:"; // which RESP3 says first
    if (info.starts_with(kind_of_text))
        info.remove_prefix(kind_of_text.size());
    to.is_well = line_of(info, "cluster_state") != "fail";
    const auto epoch = line_of(info, "cluster_current_epoch");
    std::from_chars(epoch.data(), epoch.data() + epoch.size(), to.epoch);
}

void view_choice::offer(cluster_view view)
{
    // A replica that misses the others counts epochs of its own, in vain elections.
    const auto rank = [](const cluster_view& each) { return std::tuple{each.is_well, each.epoch}; };
    if (!best_ || rank(*best_) < rank(view))
        best_ = std::move(view);
}

bool view_choice::is_certain() const noexcept
{
    return best_ && best_->is_well && (best_->epoch == 0 || best_->epoch >= epoch_);
}

} // namespace coworker::detail
