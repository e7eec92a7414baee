// SPDX-License-Identifier: MIT
#include "conformance/source_kind.hpp"
#include "support/qless_client.hpp"

#include "coworker/list_queue.hpp"
#include "coworker/managed_queue.hpp"
#include "coworker/testing.hpp"

#include <iterator>
#include <list>

namespace coworker::test {
namespace {

using namespace std::chrono_literals;

std::string quoted(const std::string& id)
{
    return '"' + id + '"';
}

/// Each source has a connection of its own, as workers in different processes have.
class redis_kind : public source_kind
{
public:
    asio::awaitable<void> kill(std::size_t source) override
    {
        co_await std::next(clients_.begin(), static_cast<std::ptrdiff_t>(source) - 1)->async_stop();
    }
    asio::awaitable<void> end() override
    {
        for (auto& each : clients_)
            co_await each.async_stop();
    }

    redis_server* server() noexcept override { return &server_; }

protected:
    client& connect()
    {
        client_options how;
        how.url = server_.url();
        if (call_timeout)
            how.connect_timeout = how.command_timeout = *call_timeout;
        how.on_event = connections.observe();
        how.thread_safe = false; // all workers are on one executor
        return clients_.emplace_back(io.get_executor(), how);
    }

    bool are_watched(std::size_t keys)
    {
        return std::stoul(server_.raw().info("stats", "tracking_total_items")) >= keys;
    }

    redis_server server_;

private:
    std::list<client> clients_;
};

class list_kind final : public redis_kind
{
public:
    void push(const std::string& id) override { server_("LPUSH", "hworker-jobs-q", payload(id)); }
    void push_later(const std::string& id) override
    {
        server_("ZADD", "hworker-scheduled-q", "99999999999999", "000000000001:" + payload(id));
    }
    void push_soon(const std::string& id, std::chrono::milliseconds delay) override
    {
        const auto now = server_("TIME").texts();
        const auto due = std::stoll(now[0]) * 1000 + std::stoll(now[1]) / 1000 + delay.count();
        server_("ZADD", "hworker-scheduled-q", due, "000000000001:" + payload(id));
    }
    void make_due() override
    {
        for (const auto& each : server_("ZRANGE", "hworker-scheduled-q", 0, -1).texts())
            server_("ZADD", "hworker-scheduled-q", 1, each);
    }
    void end_leases() override
    {
        for (const auto& each : server_("HKEYS", "hworker-progress-q").texts())
            server_("HSET", "hworker-progress-q", each, R"("2020-01-01T00:00:00.000000000077Z")");
    }

    std::int64_t waiting() override { return server_("LLEN", "hworker-jobs-q").integer; }
    std::int64_t scheduled() override { return server_("ZCARD", "hworker-scheduled-q").integer; }
    std::int64_t running() override { return server_("HLEN", "hworker-progress-q").integer; }
    std::int64_t succeeded() override
    {
        const auto count = server_("HGET", "hworker-counters-q", "success");
        return count.is_nil() ? 0 : std::stoll(count.text);
    }
    std::int64_t given_up() override
    {
        return server_("LLEN", "hworker-failed-q").integer + server_("HLEN", "hworker-broken-q").integer;
    }
    std::vector<std::string> waiting_ids() override
    {
        const auto payloads = server_("LRANGE", "hworker-jobs-q", 0, -1).texts();
        std::vector<std::string> ids;
        for (auto each = payloads.rbegin(); each != payloads.rend(); ++each)
            ids.push_back(each->substr(2, each->find('"', 2) - 2));
        return ids;
    }
    std::string left_of_workers() override
    {
        std::string left;
        for (const char* part : {"progress", "workers", "gone", "duplicates"})
            if (server_("EXISTS", std::string{"hworker-"} + part + "-q").integer != 0)
                left += std::string{part} + ' ';
        return left;
    }
    /// Each with jobs, scheduled and paused; a monitor with progress, duplicates and shared, and the schedules: with Redis 7.0,
    /// which tracks what a script is given, these are two keys.
    bool are_asleep(std::size_t workers, std::size_t monitors) override
    {
        const auto of_schedules = server_.raw().info("server", "redis_version").starts_with("7.0.") ? 2U : 1U;
        return are_watched(3 * workers + (3 + of_schedules) * monitors);
    }

private:
    std::unique_ptr<job_source> new_source() override
    {
        raw_list_queue queue{connect(), "q"};
        return queue.make_source();
    }

    static std::string payload(const std::string& id) { return '[' + quoted(id) + ',' + quoted(id) + ']'; }
};

class managed_kind final : public redis_kind
{
public:
    managed_kind() { client_.set_option("grace-period", "0"); }

    handle_options leased_for(std::chrono::milliseconds lease) override
    {
        client_.set_option("heartbeat", std::to_string(std::chrono::duration<double>{lease}.count()));
        return {};
    }

