// SPDX-License-Identifier: MIT
#include "comparing.hpp"

#include "support/kept_scripts.hpp"

#include <boost/json/serialize.hpp>

namespace coworker::test::model {
namespace {

/// What the model says a reply must be, in a form that can be compared.
json::value comparable(const outcome& what)
{
    if (what.refused)
        return json::string{"ERR " + *what.refused};
    auto result = what.answer.value;
    normalise(result);
    return result;
}

json::value comparable(const redis_value& what, bool is_document)
{
    auto result = read_reply(what, is_document);
    normalise(result);
    return result;
}

/// Which of several dependents a refused cancellation names is left open.
void forget_dependent(json::value& in)
{
    if (!in.is_string())
        return;
    const std::string text{in.get_string()};
    const auto begin = text.find(" is a dependency of "), end = text.find(" but is not");
    if (begin != text.npos && end != text.npos)
        in = json::string{text.substr(0, begin) + text.substr(end)};
}

/// How many workers a job has taken with it, only one of two releases tells, behind three empty lists.
void forget_crashes(json::value& in)
{
    if (are_releases_mixed() && in.is_array() && in.get_array().size() == 10)
        in.get_array().resize(6);
}

} // namespace

std::string text_of(const generated_call& call)
{
    std::string result = call.script;
    for (const auto& word : call.words)
        result += ' ' + (word.empty() || word.find_first_of(" \"") != word.npos ? '\'' + word + '\'' : word);
    return result;
}

std::string differ(const std::string& what, const strings& is, const strings& wanted)
{
    return what + " differ\n  is:       " + json::serialize(to_json(is)) +
           "\n  expected: " + json::serialize(to_json(wanted));
}

std::string difference(const redis_value& found, const outcome& expected)
{
    auto is = comparable(found, expected.answer.is_document), wanted = comparable(expected);
    for (auto* const each : {&is, &wanted}) {
        forget_dependent(*each);
        forget_crashes(*each);
    }
    if (is == wanted)
        return {};
    return "the replies differ\n  is:       " + json::serialize(is) +
           "\n  expected: " + json::serialize(wanted);
}

} // namespace coworker::test::model
