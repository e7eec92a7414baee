// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "gateway/remote_text.hpp"
#include "json/batch_submission.hpp"
#include "json/effect_submission.hpp"
#include "json/job_selection.hpp"
#include "json/list_submission.hpp"
#include "json/managed_submission.hpp"
#include "json/push_flags.hpp"
#include "json/push_options.hpp"
#include "json/schedule_submission.hpp"

#include <array>
#include <utility>

namespace coworker::fuzz {

using namespace detail;

namespace {

constexpr std::size_t most = 1000;
const effect_rules list_rules{.kind = queue_kind::list}, managed_rules{.kind = queue_kind::managed};

void claim_refusal(const refusal& refused, std::string_view of)
{
    claim(refused.status >= 400 && refused.status < 500);
    claim_sentence(refused.detail, of);
    claim(is_json(answer_of(refused).body));
}

template<class Items>
void claim_items(const Items& found, std::string_view body)
{
    claim(found.is_array || found.items.size() == 1);
    for (const auto& item : found.items)
        if (const auto* const refused = std::get_if<refusal>(&item))
            claim_refusal(*refused, body);
}

void read_list_jobs(const std::string& body)
{
    const auto found = read_list_submissions(body, {{}, most});
    claim_items(found, body);
    for (const auto& item : found.items)
        if (const auto* const job = std::get_if<list_submission>(&item))
            claim(is_json(job->what.job.text) && is_queue_name(job->type));
}

std::string options_text(const managed_push_options& options)
{
    json_object out;
    write_push_options(out, options);
    return out.str();
}

/// What was read and is written again reads as the same.
void claim_options(const managed_push_options& options)
{
    const auto written = options_text(options);
    managed_push_options again;
    read_members(written, "options", push_option_readers(job_pushed::later), again);
    claim(options_text(again) == written);
}

void read_managed_jobs(const std::string& body)
{
    const auto found = read_managed_submissions(body, most);
    claim_items(found, body);
    for (const auto& item : found.items)
        if (const auto* const what = std::get_if<managed_submission>(&item))
            claim_options(what->job.options);
}

void read_schedule(const std::string& body)
{
    claim_options(read_schedule_submission(body).job.options);
}

void read_batch(const std::string& body)
{
    (void)read_batch_submission(body);
}

void read_cancel(const std::string& body)
{
    (void)read_batch_cancel(body);
}

void read_jobs_meant(const std::string& body)
{
    const auto chosen = read_selection(body);
    claim(chosen.all == (chosen.keys.empty() && chosen.ids.empty()));
}

void read_jobs_meant_anywhere(const std::string& body)
{
    const auto chosen = read_selection_anywhere(body);
    claim(chosen.all == chosen.ids.empty());
}

void read_ends(const std::string& body)
{
    claim_items(read_ended_jobs(body, managed_rules, most), body);
    claim_items(read_ended_jobs(body, list_rules, most), body);
}

void read_told_progress(const std::string& body)
{
    const auto found = read_progress_of_jobs(body, most);
    claim_items(found, body);
    for (const auto& item : found.items)
        if (const auto* const told = std::get_if<told_progress>(&item))
            claim(told->fraction >= 0 && told->fraction <= 1);
}

void read_saved(const std::string& body)
{
    claim_items(read_checkpoints_of_jobs(body, most), body);
}

void read_done_steps(const std::string& body)
{
    const auto found = read_steps_of_jobs(body, most);
    claim_items(found, body);
    for (const auto& item : found.items)
        if (const auto* const done = std::get_if<done_step>(&item))
            claim(!done->name.empty() && is_json(done->value));
}

void read_renewals(const std::string& body)
{
    claim_items(read_tokens(body, most), body);
}

void read_request_for_jobs(const std::string& body)
{
    const auto wanted = read_take(body, queue_kind::managed);
    claim(wanted.count >= 1 && wanted.count <= 128 && wanted.wait <= longest_wait);
}

void read_effect_list(const std::string& body)
{
    check_body(body);
    (void)read_effects(trimmed(body), managed_rules);
}

/// A flag of `coworker push` in the first line, behind it what it was given.
void read_given_flags(const std::string& text)
{
    const auto end = std::min(text.find('\n'), text.size());
    const auto flag = text.substr(0, end);
    const option_texts given{text.substr(std::min(end + 1, text.size()))};
    bool is_known = false;
    for_each_flag(job_pushed::now, [&](const push_option& option) { is_known |= flag_of(option) == flag; });
    if (is_known)
        (void)options_text(read_flags({{flag, given}}));
}

constexpr std::array<std::pair<char, void (*)(const std::string&)>, 14> body_readers{
    {{'l', read_list_jobs},
     {'m', read_managed_jobs},
     {'s', read_schedule},
     {'b', read_batch},
     {'c', read_cancel},
     {'j', read_jobs_meant},
     {'a', read_jobs_meant_anywhere},
     {'e', read_ends},
     {'p', read_told_progress},
     {'k', read_saved},
     {'S', read_done_steps},
     {'r', read_renewals},
     {'t', read_request_for_jobs},
     {'x', read_effect_list}}};

} // namespace

/// Bodies of requests. The first byte chooses what they are taken for; "f" stands for flags of the command line.
FUZZ_TARGET(members)
{
    if (bytes.empty())
        return;
    const std::string body{bytes.substr(1)};
    try {
        for (const auto& [letter, read] : body_readers)
            if (letter == bytes[0])
                read(body);
        if (bytes[0] == 'f')
            read_given_flags(body);
    } catch (const refusal& refused) {
        claim_refusal(refused, body);
    }
}

} // namespace coworker::fuzz
