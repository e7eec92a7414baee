// SPDX-License-Identifier: MIT
#include "managed/unique_key.hpp"

#include "bounds.hpp"
#include "coworker/error.hpp"
#include "managed/checks.hpp"
#include "text/json_object.hpp"
#include "text/json_spans.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace coworker {
namespace {

/// How each conflict is called, and its word in Redis.
struct conflict_words
{
    on_conflict what;
    std::string_view name, word;
};

constexpr std::array<conflict_words, 5> all_conflicts{{
    {on_conflict::keep, "keep", "keep"},
    {on_conflict::replace, "replace", "replace"},
    {on_conflict::replace_payload, "replace_payload", "data"},
    {on_conflict::replace_time, "replace_time", "time"},
    {on_conflict::refuse, "refuse", "refuse"},
}};

const conflict_words& words_of(on_conflict what) noexcept
{
    const auto* const found = std::ranges::find(all_conflicts, what, &conflict_words::what);
    return found == all_conflicts.end() ? all_conflicts.front() : *found;
}

} // namespace

std::string_view to_string(unique_until what) noexcept
{
    return what == unique_until::started ? "started" : "done";
}

std::string_view to_string(on_conflict what) noexcept
{
    return words_of(what).name;
}

std::string_view detail::word_of(on_conflict conflict) noexcept
{
    return words_of(conflict).word;
}

on_conflict detail::conflict_of(std::string_view word) noexcept
{
    const auto* const found = std::ranges::find(all_conflicts, word, &conflict_words::word);
    return found == all_conflicts.end() ? on_conflict::keep : found->what;
}

} // namespace coworker

namespace coworker::detail {
namespace {

constexpr std::size_t longest_made = 400;

/// The JSON text without the blanks between its parts.
std::string without_blanks(std::string_view json)
{
    std::string result;
    result.reserve(json.size());
    bool in_string = false, escaped = false;
    for (const char c : json) {
        if (!in_string && (c == ' ' || c == '\t' || c == '\r' || c == '\n'))
            continue;
        result += c;
        if (c == '"' && !escaped)
            in_string = !in_string;
        escaped = in_string && c == '\\' && !escaped;
    }
    return result;
}

bool is_object(std::string_view json) noexcept
{
    return trimmed(json).starts_with('{');
}

bool is_among(const text_list& names, const std::string& name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// The members that make the key, by name.
std::string members_text(const unique_rule& rule, std::string_view data)
{
    auto members = members_of(trimmed(data));
    if (!rule.whole_payload)
        std::erase_if(members, [&](const json_member& each) { return !is_among(rule.fields, each.name); });
    std::sort(members.begin(), members.end(), [](const json_member& a, const json_member& b) {
        return std::tie(a.name, a.value) < std::tie(b.name, b.value);
    });
    std::string text = "{";
    for (const auto& [name, value] : members) {
        text += text.size() > 1 ? "," : "";
        text += json_string(name) + ':' + without_blanks(value);
    }
    return text + '}';
}

std::string digest_of(std::string_view text)
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned size = 0;
    if (EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha256(), nullptr) != 1)
        throw explained_error{errc::invalid_option,
                              "OpenSSL makes no SHA-256, which keys of large data need"};
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result;
    for (unsigned i = 0; i != size; ++i) {
        result += digits[digest[i] >> 4];
        result += digits[digest[i] & 15];
    }
    return result;
}

[[noreturn]] void refuse_unique(const char* why)
{
    throw explained_error{errc::invalid_option, why};
}

} // namespace

bool is_given(const unique_rule& rule) noexcept
{
    return !rule.key.empty() || rule.fields.is_given() || rule.whole_payload;
}

void check_unique(const unique_rule& rule, std::string_view data)
{
    if (!is_given(rule)) {
        if (rule.unique_for.count() != 0)
            refuse_unique("unique_for needs a key, fields or whole_payload");
        return;
    }
    if (!rule.key.empty() + rule.fields.is_given() + rule.whole_payload > 1)
        refuse_unique("a unique job has either a key, or fields, or whole_payload");
    if (rule.key.size() > max_name)
        refuse_unique("a unique key has at most 256 bytes");
    check_utf8(rule.key, "the unique key");
    if (rule.unique_for.count() < 0)
        refuse_unique("unique_for is not negative");
    if (rule.unique_for.count() > 0 && rule.until != unique_until::done)
        refuse_unique("a unique job has its key either for a time or until it has started");
    if (!rule.fields.empty() && !is_object(data))
        refuse_unique("only data that are a JSON object have fields by which they can be unique");
}

std::string unique_key(const unique_rule& rule, std::string_view kind, std::string_view data)
{
    if (!rule.key.empty())
        return rule.key;
    auto text = "{\"kind\":" + json_string(kind) + ",\"data\":";
    text += rule.whole_payload && !is_object(data) ? without_blanks(data) : members_text(rule, data);
    text += '}';
    return text.size() <= longest_made ? text : "{\"kind\":" + digest_of(text) + '}';
}

unique_rule rule_of_key(const std::string& key, std::string_view kind, std::string_view data)
{
    unique_rule rule{.whole_payload = true};
    if (unique_key(rule, kind, data) == key)
        return rule;
    rule.whole_payload = false;
    rule.fields = text_list::none(); // of the kind alone
    std::vector<std::string> fields;
    for (const auto& made : members_of(key))
        if (made.name == "data")
            for (const auto& each : members_of(made.value))
                fields.push_back(each.name);
    if (!fields.empty())
        rule.fields = fields;
    if (is_object(data) && unique_key(rule, kind, data) == key)
        return rule;
    return {.key = key};
}

} // namespace coworker::detail
