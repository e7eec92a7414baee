// SPDX-License-Identifier: MIT
#include "program/options.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <system_error>
#include <utility>

namespace coworker::program {

command_option& command_option::value_name(const std::string& name)
{
    option_->type_name(name);
    return *this;
}

command_option& command_option::with_default()
{
    option_->capture_default_str();
    return *this;
}

command_option& command_option::with_default(const std::string& text)
{
    option_->default_str(text);
    return *this;
}

command_option& command_option::required()
{
    option_->required();
    return *this;
}

command_option& command_option::optional_value(const std::string& text)
{
    option_->expected(0, 1)->default_str(text);
    return *this;
}

command_option& command_option::one_of(std::vector<std::string> values)
{
    option_->check(CLI::IsMember(std::move(values)));
    return *this;
}

command_option& command_option::between_whole(std::int64_t least, std::int64_t most)
{
    option_->check(CLI::Range(least, most));
    return *this;
}

command_option& command_option::between(double least, double most)
{
    option_->check(CLI::Range(least, most));
    return *this;
}

command_option& command_option::not_empty()
{
    option_->check([](const std::string& text) { return text.empty() ? "it is empty" : ""; });
    return *this;
}

command_option& command_option::existing_file()
{
    const auto complain_of = [](const std::string& name) -> std::string {
        std::error_code ec;
        const auto what = std::filesystem::status(name, ec);
        if (!std::filesystem::exists(what))
            return "there is no file '" + name + '\'';
        return std::filesystem::is_directory(what) ? '\'' + name + "' is a folder, not a file"
                                                   : std::string{};
    };
    option_->check(complain_of, "FILE"); // CLI11's own says it with one more colon
    return *this;
}

command_option& command_option::separated_by(char letter)
{
    option_->delimiter(letter);
    return *this;
}

command_option& command_option::one_at_a_time()
{
    option_->allow_extra_args(false);
    return *this;
}

command_option& command_option::needs(const command_option& other)
{
    option_->needs(other.option_);
    return *this;
}

command_option& command_option::excludes(const command_option& other)
{
    option_->excludes(other.option_);
    return *this;
}

command_option command_options::add_option(const std::string& name, std::string& value,
                                           const std::string& description)
{
    return command_option{*app_->add_option(name, value, description)};
}

command_option command_options::add_option(const std::string& name, std::vector<std::string>& values,
                                           const std::string& description)
{
    return command_option{*app_->add_option(name, values, description)};
}

command_option command_options::add_option(const std::string& name, std::vector<int>& values,
                                           const std::string& description)
{
    return command_option{*app_->add_option(name, values, description)};
}

command_option command_options::add_option(const std::string& name, unsigned& value,
                                           const std::string& description)
{
    return command_option{*app_->add_option(name, value, description)};
}

command_option command_options::add_option(const std::string& name, std::size_t& value,
                                           const std::string& description)
{
    return command_option{*app_->add_option(name, value, description)};
}

command_option command_options::add_option(const std::string& name, double& value,
                                           const std::string& description)
{
    return command_option{*app_->add_option(name, value, description)};
}

command_option command_options::add_option(const std::string& name, std::optional<double>& value,
                                           const std::string& description)
{
    return command_option{*app_->add_option(name, value, description)};
}

command_option command_options::add_option(const std::string& name,
                                           std::function<void(const std::string&)> take,
                                           const std::string& description)
{
    return command_option{*app_->add_option_function<std::string>(name, std::move(take), description)};
}

void command_options::add_flag(const std::string& name, bool& value, const std::string& description)
{
    app_->add_flag(name, value, description);
}

} // namespace coworker::program
