// SPDX-License-Identifier: MIT
#include "managed/acknowledgement_words.hpp"

#include "coworker/managed_details.hpp"
#include "managed/limit_words.hpp"
#include "redis/effect_words.hpp"
#include "text/numbers.hpp"
#include "text/utf8.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace coworker::detail {
namespace {

std::string seconds(std::chrono::milliseconds time)
{
    return format_thousandths(std::max<std::int64_t>(time.count(), 0));
}

/// The job is complete as it is, at its first attempt: nothing of it has to be known but its jid.
bool is_plain(const acknowledgement& what)
{
    const auto& result = *what.result;
    if (what.effects != nullptr || result.what() != outcome::kind::success || time_taken(*what.job).empty())
        return false;
    if (what.job->has_checkpoint || what.job->has_steps ||
        (result.managed() != nullptr && (result.managed()->how.data || result.managed()->value)))
        return false;
    const auto* details = dynamic_cast<const managed_details*>(what.job->details.get());
    return details != nullptr && details->retries >= 0 && details->remaining == details->retries &&
           !details->retention; // the script has to know for how long it is kept
}

/// How long a result is kept of which the outcome does not say so.
std::chrono::milliseconds result_retention_of(const fetched_job& job)
{
    const auto own = job.details ? job.details->own_result_retention() : std::nullopt;
    return own.value_or(std::chrono::hours{1});
}

/// How many at the front are plain and were taken together.
std::size_t size_of_run(std::span<const acknowledgement> acks)
{
    std::size_t size = 0;
    while (size != acks.size() && is_plain(acks[size]) &&
           time_taken(*acks[size].job) == time_taken(*acks.front().job))
        ++size;
    return size;
}

} // namespace

void acknowledgement_words::add(std::span<const acknowledgement> acks)
{
    while (!acks.empty()) {
        const auto size = std::max<std::size_t>(size_of_run(acks), 1);
        if (size == 1)
            add(acks.front());
        else
            add_finished(acks.first(size));
        acks = acks.subspan(size);
    }
}

void acknowledgement_words::add_finished(std::span<const acknowledgement> run)
{
    arguments_.add_number(static_cast<std::int64_t>(run.size() + 3));
    arguments_.add("since");
    arguments_.add(time_taken(*run.front().job));
    arguments_.add("finished");
    for (const auto& each : run)
        arguments_.add(each.job->id());
}

void acknowledgement_words::write(const fetched_job& job, std::span<const std::string_view> words)
{
    const auto since = time_taken(job);
    arguments_.add_number(static_cast<std::int64_t>(words.size() + (since.empty() ? 0 : 2)));
    if (!since.empty()) {
        arguments_.add("since");
        arguments_.add(since);
    }
    for (const auto& word : words)
        arguments_.add(word);
}

void acknowledgement_words::add(const acknowledgement& what)
{
    const auto& job = *what.job;
    const auto& result = *what.result;
    switch (result.what()) {
    case outcome::kind::success:
    case outcome::kind::forward:
        return add_completion(what);
    case outcome::kind::failure:
        return add_failure(job, result.reason(), result, ":failure");
    case outcome::kind::broken:
        return add_failure(job, result.reason(), result, ":not-decodable");
    case outcome::kind::retry:
        return add_retry(job, result);
    case outcome::kind::release:
        return add_release(job, result);
    }
}

std::string wait_time(const job_wait& wait)
{
    const auto& until = wait.until.get();
    if (!until)
        return seconds(wait.length);
    const auto micros = until->time_since_epoch().count();
    return '@' + format_thousandths(std::max<std::int64_t>(micros, 0) / 1000);
}

std::string_view wait_word(wait_kind what)
{
    return what == wait_kind::signal ? "signal" : what == wait_kind::job ? "job" : "sleep";
}

