// SPDX-License-Identifier: MIT
#include "json/schedule_submission.hpp"

namespace coworker::detail {
namespace {

/// The members that say when it runs.
template<class Submission>
member_readers<Submission> time_members()
{
    return {
        {"cron", read_into<member_text, &Submission::when, &schedule::cron>},
        {"zone", read_into<member_text, &Submission::when, &schedule::zone>},
        {"every", read_into<member_whole_seconds, &Submission::when, &schedule::every>},
        {"anchor", read_into<member_point_in_time, &Submission::when, &schedule::anchor>},
        {"missed", read_into<member_missed_runs, &Submission::when, &schedule::missed>},
        {"begin", read_into<member_point_in_time, &Submission::when, &schedule::begin>},
        {"end", read_into<member_point_in_time, &Submission::when, &schedule::end>},
        {"most_runs", read_into<member_count, &Submission::when, &schedule::most_runs>},
        {"jitter", read_into<member_whole_seconds, &Submission::when, &schedule::jitter>},
    };
}

const member_readers<schedule_submission>& schedule_members()
{
    static const member_readers<schedule_submission> readers = [] {
        auto all = time_members<schedule_submission>();
        all.emplace("queue", [](schedule_submission& into, member_name name, json_text json) {
            into.queue = member_managed_queue(name, json).name();
        });
        for (const auto& [name, read] : job_option_members())
            all.emplace(name, read);
        return all;
    }();
    return readers;
}

const member_readers<list_schedule_submission>& list_schedule_members()
{
    static const member_readers<list_schedule_submission> readers = [] {
        auto all = time_members<list_schedule_submission>();
        all.emplace("payload", [](list_schedule_submission& into, member_name, json_text json) {
            into.job.text = std::string{json};
        });
        return all;
    }();
    return readers;
}

} // namespace

std::chrono::seconds member_whole_seconds(const std::string& name, std::string_view json)
{
    const auto time = member_time(name, json);
    if (time % std::chrono::seconds{1} != std::chrono::milliseconds{0})
        refuse_member(name, R"(a time of whole seconds, such as 30, "5m" or "1d")");
    return std::chrono::duration_cast<std::chrono::seconds>(time);
}

const option_words<missed_runs>& words_of_missed_runs()
{
    static const auto words = words_of({missed_runs::skip, missed_runs::once, missed_runs::all});
    return words;
}

missed_runs member_missed_runs(const std::string& name, std::string_view json)
{
    return member_word(name, json, words_of_missed_runs());
}

schedule_submission read_schedule_submission(const std::string& body)
{
    auto result = read_object(body, "a schedule", schedule_members());
    check_job(result.job);
    if (result.queue.empty())
        refuse_body("The member 'queue' is missing; it says which managed queue the jobs are pushed to.");
    return result;
}

list_schedule_submission read_list_schedule_submission(const std::string& body)
{
    auto result = read_object(body, "a schedule", list_schedule_members());
    if (result.job.text.empty())
        refuse_body("The member 'payload' is missing; it is the job, any JSON value.");
    return result;
}

} // namespace coworker::detail
