#include "limits.hpp"
#include "list/deliverable.hpp"
#include "list/list_source.hpp"
#include "list/payload.hpp"

#include <algorithm>
#include <utility>

/// How jobs of a list queue are settled and taken.
namespace coworker::detail {

using namespace std::chrono_literals;

namespace {

std::string_view kind_name(outcome::kind kind) noexcept
{
    switch (kind) {
    case outcome::kind::success:
        return "success";
    case outcome::kind::retry:
        return "retry";
    case outcome::kind::failure:
        return "failure";
    case outcome::kind::give_back:
        return "give_back";
    case outcome::kind::broken:
        return "broken";
    case outcome::kind::advance: // the worker does not let it come here
        break;
    }
    return "failure";
}

taken_job make_job(std::string_view payload, std::shared_ptr<const std::string> lease, unsigned attempt)
{
    taken_job job;
    job.body = payload;
    job.lease = std::move(lease);
    job.attempt = attempt;
    const auto range = [&](std::string_view part) {
        return taken_job::range{static_cast<std::size_t>(part.data() - job.body.data()), part.size()};
    };
    if (auto parts = split_payload(job.body)) {
        job.text_range = range(parts->job);
        if (!parts->plain_id.empty())
            job.id_range = range(parts->plain_id);
        else
            job.long_id = std::move(parts->id);
    } else {
        job.decodable = false;
    }
    return job;
}

/// The order in which exchange.lua wants settlements: successes first, those of one lease together; then the
/// others; and jobs given back last and backwards, since each goes in front of the one before it.
struct settlement_order
{
    explicit settlement_order(std::span<const settlement> settled)
    {
        std::vector<std::size_t> others, given_back;
        for (std::size_t i = 0; i != settled.size(); ++i) {
            const auto what = settled[i].result->what();
            (what == outcome::kind::success     ? order
             : what == outcome::kind::give_back ? given_back
                                                : others)
                .push_back(i);
        }
        successes = order.size();
        // Usually in order already: jobs that were taken together mostly end together.
        const auto lease = [&](std::size_t i) -> const std::string& { return *settled[i].job->lease; };
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return lease(a) < lease(b); });
        order.insert(order.end(), others.begin(), others.end());
        order.insert(order.end(), given_back.rbegin(), given_back.rend());
    }

    std::vector<std::size_t> order; ///< indexes into the settlements
    std::size_t successes = 0;      ///< how many of them, at the front
};

void add_successes(std::span<const settlement> settled, std::span<const std::size_t> order,
                   script_arguments& arguments)
{
    const auto lease = [&](std::size_t i) -> const std::string& { return *settled[order[i]].job->lease; };
    std::vector<std::size_t> begins; // of each group
    for (std::size_t i = 0; i != order.size(); ++i)
        if (i == 0 || lease(i) != lease(i - 1))
            begins.push_back(i);
    arguments.add_number(static_cast<std::int64_t>(begins.size()));
    begins.push_back(order.size());
    for (std::size_t group = 0; group + 1 != begins.size(); ++group) {
        arguments.add(lease(begins[group]));
        arguments.add_number(static_cast<std::int64_t>(begins[group + 1] - begins[group]));
        for (auto i = begins[group]; i != begins[group + 1]; ++i)
            arguments.add(settled[order[i]].job->body);
    }
}

void add_others(std::span<const settlement> settled, std::span<const std::size_t> order,
                script_arguments& arguments)
{
    for (const auto i : order) {
        const auto* job = settled[i].job;
        const auto* result = settled[i].result;
        arguments.add(job->body);
        arguments.add(*job->lease);
        arguments.add(kind_name(result->what()));
        arguments.add_number(job->attempt);
        arguments.add_number(result->delay().value_or(0ms).count());
        arguments.add(result->reason());
    }
}

} // namespace

