#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::cli {

/// A JSON object on one line, for scripts. Names are plain words.
///
/// It never has a control character in it, nor a byte that is not UTF-8: a text that is not UTF-8 is written
/// in hexadecimal, as a member whose name has `_hex` behind it.
class json_line
{
public:
    json_line& text(std::string_view name, std::string_view value);
    json_line& texts(std::string_view name, const std::vector<std::string>& values);
    json_line& number(std::string_view name, double value);
    json_line& number(std::string_view name, std::integral auto value)
    {
        return member(name, std::to_string(value));
    }
    json_line& boolean(std::string_view name, bool value) { return member(name, value ? "true" : "false"); }
    json_line& null(std::string_view name) { return member(name, "null"); }

    /// JSON text, to the digit as it is; as text if it is none.
    json_line& json(std::string_view name, std::string_view value);
    json_line& object(std::string_view name, const json_line& value) { return member(name, value.str()); }
    json_line& objects(std::string_view name, const std::vector<json_line>& values);

    std::string str() const { return "{" + members_ + "}"; }

private:
    json_line& member(std::string_view name, std::string_view json);

    std::string members_;
};

} // namespace coworker::cli
