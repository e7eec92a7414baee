// SPDX-License-Identifier: MIT
#include "managed/script_refusal.hpp"

#include "redis/reply.hpp"

#include <array>

namespace coworker::detail {
namespace {

struct meaning
{
    std::string_view words;
    errc code;
};

/// The words by which a refusal is known; the blanks before them are missing in some of qless' texts.
constexpr std::array meanings = {
    meaning{"does not exist", errc::job_not_found},
    meaning{"not currently running: ", errc::job_not_running},
    meaning{"not running", errc::job_not_running},
    meaning{"handed out to another worker: ", errc::lease_lost},
    meaning{"given to another worker: ", errc::lease_lost},
    meaning{"given out to another worker: ", errc::lease_lost},
    meaning{"running with another worker: ", errc::lease_lost},
    meaning{"too large to be sent: ", errc::job_too_large},
    meaning{"has ended: ", errc::job_ended},
    meaning{"has too many signals", errc::too_many_signals},
    meaning{"not in the depends state: false", errc::job_not_found}, // before the next: the same place wins
    meaning{"not in the depends state: ", errc::not_waiting_for_dependencies},
};

/// After the command's name, "Complete(): " and so on.
constexpr std::string_view about_a_job = "Job ";
constexpr std::string_view about_a_recurring_job = "No recurring job ";
constexpr std::string_view about_a_batch = "Batch ";

std::optional<errc> meaning_of(std::string_view text) noexcept
{
    // The first that appears: names of workers and queues, which may hold any words, come last.
    std::optional<errc> result;
    auto first = text.npos;
    for (const auto& each : meanings)
        if (const auto place = text.find(each.words); place < first) {
            first = place;
            result = each.code;
        }
    return result;
}

/// The id of a batch stands in the middle, and may hold any words.
std::optional<errc> meaning_for_batch(std::string_view text) noexcept
{
    if (text.ends_with(" does not exist"))
        return errc::batch_not_found;
    if (text.ends_with(" has ended") || text.ends_with(" has been cancelled"))
        return errc::batch_ended;
    return std::nullopt;
}

} // namespace

std::optional<errc> find_refusal(std::string_view text) noexcept
{
    constexpr std::string_view redis = "ERR ", call = "(): ";
    if (text.starts_with(redis))
        text.remove_prefix(redis.size());
    const auto begin = text.find(call);
    if (begin == text.npos)
        return std::nullopt;
    const auto command = text.substr(0, begin);
    text.remove_prefix(begin + call.size());
    if (command == "Cancel" && text.find(" is a dependency of ") != text.npos)
        return errc::still_depended_on;
    if (command == "Recur" && text.starts_with(about_a_recurring_job))
        return errc::recurring_job_not_found;
    if (text.starts_with(about_a_batch))
        return meaning_for_batch(text);
    if (text.starts_with("The queue is full: "))
        return errc::queue_full;
    if (text.starts_with(about_a_job))
        return meaning_of(text);
    return std::nullopt;
}

error_code error_of_refusal(std::string_view text)
{
    if (const auto code = find_refusal(text))
        return *code;
    return error_of_text(text);
}

} // namespace coworker::detail
