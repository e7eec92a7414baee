// SPDX-License-Identifier: MIT
#pragma once

#include <list>
#include <unordered_map>

namespace coworker::detail {

/// Objects in the order in which they enlisted, each once. What is done with all of them is done in that order, and not in
/// that of their addresses, which is another one each time that a program runs.
template<class T>
class enlisted
{
public:
    void insert(T& who)
    {
        const auto [place, is_new] = places_.try_emplace(&who);
        if (is_new)
            place->second = all_.insert(all_.end(), &who);
    }
    void erase(T& who)
    {
        if (const auto place = places_.find(&who); place != places_.end()) {
            all_.erase(place->second);
            places_.erase(place);
        }
    }
    bool empty() const noexcept { return all_.empty(); }
    auto begin() const noexcept { return all_.begin(); }
    auto end() const noexcept { return all_.end(); }

private:
    std::list<T*> all_;
    std::unordered_map<T*, typename std::list<T*>::iterator> places_;
};

} // namespace coworker::detail