    void push(const std::string& id) override { client_.put(id, "Letter", quoted(id)); }
    void push_later(const std::string& id) override { put_after(id, "3600"); }
    void push_soon(const std::string& id, std::chrono::milliseconds delay) override
    {
        put_after(id, std::to_string(std::chrono::duration<double>{delay}.count()));
    }
    void make_due() override
    {
        for (const auto& each : server_("ZRANGE", "ql:q:mail-scheduled", 0, -1).texts())
            server_("ZADD", "ql:q:mail-scheduled", 1, each);
    }
    void end_leases() override
    {
        for (const auto& each : server_("ZRANGE", "ql:q:mail-locks", 0, -1).texts()) {
            server_("ZADD", "ql:q:mail-locks", 1, each);
            server_("HSET", "ql:j:" + each, "expires", 1);
        }
    }

    std::int64_t waiting() override { return server_("ZCARD", "ql:q:mail-work").integer; }
    std::int64_t scheduled() override { return server_("ZCARD", "ql:q:mail-scheduled").integer; }
    std::int64_t running() override { return server_("ZCARD", "ql:q:mail-locks").integer; }
    std::int64_t succeeded() override { return server_("ZCARD", "ql:completed").integer; }
    std::int64_t given_up() override
    {
        std::int64_t all = 0;
        for (const auto& group : server_("SMEMBERS", "ql:failures").texts())
            all += server_("LLEN", "ql:f:" + group).integer;
        return all;
    }
    std::vector<std::string> waiting_ids() override
    {
        return server_("ZRANGE", "ql:q:mail-work", 0, -1, "REV").texts();
    }
    std::string left_of_workers() override
    {
        const bool none = running() == 0 && server_("ZCARD", "ql:workers").integer == 0;
        return (none ? "" : "workers or locks ") + client_.broken();
    }
    bool keeps_order() const override { return false; }
    /// Each with work, scheduled, recur, paused_queues, config and the prefix; a monitor with workers.
    bool are_asleep(std::size_t workers, std::size_t monitors) override
    {
        return are_watched(7 * workers + 2 * monitors);
    }

private:
    std::unique_ptr<job_source> new_source() override
    {
        managed_queue queue{connect(), "mail"};
        return queue.make_source();
    }

    void put_after(const std::string& id, const std::string& seconds)
    {
        client_.qless("put", "", "mail", id, "Letter", quoted(id), seconds);
    }

    qless_client client_{server_};
};

testing::raw_memory_queue& raw(testing::raw_memory_queue& queue)
{
    return queue;
}
testing::raw_memory_queue& raw(testing::memory_managed_queue& queue)
{
    return queue.raw();
}

void push_after(testing::raw_memory_queue& queue, const std::string& id, std::chrono::milliseconds delay)
{
    queue.push(raw_json{quoted(id)}, push_options{.id = id, .delay = delay});
}
void push_after(testing::memory_managed_queue& queue, const std::string& id, std::chrono::milliseconds delay)
{
    queue.push("Letter", raw_json{quoted(id)}, {.jid = id, .delay = delay});
}

template<class Queue>
class memory_kind final : public source_kind
{
public:
    asio::awaitable<void> kill(std::size_t) override
    {
        time_.advance(handle_options{}.worker_grace);
        co_return;
    }
    asio::awaitable<void> end() override { co_return; }

    void push(const std::string& id) override { push_after(queue_, id, 0h); }
    void push_later(const std::string& id) override { push_after(queue_, id, 1h); }
    void make_due() override { time_.advance(1h); }
    void end_leases() override { time_.advance(1h); }

    std::int64_t waiting() override { return count(raw(queue_).waiting()); }
    std::int64_t scheduled() override { return count(raw(queue_).scheduled()); }
    std::int64_t running() override { return count(raw(queue_).running()); }
    std::int64_t succeeded() override
    {
        std::int64_t all = 0;
        for (const auto& each : raw(queue_).ended())
            all += each.result.what() == outcome::kind::success;
        return all;
    }
    std::int64_t given_up() override { return count(raw(queue_).failed()) + count(raw(queue_).broken()); }
    std::vector<std::string> waiting_ids() override
    {
        std::vector<std::string> ids;
        for (const auto& each : raw(queue_).waiting())
            ids.push_back(each.id);
        return ids;
    }
    std::string left_of_workers() override { return running() == 0 ? "" : "running"; }

private:
    std::unique_ptr<job_source> new_source() override { return queue_.make_source(); }

    static std::int64_t count(const std::vector<testing::stored_job>& jobs)
    {
        return static_cast<std::int64_t>(jobs.size());
    }

    testing::manual_clock time_;
    Queue queue_{"memory", time_};
};

template<class Kind>
std::unique_ptr<source_kind> make()
{
    return std::make_unique<Kind>();
}

} // namespace

std::vector<named_kind> source_kinds()
{
    return {{"list", true, make<list_kind>},
            {"managed", true, make<managed_kind>},
            {"list in memory", false, make<memory_kind<testing::raw_memory_queue>>},
            {"managed in memory", false, make<memory_kind<testing::memory_managed_queue>>}};
}

} // namespace coworker::test
