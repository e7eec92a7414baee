// SPDX-License-Identifier: MIT
#include "program/nearest_word.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace coworker::program {
namespace {

/// How far a word is from another: a letter that has to be added, left out or changed with its neighbour counts two,
/// one that is another three, since letters are forgotten more often than mistaken.
std::size_t distance(std::string_view from, std::string_view to)
{
    std::vector<std::vector<std::size_t>> steps(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
    for (std::size_t i = 0; i <= from.size(); ++i)
        steps[i][0] = 2 * i;
    for (std::size_t j = 0; j <= to.size(); ++j)
        steps[0][j] = 2 * j;
    for (std::size_t i = 1; i <= from.size(); ++i)
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const bool is_same = from[i - 1] == to[j - 1];
            steps[i][j] =
                std::min({steps[i - 1][j] + 2, steps[i][j - 1] + 2, steps[i - 1][j - 1] + (is_same ? 0 : 3)});
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                steps[i][j] = std::min(steps[i][j], steps[i - 2][j - 2] + 2);
        }
    return steps[from.size()][to.size()];
}

} // namespace

std::string nearest_word(std::string_view typed, std::span<const std::string> known)
{
    constexpr std::size_t longest = 40; // nobody has meant a command with more
    if (typed.size() > longest)
        return {};
    std::string best;
    auto least = std::numeric_limits<std::size_t>::max();
    for (const auto& word : known) {
        // The beginning of a word is as good as a letter that is wrong.
        const bool is_beginning = typed.size() >= 2 && word.starts_with(typed);
        const auto far = is_beginning ? 2 : distance(typed, word);
        if (far < least && far <= (word.size() + 1) / 3 * 2 + 1) {
            least = far;
            best = word;
        }
    }
    return best;
}

} // namespace coworker::program
