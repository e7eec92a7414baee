// SPDX-License-Identifier: MIT
#include "json/effect_maker.hpp"

#include "coworker/managed_queue.hpp"
#include "json/error_sentence.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <string>

namespace coworker::detail {
namespace {

/// What the server said stays with an error.
constexpr auto with_its_words = with_diagnostics(boost::asio::use_awaitable);

/// What is wrong with the effect at this place, or throws the error that is being handled again.
[[noreturn]] void refuse_unfit(std::size_t place, const system_error& error)
{
    const auto code = error.code();
    if (code == errc::job_too_large)
        throw refuse_effect(place, 413, sentence_of(error));
    if (code == errc::invalid_option || code == errc::invalid_job_id || code == errc::not_serializable ||
        code == errc::not_supported || code == errc::invalid_queue_name)
        throw refuse_effect(place, 400, sentence_of(error));
    throw;
}

} // namespace

effect_maker::effect_maker(const client& redis, std::string managed_prefix, known_list_queues& lists)
    : redis_{share(redis)}, managed_prefix_{std::move(managed_prefix)},
      server_{redis, {.managed_prefix = managed_prefix_}}, lists_{&lists}
{}

boost::asio::awaitable<void> effect_maker::add(job_effects& to, std::vector<effect_submission> given)
{
    for (std::size_t i = 0; i != given.size(); ++i) {
        try {
            if (const auto* const words = std::get_if<text_list>(&given[i]))
                to.add(*words);
            else if (auto* const job = std::get_if<list_submission>(&given[i]))
                co_await push(to, *job);
            else
                co_await push(to, std::get<managed_child>(given[i]));
        } catch (const system_error& error) {
            refuse_unfit(i, error);
        }
    }
}

boost::asio::awaitable<void> effect_maker::push(job_effects& to, list_submission& child)
{
    const auto queue = lists_->get(child.type);
    bool is_unknown = false; ///< into how many partitions it is divided
    try {
        to.push(queue, child.what.job, child.what.options);
    } catch (const system_error& error) {
        if (error.code() != errc::not_supported)
            throw;
        is_unknown = true; // or it is something else, and is refused again
    }
    if (!is_unknown)
        co_return;
    co_await queue.async_sizes(with_its_words);
    to.push(queue, child.what.job, child.what.options);
}

boost::asio::awaitable<void> effect_maker::push(job_effects& to, managed_child& child)
{
    if (child.what.run_at) {
        const auto now = co_await server_.async_server_time(with_its_words);
        set_delay(child.what, now);
    }
    const managed_queue queue{redis_, child.queue, {.prefix = managed_prefix_, .max_job_size = 0}};
    to.push(queue, child.what.job.kind, raw_json{child.what.job.data}, child.what.job.options);
}

} // namespace coworker::detail
