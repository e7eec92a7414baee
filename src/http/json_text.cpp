#include "http/json_text.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

namespace coworker::detail {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// Cuts valid JSON into values.
class cutter
{
public:
    explicit cutter(std::string_view json) : rest_{json} {}

    /// Skips blanks; whether the next character is this one. If so, skips that as well.
    bool accept(char c)
    {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
        if (rest_.empty() || rest_.front() != c)
            return false;
        rest_.remove_prefix(1);
        return true;
    }

    std::string_view value()
    {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
        const auto size = value_size();
        const auto found = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return found;
    }

private:
    std::size_t value_size() const
    {
        std::size_t depth = 0;
        for (std::size_t at = 0; at < rest_.size(); ++at) {
            const char c = rest_[at];
            if (c == '"')
                at = end_of_string(at);
            else if (c == '[' || c == '{')
                ++depth;
            else if (c == ']' || c == '}') {
                if (depth == 0) // of what is around a number or a word
                    return at;
                --depth;
            } else if (depth == 0 && (c == ',' || blanks.find(c) != blanks.npos))
                return at;
            else
                continue;
            if (depth == 0)
                return at + 1;
        }
        return rest_.size();
    }

    /// Where the quote is that ends a string.
    std::size_t end_of_string(std::size_t at) const
    {
        for (++at; at < rest_.size() && rest_[at] != '"'; ++at)
            if (rest_[at] == '\\')
                ++at;
        return at;
    }

    std::string_view rest_;
};

} // namespace

std::string_view trimmed(std::string_view json)
{
    json.remove_prefix(std::min(json.find_first_not_of(blanks), json.size()));
    return json.substr(0, json.find_last_not_of(blanks) + 1);
}

std::string string_of(std::string_view json)
{
    if (json.find('\\') == json.npos)
        return std::string{json.substr(1, json.size() - 2)};
    const auto parsed = boost::json::parse(json);
    return std::string{parsed.as_string()};
}

std::vector<json_member> members_of(std::string_view json)
{
    std::vector<json_member> members;
    cutter rest{json};
    rest.accept('{');
    while (!rest.accept('}')) {
        auto name = string_of(rest.value());
        rest.accept(':');
        members.push_back({std::move(name), rest.value()});
        rest.accept(',');
    }
    return members;
}

std::vector<std::string_view> elements_of(std::string_view json)
{
    std::vector<std::string_view> elements;
    cutter rest{json};
    rest.accept('[');
    while (!rest.accept(']')) {
        elements.push_back(rest.value());
        rest.accept(',');
    }
    return elements;
}

} // namespace coworker::detail
