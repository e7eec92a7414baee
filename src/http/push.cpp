#include "http/api.hpp"

#include "job_ids.hpp"
#include "limits.hpp"
#include "list/keys.hpp"
#include "list/payload.hpp"
#include "list/submit.hpp"
#include "text/json_object.hpp"

#include <boost/redis/request.hpp>

#include <span>

/// POST /jobber/queue
namespace coworker::detail {
namespace {

std::string make_id()
{
    static job_ids ids;
    return ids.next();
}

/// The jobs of one request that go into one queue, and where they stand in the request.
struct queue_batch
{
    std::vector<submitted_job> jobs;
    std::vector<std::size_t> places;
};

std::map<std::string, queue_batch> sort_by_type(submissions& all)
{
    std::map<std::string, queue_batch> batches;
    for (std::size_t i = 0; i != all.items.size(); ++i) {
        auto* const item = std::get_if<submission>(&all.items[i]);
        if (!item)
            continue;
        auto& batch = batches[item->type];
        auto& job = batch.jobs.emplace_back(std::move(item->how));
        if (job.id.empty())
            job.id = make_id();
        job.payload = make_payload(job.id, item->job);
        batch.places.push_back(i);
    }
    return batches;
}

answer queued_answer(const std::string& id, bool now)
{
    return {.status = now ? 201u : 200u, .body = "{\"job-id\":" + json_string(id) + "}\n"};
}

/// One answer for all: the status of each if they have the same, else 207.
answer combine(const std::vector<answer>& answers)
{
    answer result{.status = answers.front().status, .body = "["};
    for (const auto& one : answers) {
        if (one.status != result.status)
            result.status = 207;
        std::string_view text = one.body;
        text.remove_suffix(1); // the line's end
        if (one.content_type == "application/json")
            result.body += "{\"status\":" + std::to_string(one.status) + ',' + std::string{text.substr(1)};
        else
            result.body += text;
        result.body += ',';
    }
    result.body.back() = ']';
    result.body += '\n';
    if (result.status == 503)
        result.fields.emplace_back("Retry-After", "1");
    return result;
}

} // namespace

asio::awaitable<void> api::register_type(const std::string& type)
{
    // Told again now and then, since Redis may have been emptied meanwhile.
    const auto now = std::chrono::steady_clock::now();
    const auto known = registered_.find(type);
    if (!options_.types.empty() ||
        (known != registered_.end() && now - known->second < std::chrono::minutes{1}))
        co_return;
    boost::redis::request add;
    add.push("SADD", known_queues_key, type);
    reply answers;
    co_await detail::connection_of(redis_).exec(add, answers);
    answers.throw_if_error();
    if (registered_.size() >= 10'000)
        registered_.clear();
    registered_[type] = now;
}

asio::awaitable<answer> api::push(const routed& where)
{
    auto all = read_submissions(where.request.body, {options_.types, options_.jobs_per_request});
    auto batches = sort_by_type(all);
    std::vector<answer> answers(all.items.size());
    for (std::size_t i = 0; i != all.items.size(); ++i)
        if (auto* const refused = std::get_if<answer>(&all.items[i]))
            answers[i] = std::move(*refused);
    for (auto& [type, batch] : batches) {
        const std::span jobs{batch.jobs};
        // In parts, so that those queued before an error are told apart from the others.
        for (std::size_t begin = 0; begin < jobs.size(); begin += max_batch) {
            const auto part = jobs.subspan(begin, std::min(max_batch, jobs.size() - begin));
            auto told = co_await push_part(type, part);
            for (std::size_t i = 0; i != part.size(); ++i)
                answers[batch.places[begin + i]] = std::move(told[i]);
        }
    }
    co_return all.is_array ? combine(answers) : answers.front();
}

asio::awaitable<std::vector<answer>> api::push_part(const std::string& type,
                                                    std::span<const submitted_job> jobs)
{
    std::vector<answer> answers;
    try {
        co_await register_type(type);
        const auto queued = co_await submit(detail::connection_of(redis_), type, jobs, options_.remember_ids);
        for (std::size_t i = 0; i != jobs.size(); ++i)
            answers.push_back(queued_answer(jobs[i].id, queued[i]));
    } catch (const system_error& error) {
        if (error.code() == asio::error::operation_aborted)
            throw;
        answers.assign(jobs.size(), problem_of(error));
    }
    co_return answers;
}

} // namespace coworker::detail
