// SPDX-License-Identifier: MIT
#include "coworker/managed_queue.hpp"
#include "gateway/api.hpp"
#include "gateway/effect_submission.hpp"

/// What workers over HTTP hand over with an acknowledgement, as effects.
namespace coworker::detail {
namespace {

/// Called where `error` is handled: it is about the effect at this place.
[[noreturn]] void refuse_unfit(std::size_t place, const system_error& error)
{
    const auto code = error.code();
    if (code == errc::job_too_large)
        throw refuse_effect(place, 413, error.what());
    if (code == errc::invalid_option || code == errc::invalid_job_id || code == errc::not_serializable ||
        code == errc::not_supported || code == errc::invalid_queue_name)
        throw refuse_effect(place, 400, error.what());
    throw;
}

} // namespace

asio::awaitable<job_effects> api::make_effects(std::vector<effect_submission> given)
{
    std::optional<timestamp> now;
    for (auto& each : given)
        if (auto* const child = std::get_if<managed_child>(&each); child != nullptr && child->what.run_at) {
            if (!now)
                now = co_await inspector_.async_server_time(awaited);
            set_delay(child->what, *now);
        }
    job_effects effects;
    for (std::size_t i = 0; i != given.size(); ++i) {
        try {
            if (const auto* const words = std::get_if<text_list>(&given[i]))
                effects.add(*words);
            else if (const auto* const job = std::get_if<submission>(&given[i]))
                effects.push(queue_for(job->type), job->what.job, job->what.options);
            else
                add_child(effects, std::get<managed_child>(given[i]));
        } catch (const system_error& error) {
            refuse_unfit(i, error);
        }
    }
    co_return effects;
}

void api::add_child(job_effects& effects, const managed_child& child)
{
    const managed_queue queue{redis_, child.queue, {.prefix = options_.managed_prefix, .max_job_size = 0}};
    effects.push(queue, child.what.job.kind, raw_json{child.what.job.data}, child.what.job.options);
}

} // namespace coworker::detail
