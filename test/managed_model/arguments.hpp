// SPDX-License-Identifier: MIT
#pragma once

#include "values.hpp"

#include <map>

namespace coworker::test::model {

/// The arguments of a command after `now`.
class arguments
{
public:
    explicit arguments(double now, strings words) : now_{now}, words_{std::move(words)} {}

    double now() const { return now_; }
    std::size_t size() const { return words_.size(); }

    optional_text at(std::size_t i) const
    {
        return i < words_.size() ? optional_text{words_[i]} : std::nullopt;
    }

    strings from(std::size_t first) const
    {
        return first < words_.size()
                   ? strings{words_.begin() + static_cast<std::ptrdiff_t>(first), words_.end()}
                   : strings{};
    }

    /// An argument that must be there.
    std::string text(std::size_t i, const std::string& complaint) const
    {
        if (i >= words_.size())
            throw refusal{complaint};
        return words_[i];
    }
    std::string jid(std::size_t i) const { return text(i, "Job(): no jid provided"); }
    std::string queue(std::size_t i) const { return text(i, "Queue(): no queue name provided"); }

    /// A number; the complaint is followed by what is there instead.
    double number(std::size_t i, const std::string& complaint) const { return number(at(i), complaint); }
    double number(std::size_t i, double absent, const std::string& complaint) const
    {
        return i < words_.size() ? number(i, complaint) : absent;
    }
    static double number(const optional_text& text, const std::string& complaint)
    {
        const auto result = to_number(text);
        if (!result)
            throw refusal{complaint + shown(text)};
        return *result;
    }

    /// Names and values in turn; the last of a name counts.
    std::map<std::string, std::string> options(std::size_t first, bool must_be_even) const
    {
        std::map<std::string, std::string> result;
        if (must_be_even && words_.size() > first && (words_.size() - first) % 2 != 0)
            throw refusal{"Odd number of additional args: table: 0x0"};
        for (std::size_t i = first; i + 1 < words_.size(); i += 2)
            result[words_[i]] = words_[i + 1];
        return result;
    }

private:
    double now_;
    strings words_;
};

/// What a command answers, unless it is refused.
struct reply
{
    json::value value;
    bool is_document = false; ///< `value` is sent as JSON text
};

inline reply document(json::value value)
{
    return {std::move(value), true};
}

} // namespace coworker::test::model
