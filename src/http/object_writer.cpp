#include "http/object_writer.hpp"

#include "coworker/codec.hpp"
#include "http/answer.hpp"
#include "text/times.hpp"

#include <charconv>

namespace coworker::detail {

bool is_json_text(std::string_view text)
{
    return !parsed_json{text}.error();
}

object_writer& object_writer::json(std::string_view name, std::string_view value)
{
    text_ += text_.empty() ? "{\"" : ",\"";
    text_ += name;
    text_ += "\":";
    text_ += value;
    return *this;
}

object_writer& object_writer::text(std::string_view name, std::string_view value)
{
    return json(name, quoted(value));
}

object_writer& object_writer::text_if_any(std::string_view name, std::string_view value)
{
    return json(name, value.empty() ? "null" : quoted(value));
}

object_writer& object_writer::texts(std::string_view name, const std::vector<std::string>& values)
{
    std::string list;
    for (const auto& value : values) {
        list += list.empty() ? '[' : ',';
        list += quoted(value);
    }
    return json(name, list.empty() ? "[]" : list + ']');
}

object_writer& object_writer::number(std::string_view name, double value)
{
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    return json(name, {digits, static_cast<std::size_t>(end - digits)});
}

object_writer& object_writer::rates(std::string_view name, const std::optional<job_rates>& value)
{
    if (!value)
        return json(name, "null");
    object_writer out;
    out.number("succeeded", value->succeeded)
        .number("retried", value->retried)
        .number("failed", value->failed);
    return json(name, std::move(out).finish());
}

object_writer& object_writer::time(std::string_view name, std::optional<timestamp> value)
{
    return json(name, value ? quoted(format_rfc3339(*value)) : "null");
}

} // namespace coworker::detail
