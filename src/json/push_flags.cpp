// SPDX-License-Identifier: MIT
#include "json/push_flags.hpp"

#include "text/json_object.hpp"
#include "text/utf8.hpp"

#include <boost/algorithm/string/replace.hpp>

#include <algorithm>

namespace coworker::detail {
namespace {

/// Names the flag of each of the options; or this one, for those that have none.
void name_flags(std::string& text, const std::vector<push_option>& options, const std::string& other)
{
    for (const auto& option : options) {
        const auto own = flag_of(option);
        const auto& flag = own.empty() ? other : own;
        if (flag.empty())
            continue;
        const auto quoted = '\'' + std::string{option.name} + '\'';
        boost::replace_all(text, "The member " + quoted, flag);
        boost::replace_all(text, quoted, flag);
    }
}

json_object object_of(const std::vector<push_option>& options, const given_flags& given)
{
    json_object object;
    for (const auto& option : options) {
        const auto found = given.find(flag_of(option));
        if (found != given.end()) {
            check_is_utf8(found->first, found->second);
            object.json(option.name, option.value.json_of(found->second));
        } else if (option.members != nullptr) {
            const auto inside = object_of(*option.members, given);
            if (inside.str() != "{}")
                object.object(option.name, inside);
        }
    }
    return object;
}

} // namespace

std::string flag_of(const push_option& option)
{
    if (option.flag == "-")
        return {};
    if (!option.flag.empty())
        return std::string{option.flag};
    auto flag = "--" + std::string{option.name};
    std::ranges::replace(flag, '_', '-');
    return flag;
}

std::string help_of(const push_option& option)
{
    auto help = std::string{option.about};
    if (auto words = option.value.words; !words.empty()) {
        for (auto& word : words)
            std::ranges::replace(word, '_', '-');
        words.front() += " (the default)";
        help += ": " + list_of_words(words);
    }
    if (option.value.form == flag_form::several)
        help += "; may be given several times";
    return help;
}

void for_each_flag(job_pushed when, const std::function<void(const push_option&)>& call)
{
    const auto call_with = [&](const auto& self, const std::vector<push_option>& options) -> void {
        for (const auto& option : options) {
            if (option.members != nullptr)
                self(self, *option.members);
            else if (!flag_of(option).empty() && (when == job_pushed::now || !option.is_of_push))
                call(option);
        }
    };
    call_with(call_with, options_of_push());
}

void check_is_utf8(const std::string& flag, const option_texts& given)
{
    if (!std::ranges::all_of(given, [](const auto& text) { return is_utf8(text); }))
        refuse_body(flag + " is not UTF-8.");
}

std::string said_of_flags(std::string sentence)
{
    name_flags(sentence, options_of_push(), {});
    name_flags(sentence, options_of_unique(), {});
    name_flags(sentence, options_of_backoff(), "--backoff");
    return sentence;
}

managed_push_options read_flags(const given_flags& given)
{
    managed_push_options options;
    try {
        const auto json = object_of(options_of_push(), given).str();
        read_members(json, "a job", push_option_readers(job_pushed::now), options);
        check_push_options(options);
    } catch (const refusal& why) {
        throw refusal{why.status, said_of_flags(why.detail)};
    }
    return options;
}

refusal said_of_flag(const refusal& why, const std::string& flag)
{
    auto sentence = why.detail;
    boost::replace_all(sentence, "The member '" + flag + '\'', flag);
    return {why.status, sentence};
}

} // namespace coworker::detail
