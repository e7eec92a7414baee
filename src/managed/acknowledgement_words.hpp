// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_source.hpp"
#include "redis/script_arguments.hpp"

#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace coworker::detail {

/// When a job was taken, as the server wrote it. It tells this run of the job from others of the same worker, and
/// stands in the job's body behind its data. Empty if it is not known.
inline std::string_view time_taken(const fetched_job& job)
{
    if (!job.details)
        return {};
    return std::string_view{job.body}.substr(job.text_range.begin + job.text_range.size);
}

/// When a wait ends, as scripts read it: `@` and a time, or seconds from now.
std::string wait_time(const job_wait& wait);

/// The word of the scripts for what is waited for.
std::string_view wait_word(wait_kind what);

/// Writes acknowledgements as ack_and_fetch.lua wants them: groups of a count and that many words.
class acknowledgement_words
{
public:
    explicit acknowledgement_words(script_arguments& arguments) : arguments_{arguments} {}

    void add(std::span<const acknowledgement> acks);

private:
    void add(const acknowledgement& what);
    void add_finished(std::span<const acknowledgement> run);
    void add_completion(const acknowledgement& what);
    /// `completion`: the words without effects.
    void write_with_effects(const acknowledgement& what, std::span<const std::string_view> completion);
    void add_failure(const fetched_job& job, std::string_view reason, const outcome& result,
                     std::string_view group);
    void add_retry(const fetched_job& job, const outcome& result);
    void add_release(const fetched_job& job, const outcome& result);
    void write(const fetched_job& job, std::span<const std::string_view> words);
    void write(const fetched_job& job, std::initializer_list<std::string_view> words)
    {
        write(job, std::span{words.begin(), words.size()});
    }
    std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
    std::string_view group_of(const fetched_job& job, const outcome& result, std::string_view otherwise);

    script_arguments& arguments_;
    std::deque<std::string> texts_; ///< those that nobody else keeps until the call
};

} // namespace coworker::detail
