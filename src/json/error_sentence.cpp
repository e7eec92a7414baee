// SPDX-License-Identifier: MIT
#include "json/error_sentence.hpp"

namespace coworker::detail {

std::string own_words_of(const system_error& error)
{
    const std::string text = error.what();
    const bool is_explained = dynamic_cast<const explained_error*>(&error) != nullptr;
    const auto end =
        text.rfind(is_explained ? " [" + error.code().to_string() : ": " + error.code().message());
    return end == text.npos ? std::string{} : text.substr(0, end);
}

std::string sentence_of(const system_error& error)
{
    auto text = own_words_of(error);
    // What these say by themselves is that something is wrong, and an error of this code always says what.
    const bool says_all = error.code() == errc::invalid_option || error.code() == errc::invalid_queue_name ||
                          error.code() == errc::job_too_large || error.code() == errc::not_serializable;
    if (text.empty() || !says_all)
        text.append(text.empty() ? "" : ": ").append(error.code().message());
    if (text.ends_with('.'))
        text.pop_back();
    if (text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text + " [" + error.code().to_string() + "].";
}

} // namespace coworker::detail
