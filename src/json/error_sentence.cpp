// SPDX-License-Identifier: MIT
#include "json/error_sentence.hpp"

#include <algorithm>

namespace coworker::detail {
namespace {

bool is_explained(const system_error& error)
{
    return dynamic_cast<const explained_error*>(&error) != nullptr;
}

/// What a code says that is to be done: "; open it first". Empty: nothing.
std::string advice_of(const error_code& code)
{
    const auto text = code.message();
    const auto begin = text.find(';');
    return begin == text.npos ? std::string{} : text.substr(begin);
}

} // namespace

std::string own_words_of(const system_error& error)
{
    const std::string text = error.what();
    const auto end =
        text.rfind(is_explained(error) ? " [" + error.code().to_string() : ": " + error.code().message());
    return end == text.npos ? std::string{} : text.substr(0, end);
}

std::string complaint_of_script(std::string_view text)
{
    constexpr std::string_view redis = "ERR ", call = "(): ";
    if (text.starts_with(redis))
        text.remove_prefix(redis.size());
    const auto name_ends = text.find(call);
    const bool is_name =
        name_ends != text.npos && std::all_of(text.begin(), text.begin() + name_ends, [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.';
        });
    return is_name ? std::string{text.substr(name_ends + call.size())} : std::string{};
}

std::string words_of(const system_error& error)
{
    auto text = own_words_of(error);
    if (auto complaint = complaint_of_script(text); !complaint.empty())
        return complaint + advice_of(error.code());
    // What these say by themselves is that something is wrong, and an error of this code always says what.
    const bool says_all = is_explained(error) || error.code() == errc::invalid_option ||
                          error.code() == errc::job_too_large || error.code() == errc::not_serializable;
    if (text.empty() || !says_all)
        text.append(text.empty() ? "" : ": ").append(error.code().message());
    return text;
}

std::string begin_sentence(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

std::string sentence_of(const system_error& error)
{
    auto text = begin_sentence(words_of(error));
    if (text.ends_with('.'))
        text.pop_back();
    return text + " [" + error.code().to_string() + "].";
}

} // namespace coworker::detail
