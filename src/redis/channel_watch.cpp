// SPDX-License-Identifier: MIT
#include "redis/channel_watch.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace coworker::detail {
namespace {

bool contains(const std::vector<std::string>& texts, std::string_view text)
{
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

} // namespace

void channel_watches::notify(std::string_view channel, std::string_view message)
{
    for (auto* watch : watches_)
        if (contains(watch->channels_, channel))
            watch->receive_(channel, message);
}

void channel_watches::notify_new_connection()
{
    for (auto* watch : watches_)
        watch->missed_();
}

std::vector<std::string> channel_watches::channels() const
{
    std::set<std::string> all;
    for (const auto* watch : watches_)
        all.insert(watch->channels_.begin(), watch->channels_.end());
    return {all.begin(), all.end()};
}

std::vector<std::string> channel_watches::unwatched(const std::vector<std::string>& channels) const
{
    const auto all = this->channels();
    std::vector<std::string> rest;
    for (const auto& channel : channels)
        if (!contains(all, channel))
            rest.push_back(channel);
    return rest;
}

channel_watch::channel_watch(std::shared_ptr<channel_watches> all, std::vector<std::string> channels,
                             receiver receive, std::function<void()> missed)
    : all_{std::move(all)}, channels_{std::move(channels)}, receive_{std::move(receive)}, missed_{std::move(
                                                                                              missed)}
{}

channel_watch::~channel_watch()
{
    withdraw();
}

void channel_watch::enlist()
{
    is_enlisted_ = true;
    all_->watches_.insert(*this);
}

void channel_watch::withdraw()
{
    if (std::exchange(is_enlisted_, false))
        all_->watches_.erase(*this);
}

} // namespace coworker::detail
