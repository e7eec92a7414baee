// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coworker::test::model {

/// Members with scores, as Redis keeps them: by score, equal ones by the bytes of their names.
class sorted_set
{
public:
    using entry = std::pair<double, std::string>;

    void set(const std::string& member, double score) { scores_[member] = score; }
    void set_new(const std::string& member, double score) { scores_.try_emplace(member, score); }
    void add(const std::string& member, double amount) { scores_[member] += amount; }
    bool remove(const std::string& member) { return scores_.erase(member) != 0; }

    bool empty() const { return scores_.empty(); }
    std::size_t size() const { return scores_.size(); }
    bool contains(const std::string& member) const { return scores_.contains(member); }
    std::optional<double> score(const std::string& member) const
    {
        const auto found = scores_.find(member);
        return found == scores_.end() ? std::nullopt : std::optional{found->second};
    }

    /// By ascending score.
    std::vector<entry> entries() const
    {
        std::vector<entry> result;
        for (const auto& [member, score] : scores_)
            result.emplace_back(score, member);
        std::sort(result.begin(), result.end());
        return result;
    }

    /// Members with a score from `least` to `most`, by ascending score.
    std::vector<std::string> between(double least, double most) const
    {
        std::vector<std::string> result;
        for (const auto& [score, member] : entries())
            if (score >= least && score <= most)
                result.push_back(member);
        return result;
    }
    std::vector<std::string> up_to(double most) const { return between(-infinity, most); }
    std::vector<std::string> all() const { return between(-infinity, infinity); }
    std::vector<std::string> descending() const
    {
        auto result = all();
        std::reverse(result.begin(), result.end());
        return result;
    }

private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    std::map<std::string, double> scores_;
};

/// A part of a list; fractions are cut off.
inline std::vector<std::string> part(const std::vector<std::string>& list, double offset, double count)
{
    const auto size = static_cast<double>(list.size());
    const auto begin = std::clamp(std::trunc(offset), 0.0, size);
    const auto end = std::clamp(begin + std::max(std::trunc(count), 0.0), begin, size);
    return {list.begin() + static_cast<std::ptrdiff_t>(begin),
            list.begin() + static_cast<std::ptrdiff_t>(end)};
}

} // namespace coworker::test::model
