// SPDX-License-Identifier: MIT
#include "gateway/description.hpp"

#include "coworker/version.hpp"
#include "json/push_options.hpp"
#include "json/schedule_submission.hpp"
#include "json/shown_options.hpp"

#include <boost/algorithm/string/replace.hpp>

#include <string>
#include <utility>

namespace coworker::detail {
namespace {

/// The options of jobs have their rows elsewhere: the description has places for them.
std::string put_together()
{
    std::string text;
    for (const auto piece : openapi_pieces())
        text += piece;
    boost::replace_all(text, "VERSION", version);
    boost::replace_all(text, R"(["WORDS_OF_MISSED_RUNS"])", json_list(names_of(words_of_missed_runs())));
    const std::pair<const char*, std::string> members[] = {
        {"OPTIONS_OF_A_PUSH", schemas_of(options_of_push(), job_pushed::now)},
        {"OPTIONS_OF_A_LATER_PUSH", schemas_of(options_of_push(), job_pushed::later)},
        {"MEMBERS_OF_UNIQUE", schemas_of(options_of_unique(), job_pushed::now)},
        {"MEMBERS_OF_BACKOFF", schemas_of(options_of_backoff(), job_pushed::now)},
        {"OPTIONS_OF_A_JOB", schemas_of_shown_options()},
    };
    for (const auto& [place, what] : members)
        boost::replace_all(text, '"' + std::string{place} + "\": {}", what);
    return text;
}

} // namespace

const std::string& openapi_description()
{
    static const auto text = put_together();
    return text;
}

} // namespace coworker::detail