void acknowledgement_words::add_release(const fetched_job& job, const outcome& result)
{
    const auto* more = result.managed();
    if (more != nullptr && more->hold) {
        const auto& [what, time] = *more->hold;
        return write(job, {"release", job.id(), "hold", word_of(what.kind), what.name, keep(seconds(time))});
    }
    const auto* wait = more != nullptr && more->wait ? &*more->wait : nullptr;
    if (wait == nullptr)
        return write(job, {"release", job.id()});
    write(job, {"release", job.id(), wait_word(wait->what), wait->name, keep(std::to_string(wait->turn)),
                keep(wait_time(*wait)), keep(std::to_string(wait->after))});
}

/// The group that was asked for, or else `otherwise`; in front of a colon goes the job's klass.
std::string_view acknowledgement_words::group_of(const fetched_job& job, const outcome& result,
                                                 std::string_view otherwise)
{
    std::string_view group = result.managed() != nullptr ? result.managed()->group : std::string_view{};
    if (group.empty())
        group = otherwise;
    std::string whole = group.starts_with(':') ? job.kind : std::string{};
    whole += group;
    // What clients read has to be valid JSON, so valid UTF-8, whatever an exception says.
    return keep(make_utf8(whole));
}

void acknowledgement_words::add_completion(const acknowledgement& what)
{
    const auto& job = *what.job;
    const auto& result = *what.result;
    const auto* more = result.managed();
    const auto* data = more != nullptr && more->how.data ? &more->how.data->text : nullptr;
    std::vector<std::string_view> words;
    words.reserve(12);
    words.push_back(data != nullptr ? "complete" : "done");
    words.push_back(job.id());
    if (data != nullptr)
        words.push_back(*data);
    if (result.what() == outcome::kind::forward) {
        const auto& depends = more->how.depends;
        for (const std::string_view word : {std::string_view{"next"}, std::string_view{more->next},
                                            std::string_view{"delay"}, keep(seconds(more->how.delay))})
            words.push_back(word);
        words.push_back("depends");
        words.push_back(depends.empty() ? std::string_view{"[]"}
                                        : keep(boost::json::serialize(boost::json::value_from(depends))));
    }
    const auto* value = result.value();
    const auto retention = value != nullptr ? more->value_retention.value_or(result_retention_of(job))
                                            : std::chrono::milliseconds{0};
    if (retention.count() > 0 && result.what() == outcome::kind::success) {
        words.insert(words.end(), {std::string_view{"result"}, std::string_view{value->text},
                                   std::string_view{"keep"}, keep(std::to_string(retention.count()))});
    }
    if (job.has_checkpoint)
        words.insert(words.end(), {std::string_view{"checkpoint"}, std::string_view{"drop"}});
    if (what.effects != nullptr)
        return write_with_effects(what, words);
    write(job, words);
}

void acknowledgement_words::write_with_effects(const acknowledgement& what,
                                               std::span<const std::string_view> completion)
{
    constexpr std::size_t verb_and_jid = 2;
    std::vector<std::string_view> words{"effects", what.job->id(),
                                        group_of(*what.job, outcome{}, ":effects")};
    words.reserve(words.size() + count_effect_words(*what.effects) + completion.size());
    add_effects(
        *what.effects, [&](std::string_view word) { words.push_back(word); },
        [&](std::size_t number) { words.push_back(keep(std::to_string(number))); });
    words.push_back(completion.front());
    words.insert(words.end(), completion.begin() + verb_and_jid, completion.end());
    write(*what.job, words);
}

void acknowledgement_words::add_failure(const fetched_job& job, std::string_view reason,
                                        const outcome& result, std::string_view group)
{
    write(job, {"fail", job.id(), group_of(job, result, group), keep(make_utf8(reason))});
}

void acknowledgement_words::add_retry(const fetched_job& job, const outcome& result)
{
    const auto delay = keep(seconds(result.delay().value_or(std::chrono::milliseconds{0})));
    if (result.reason().empty())
        return write(job, {"retry", job.id(), delay});
    write(job, {"retry", job.id(), delay, group_of(job, result, ":retry"), keep(make_utf8(result.reason()))});
}

} // namespace coworker::detail
