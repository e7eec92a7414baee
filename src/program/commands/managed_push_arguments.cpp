// SPDX-License-Identifier: MIT
#include "program/commands/managed_push_arguments.hpp"

#include "program/exit_code.hpp"

#include <algorithm>

namespace coworker::program {

void refuse_push(const std::string& why)
{
    throw failure{exit_code::usage, why + "; see coworker push --help"};
}

std::string as_complaint(const detail::refusal& why)
{
    return why.detail.ends_with('.') ? why.detail.substr(0, why.detail.size() - 1) : why.detail;
}

void managed_push_arguments::add_to(command_options& command, const std::string& of, detail::job_pushed when)
{
    detail::for_each_flag(when, [&](const detail::push_option& option) {
        const auto name = detail::flag_of(option);
        const auto help = of + detail::help_of(option);
        const std::string called{option.value.called};
        auto& flag = flags_[name];
        if (option.value.form == detail::flag_form::bare)
            command.add_flag(name, flag.is_there, help);
        else if (option.value.form == detail::flag_form::several)
            command.add_option(name, flag.texts, help).value_name(called).one_at_a_time();
        else
            command
                .add_option(
                    name, [&flag](const std::string& text) { flag.texts = {text}; }, help)
                .value_name(called);
    });
}

detail::given_flags managed_push_arguments::given() const
{
    detail::given_flags all;
    for (const auto& [name, flag] : flags_)
        if (flag.is_there || !flag.texts.empty())
            all.emplace(name, flag.texts);
    return all;
}

bool managed_push_arguments::makes_unique() const
{
    return std::ranges::any_of(detail::options_of_unique(), [given = given()](const auto& option) {
        return given.contains(detail::flag_of(option));
    });
}

managed_push_options managed_push_arguments::read(const char* command) const
{
    try {
        return detail::read_flags(given());
    } catch (const detail::refusal& why) {
        refuse(as_complaint(why) + "; see coworker " + command + " --help");
    }
}

} // namespace coworker::program