asio::awaitable<job_source::exchange_result> list_source::exchange(std::span<const settlement> settled,
                                                                   std::size_t count)
{
    if (count == 0)
        co_return co_await exchange_now(settled, 0);
    if (taking_ && one_at_a_time_) { // the jobs are found when the other call has been answered
        if (settled.empty())
            co_return exchange_result{};
        co_return co_await exchange_now(settled, 0);
    }
    const bool is_first = !std::exchange(taking_, true);
    const auto ended = [&](bool unanswered) {
        if (is_first)
            taking_ = false;
        one_at_a_time_ = one_at_a_time_ || unanswered;
    };
    try {
        auto result = co_await exchange_now(settled, count);
        ended(false);
        co_return result;
    } catch (...) {
        ended(true);
        throw;
    }
}

asio::awaitable<job_source::exchange_result> list_source::exchange_now(std::span<const settlement> settled,
                                                                       std::size_t count)
{
    script_arguments arguments{keys_.jobs,   keys_.progress, keys_.scheduled, keys_.attempts, keys_.twins,
                               keys_.paused, keys_.workers,  keys_.counters,  keys_.failed,   keys_.failures,
                               keys_.broken, keys_.reasons,  keys_.found,     keys_.shared,   keys_.ready};
    arguments.reserve(32 + 2 * settled.size());
    arguments.add_number(static_cast<std::int64_t>(count));
    arguments.add_number(worker_);
    arguments.add(redis_->name());
    arguments.add_number(static_cast<std::int64_t>(options_.failed_limit));
    arguments.add_number(static_cast<std::int64_t>(options_.broken_limit));
    arguments.add_number(deliverable_size(options_));
    arguments.add_number(careful_ > 0 ? 1 : 16);
    const bool repeated =
        std::any_of(settled.begin(), settled.end(), [](const auto& s) { return s.repeated; });
    arguments.add_number(repeated ? 0 : lease_.count());
    const settlement_order sorted{settled};
    const std::span<const std::size_t> order{sorted.order};
    add_successes(settled, order.first(sorted.successes), arguments);
    add_others(settled, order.subspan(sorted.successes), arguments);

    static const script& exchange_script = find_script("list/exchange");
    const reply answers = co_await redis_->call(exchange_script, arguments, patience::unlimited);
    const auto answer = answers.back();
    const auto start = std::make_shared<const std::string>(answer[0]);
    const auto worker = answer.integer(1);
    const auto lost = reply::part(answer, 3);
    const auto taken = reply::part(answer, 4);
    const auto attempts = reply::part(answer, 5);

    exchange_result result;
    std::vector<const taken_job*> taken_away;
    for (std::size_t i = 0; i != lost.size(); ++i) {
        result.lost.push_back(order[lost.position(i, order.size())]);
        if (const auto& each = settled[result.lost.back()]; !each.repeated)
            taken_away.push_back(each.job);
    }
    result.taken.reserve(taken.size());
    for (std::size_t i = 0; i != taken.size(); ++i)
        result.taken.push_back(make_job(
            taken[i], start, attempts.size() == 0 ? 1 : 1 + static_cast<unsigned>(attempts.integer(i))));
    worker_ = worker; // not before all of the answer has been read
    note_sizes(result.taken);
    co_await count_lost(std::move(taken_away));
    co_return result;
}

/// A queue of large jobs is looked at one by one, so that Redis does not copy sixteen of them to take one.
void list_source::note_sizes(std::span<const taken_job> taken) noexcept
{
    constexpr std::size_t large = 65536, too_large_for_two = 8 * 1024 * 1024;
    constexpr int takes = 64;
    if (taken.empty())
        return;
    std::size_t largest = 0;
    for (const auto& job : taken)
        largest = std::max(largest, job.body.size());
    if (largest > large)
        careful_ = takes;
    else if (careful_ > 0)
        --careful_;
    one_at_a_time_ = largest > too_large_for_two;
}

} // namespace coworker::detail
