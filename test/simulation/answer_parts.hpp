// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::test {

/// Reads an answer of Redis (RESP2) part by part.
class answer_reader
{
public:
    explicit answer_reader(std::string_view text) : text_{text} {}

    /// @return whether the answer is whole; its parts are in `parts`, lists in lists without brackets
    bool read()
    {
        const auto end = text_.find("\r\n", at_);
        if (at_ >= text_.size() || end == text_.npos)
            return false;
        const char kind = text_[at_];
        const std::string line{text_.substr(at_ + 1, end - at_ - 1)};
        at_ = end + 2;
        switch (kind) {
        case '*':
            return read_list(std::atoll(line.c_str()));
        case '$':
            return read_text(std::atoll(line.c_str()));
        case '-':
            parts.push_back('-' + line);
            return true;
        default:
            parts.push_back(line);
            return true;
        }
    }

    std::vector<std::string> parts{};

private:
    bool read_list(long long count)
    {
        for (; count > 0; --count)
            if (!read())
                return false;
        return true;
    }
    bool read_text(long long size)
    {
        if (size < 0) {
            parts.emplace_back();
            return true;
        }
        const auto length = static_cast<std::size_t>(size);
        if (at_ + length + 2 > text_.size())
            return false;
        parts.emplace_back(text_.substr(at_, length));
        at_ += length + 2;
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

inline bool is_whole_answer(std::string_view text)
{
    return answer_reader{text}.read();
}

inline std::vector<std::string> answer_parts(std::string_view text)
{
    answer_reader reader{text};
    reader.read();
    return std::move(reader.parts);
}

} // namespace coworker::test
