// SPDX-License-Identifier: MIT
#include "worker/conclusion.hpp"

#include "bounds.hpp"
#include "coworker/codec.hpp"
#include "coworker/suspended.hpp"
#include "job_ids.hpp"
#include "text/json_spans.hpp"

#include <boost/core/demangle.hpp>

#include <algorithm>
#include <typeinfo>

namespace coworker::detail {
namespace {

using std::chrono::milliseconds;

milliseconds ask_backoff(const handle_options& options, unsigned attempt)
{
    try {
        return std::max(options.backoff ? options.backoff.get()(attempt) : milliseconds{0}, milliseconds{0});
    } catch (...) { // the user's own function
        return exponential_backoff{}(attempt);
    }
}

std::string group_of(const outcome& result)
{
    return result.managed() != nullptr ? result.managed()->group : std::string{};
}

outcome resolve_retry(const outcome& result, unsigned attempt, const handle_options& options)
{
    if (options.max_attempts != 0 && attempt >= options.max_attempts)
        return failure(given_up_text(result.reason(), attempt), group_of(result));
    const auto delay =
        result.delay() ? std::max(*result.delay(), milliseconds{0}) : ask_backoff(options, attempt);
    return retry(result.reason(), delay, group_of(result));
}

/// With how long the value is kept that the handler returned.
outcome keep_value(const outcome& result, const handle_options& options)
{
    if (result.value() == nullptr || result.managed()->value_retention)
        return result;
    auto more = *result.managed();
    more.value_retention = options.result_retention;
    return outcome{result.what(), result.reason(), result.delay(), std::move(more)};
}

outcome from_exception(const std::string& text, std::string group, unsigned attempt,
                       const handle_options& options)
{
    if (options.exceptions == on_exception::fail)
        return failure(text, std::move(group));
    return resolve_retry(retry(text, std::nullopt, std::move(group)), attempt, options);
}

} // namespace

handler_end describe(std::exception_ptr error)
{
    handler_end end;
    try {
        std::rethrow_exception(error);
    } catch (const suspended& left) {
        end.result = left.result();
    } catch (const std::exception& e) {
        end.exception = e.what();
        end.exception_type = boost::core::demangle(typeid(e).name());
    } catch (...) {
        end.exception = "an exception that is no std::exception";
        end.exception_type = "unknown";
    }
    return end;
}

std::string given_up_text(const std::string& reason, unsigned attempts)
{
    return reason + " (given up after " + std::to_string(attempts) +
           (attempts == 1 ? " attempt)" : " attempts)");
}

outcome check_answer(outcome answered, const job_source::abilities& source)
{
    const auto* more = answered.managed();
    const auto* wait = more != nullptr && more->wait ? &*more->wait : nullptr;
    if (wait != nullptr && !source.suspends)
        return failure("`suspend` was answered, but only jobs of managed queues can wait for something");
    const auto* hold = more != nullptr && more->hold ? &*more->hold : nullptr;
    if (hold != nullptr && !source.suspends)
        return failure("`release_and_hold` was answered, but only managed queues can be held");
    const bool can_be_own = hold != nullptr && hold->what.kind != hold_kind::limit && hold->what.name.empty();
    if (hold != nullptr && !can_be_own && !is_valid_name(hold->what.name))
        return failure("`release_and_hold` was answered with a name that is not UTF-8 of 1 to 256 bytes");
    if (wait != nullptr && !is_valid_name(wait->name))
        return failure("`suspend` was answered with a name that is not UTF-8 of 1 to 256 bytes");
    const bool forwards = answered.what() == outcome::kind::forward;
    if (forwards && !source.forwards)
        return failure("`forward` was answered, but only managed queues have a next queue");
    if (forwards && more->next.empty())
        return failure("`forward` was answered without the name of a queue");
    if (more != nullptr && more->value && more->value->text.size() > max_result_size)
        return failure("the handler's result has more than 8 MiB", ":result");
    if (more != nullptr && more->how.data && !encode(*more->how.data))
        return failure("the handler answered with data that are not JSON");
    if (more != nullptr && more->how.data && is_json_false(more->how.data->text))
        return failure(
            "the handler answered with the data false, with which no qless client can complete a job");
    return answered;
}

outcome conclude(const handler_end& end, end_reason reason, unsigned attempt, const handle_options& options)
{
    const bool is_retry = end.result && end.result->what() == outcome::kind::retry;
    if (is_retry && reason == end_reason::worker_stops) // it was interrupted, which costs no attempt
        return release();
    if (end.result)
        return is_retry ? resolve_retry(*end.result, attempt, options) : keep_value(*end.result, options);
    switch (reason) {
    case end_reason::worker_stops:
        return release();
    case end_reason::expiry:
        return failure("it has expired", ":expired");
    case end_reason::timeout:
        return from_exception("its timeout has passed", ":timeout", attempt, options);
    case end_reason::lease_lost:
    case end_reason::none:
        break;
    }
    std::string group{':'};
    group += end.exception_type;
    return from_exception(end.exception, std::move(group), attempt, options);
}

namespace {

/// Who has pushed a job with many retries bears with as many lost runs: a tenth of those that are left may crash.
bool is_quarantined(const fetched_job& job, const handle_options& options)
{
    return options.max_crashes != 0 &&
           job.crashes >= std::max(options.max_crashes, job.retries_left.value_or(0) / 10);
}

} // namespace

std::optional<outcome> refuse_to_start(const fetched_job& job, std::optional<milliseconds> age,
                                       const handle_options& options)
{
    const auto attempt = job.attempt;
    if (is_quarantined(job, options))
        return failure("quarantined: " + std::to_string(job.crashes) +
                           (job.crashes == 1 ? " of its runs has" : " of its runs have") +
                           " ended with the worker",
                       ":quarantined");
    if (options.max_attempts != 0 && attempt > options.max_attempts)
        return failure("given up after " + std::to_string(attempt - 1) +
                       " attempts; the last ended with its worker or its lease");
    if (options.expiry.count() > 0 && age && *age >= options.expiry)
        return failure("it has expired", ":expired");
    return std::nullopt;
}

} // namespace coworker::detail
