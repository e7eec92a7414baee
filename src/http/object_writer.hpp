#pragma once

#include "coworker/job.hpp"
#include "http/rates.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::detail {

/// Whether it is one JSON value. What is in Redis need not be: any program may have written it.
bool is_json_text(std::string_view text);

/// Puts the text of a JSON object together, member by member.
class object_writer
{
public:
    /// @param value  JSON text
    object_writer& json(std::string_view name, std::string_view value);
    /// The same, but null for what is not JSON.
    object_writer& json_if_valid(std::string_view name, std::string_view value)
    {
        return json(name, is_json_text(value) ? value : "null");
    }
    object_writer& text(std::string_view name, std::string_view value);
    /// The same, but null for an empty one.
    object_writer& text_if_any(std::string_view name, std::string_view value);
    object_writer& texts(std::string_view name, const std::vector<std::string>& values);
    object_writer& number(std::string_view name, std::integral auto value)
    {
        return json(name, std::to_string(value));
    }
    /// @param value  finite
    object_writer& number(std::string_view name, double value);
    object_writer& flag(std::string_view name, bool value) { return json(name, value ? "true" : "false"); }
    object_writer& rates(std::string_view name, const std::optional<job_rates>& value);
    object_writer& time(std::string_view name, std::optional<timestamp> value);

    std::string finish() && { return std::move(text_) + '}'; }

private:
    std::string text_;
};

} // namespace coworker::detail
