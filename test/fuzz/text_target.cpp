// SPDX-License-Identifier: MIT
#include "fuzz/fuzz_target.hpp"

#include "coworker/codec.hpp"
#include "gateway/guard.hpp"
#include "gateway/page.hpp"
#include "text/base64.hpp"
#include "text/json_object.hpp"
#include "text/json_spans.hpp"
#include "text/prometheus.hpp"
#include "text/times.hpp"
#include "text/utf8.hpp"
#include "json/list_submission.hpp"
#include "json/members.hpp"

#include <algorithm>

namespace coworker::test {
namespace {

using namespace detail;

/// What is wrong with a claim that turned out false.
std::string unless(bool claim, const char* what)
{
    return claim ? std::string{} : std::string{what} + "; ";
}

std::string try_route(std::string_view bytes)
{
    std::string wrong;
    for (const auto* method : {"GET", "POST", "BREW"}) {
        try {
            const auto found = find_route(method, bytes);
            number_in_query(found, "count", 1, 1000);
        } catch (const refusal& refused) {
            const auto status = refused.status;
            wrong += unless(status == 400 || status == 404 || status == 405, "a route is refused oddly");
            wrong += unless(is_json(answer_of(refused).body), "a refusal is not JSON");
        }
    }
    if (bytes.empty() || bytes.size() > 1024)
        return wrong;
    const auto path = "/v1/jobs/" + escaped_for_path(bytes);
    return wrong + unless(find_route("GET", path).name == bytes, "a name in a path is not the same");
}

std::string try_submission(std::string_view bytes)
{
    std::string wrong;
    try {
        const auto found = read_list_submissions(bytes, {{}, 1000});
        for (const auto& item : found.items) {
            const auto* const job = std::get_if<list_submission>(&item);
            wrong += unless(!job || (is_json(job->what.job.text) && is_queue_name(job->type)),
                            "a job is not valid");
            wrong += unless(job || is_json(answer_of(std::get<refusal>(item)).body),
                            "a job's refusal is not JSON");
        }
    } catch (const refusal& refused) {
        wrong += unless(refused.status == 400 || refused.status == 413, "a body is refused oddly");
        wrong += unless(is_json(answer_of(refused).body), "a refusal is not JSON");
    }
    return wrong;
}

std::string try_json(std::string_view bytes)
{
    std::string wrong;
    const auto json = trimmed(bytes);
    wrong += unless(is_json(bytes) == !parsed_json{bytes}.error(), "two parsers do not agree");
    wrong +=
        unless(!is_json(bytes) || json_reader{bytes}.skim() == json, "a value is not skimmed as a whole");
    if (json.starts_with('{'))
        for (const auto& member : members_of(json))
            wrong += unless(is_json(member.value), "a member is not JSON");
    if (json.starts_with('['))
        for (const auto element : elements_of(json))
            wrong += unless(is_json(element), "an element is not JSON");
    if (json.starts_with('"') && is_json(json))
        wrong += unless(is_utf8(string_of(json)), "a string is not UTF-8");
    return wrong;
}

std::string try_values(std::string_view bytes)
{
    std::string wrong;
    wrong += unless(is_json(json_string(bytes)), "a quoted text is not JSON");
    wrong += unless(is_utf8(make_utf8(bytes)), "a cleaned text is not UTF-8");
    wrong += unless(!is_utf8(bytes) || make_utf8(bytes) == bytes, "cleaning has changed a clean text");
    wrong += unless(from_base64url(to_base64url(bytes)) == bytes, "base64url is not what it was");
    if (const auto decoded = from_base64url(bytes))
        wrong += unless(to_base64url(*decoded) == bytes, "base64url has two forms");
    if (const auto time = parse_rfc3339(bytes))
        wrong += unless(parse_rfc3339(format_rfc3339(*time)) == time, "a time is not what it was");
    if (const auto delay = parse_delay(bytes))
        wrong += unless(delay->count() >= 0 && *delay <= longest_delay, "a delay is out of range");
    parse_day(bytes);
    (void)guard{"x"}.right_of(bytes);
    prometheus_text page;
    page.begin("x", "gauge", "x");
    page.add({{"name", bytes}}, 1);
    wrong += unless(std::count(page.text().begin(), page.text().end(), '\n') == 3, "a sample is no line");
    return wrong;
}

class text_target final : public fuzz_target
{
public:
    std::string feed(std::string_view bytes) override
    {
        return try_route(bytes) + try_submission(bytes) + try_json(bytes) + try_values(bytes);
    }
};

} // namespace

std::unique_ptr<fuzz_target> make_text_target()
{
    return std::make_unique<text_target>();
}

} // namespace coworker::test
