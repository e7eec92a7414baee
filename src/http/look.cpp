#include "http/api.hpp"

#include "http/base64url.hpp"
#include "http/times.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/redis/request.hpp>

#include <charconv>

/// What can be seen through the gateway.
namespace coworker::detail {
namespace {

constexpr std::uint64_t largest_page = 1000;

std::string describe(const std::string& name, const list_queue_sizes& sizes)
{
    boost::json::value latency = nullptr;
    if (sizes.oldest_waiting_age)
        latency = static_cast<double>(sizes.oldest_waiting_age->count()) / 1000;
    const boost::json::value text = {{"name", name},
                                     {"paused", sizes.paused},
                                     {"waiting", sizes.waiting},
                                     {"in_progress", sizes.in_progress},
                                     {"scheduled", sizes.scheduled},
                                     {"failed", sizes.failed},
                                     {"broken", sizes.broken},
                                     {"latency_seconds", latency},
                                     {"totals",
                                      {{"succeeded", sizes.total_succeeded},
                                       {"retried", sizes.total_retried},
                                       {"failed", sizes.total_failed},
                                       {"broken", sizes.total_broken},
                                       {"recovered", sizes.total_recovered}}}};
    return boost::json::serialize(text);
}

std::string optional_time(std::optional<timestamp> time)
{
    return time ? '"' + format_rfc3339(*time) + '"' : "null";
}

/// The members that all jobs have; the object stays open.
std::string begin_job(const list_job& job)
{
    return "{\"key\":\"" + to_base64url(job.payload) +
           "\",\"id\":" + (job.id.empty() ? "null" : quoted(job.id));
}

std::string describe(const list_job_failed& job)
{
    return begin_job(job) + ",\"payload\":" + (job.job.empty() ? "null" : job.job) +
           ",\"message\":" + quoted(job.message) + ",\"failed_at\":" + optional_time(job.failed_at) +
           ",\"attempts\":" + std::to_string(job.attempts) + '}';
}

std::string describe(const list_job_broken& job)
{
    return begin_job(job) + ",\"text\":" + quoted(job.payload) +
           ",\"found_at\":" + optional_time(job.found_at) + '}';
}

template<class Jobs>
answer page_of(const Jobs& jobs, const std::string& next)
{
    answer page{.body = "{\"jobs\":["};
    for (std::size_t i = 0; i != jobs.size(); ++i)
        page.body.append(i == 0 ? "" : ",").append(describe(jobs[i]));
    page.body += "],\"next\":" + (next.empty() ? "null" : quoted(next)) + "}\n";
    return page;
}

} // namespace

asio::awaitable<answer> api::ready()
{
    boost::redis::request ping;
    ping.push("PING");
    reply answers;
    co_await redis_->client().exec(ping, answers);
    answers.throw_if_error();
    co_return answer{.body = "{\"status\":\"ready\"}\n"};
}

asio::awaitable<api::name_page> api::queue_names(std::uint64_t cursor, std::size_t count)
{
    name_page page;
    const auto& types = options_.types;
    if (!types.empty()) {
        const auto begin = std::min<std::uint64_t>(cursor, types.size());
        const auto end = std::min<std::uint64_t>(begin + count, types.size());
        page.names.assign(types.begin() + static_cast<std::ptrdiff_t>(begin),
                          types.begin() + static_cast<std::ptrdiff_t>(end));
        page.next = end == types.size() ? 0 : end;
        co_return page;
    }
    boost::redis::request scan;
    scan.push("SSCAN", "hworker-gateway-queues", cursor, "COUNT", count);
    reply answers;
    co_await redis_->client().exec(scan, answers);
    answers.throw_if_error();
    // The nodes are: array, cursor, array, elements.
    const auto found = answers[0];
    const auto next = found[0];
    std::from_chars(next.data(), next.data() + next.size(), page.next);
    for (std::size_t i = 2; i < found.size(); ++i)
        page.names.emplace_back(found[i]);
    co_return page;
}

asio::awaitable<answer> api::queues(const routed& where)
{
    const auto count = number_in_query(where, "count", 100, largest_page);
    const auto cursor = number_in_query(where, "cursor", 0, std::uint64_t(-1));
    const auto page = co_await queue_names(cursor, std::max<std::uint64_t>(count, 1));
    answer result{.body = "{\"queues\":["};
    for (const auto& name : page.names) {
        raw_list_queue queue{*redis_, name};
        const auto sizes = co_await queue.sizes();
        if (result.body.back() != '[')
            result.body += ',';
        result.body += describe(name, sizes);
    }
    result.body += "],\"next\":";
    result.body +=
        page.next == 0
            ? "null"
            : quoted("/queues?cursor=" + std::to_string(page.next) + "&count=" + std::to_string(count));
    result.body += "}\n";
    co_return result;
}

asio::awaitable<answer> api::queue(const routed& where)
{
    raw_list_queue queue{*redis_, where.queue};
    const auto sizes = co_await queue.sizes();
    co_return answer{.body = describe(where.queue, sizes) + '\n'};
}

asio::awaitable<answer> api::failed(const routed& where)
{
    const auto offset = number_in_query(where, "offset", 0, std::uint64_t{1} << 32);
    const auto count = number_in_query(where, "count", 100, largest_page);
    raw_list_queue queue{*redis_, where.queue};
    const auto jobs = co_await queue.failed(offset, count);
    std::string next;
    if (count != 0 && jobs.size() == count)
        next = "/queues/" + where.queue + "/failed?offset=" + std::to_string(offset + count) +
               "&count=" + std::to_string(count);
    co_return page_of(jobs, next);
}

asio::awaitable<answer> api::broken(const routed& where)
{
    const auto cursor = number_in_query(where, "cursor", 0, std::uint64_t(-1));
    const auto count = number_in_query(where, "count", 100, largest_page);
    raw_list_queue queue{*redis_, where.queue};
    const auto page = co_await queue.broken(cursor, count);
    std::string next;
    if (page.next != 0)
        next = "/queues/" + where.queue + "/broken?cursor=" + std::to_string(page.next) +
               "&count=" + std::to_string(count);
    co_return page_of(page.items, next);
}

} // namespace coworker::detail
