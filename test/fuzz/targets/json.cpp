// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "coworker/codec.hpp"
#include "text/json_object.hpp"
#include "text/json_spans.hpp"
#include "text/utf8.hpp"

namespace coworker::fuzz {

using namespace detail;

namespace {

/// What stands where in a value, of which is known that it is one.
void read_parts_of(std::string_view json, const boost::json::value& value)
{
    claim(json_reader{json}.skim() == json);
    claim(json_reader{json}.value() == json);
    claim(is_json_false(json) == (value.if_bool() && !value.get_bool()));
    const auto members = members_of(json);
    const auto elements = elements_of(json);
    if (const auto* const object = value.if_object()) {
        claim(members.size() >= object->size()); // of two with the same name the parser keeps the last
        for (const auto& member : members)
            claim(is_json(member.value) && is_utf8(member.name) && object->contains(member.name));
    } else {
        claim(members.empty());
    }
    if (const auto* const array = value.if_array()) {
        claim(elements.size() == array->size());
        for (const auto element : elements)
            claim(is_json(element));
    } else {
        claim(elements.empty());
    }
    if (const auto* const text = value.if_string()) {
        claim(string_of(json) == std::string_view{*text});
        claim(string_of(json_string(string_of(json))) == std::string_view{*text});
        const auto plain = json_reader{json}.plain_string();
        claim(!plain || *plain == std::string_view{*text});
    }
}

} // namespace

/// JSON of anybody, read in place; Boost.JSON's parser says what is in it.
FUZZ_TARGET(json)
{
    const parsed_json parsed{bytes};
    claim(is_json(bytes) == !parsed.error());
    const auto json = trimmed(bytes);
    if (!parsed.error()) {
        read_parts_of(json, parsed.value());
    } else { // nothing is promised but that it ends, within the text
        const auto skimmed = json_reader{bytes}.skim();
        claim(!skimmed || skimmed->size() <= bytes.size());
        for (const auto& member : members_of(bytes))
            claim(member.value.size() <= bytes.size());
        for (const auto element : elements_of(bytes))
            claim(element.size() <= bytes.size());
    }
    json_object object;
    object.json_or_null("a", bytes).json_or_text("b", bytes).text("c", bytes);
    claim(is_json(object.str()));
}

} // namespace coworker::fuzz
