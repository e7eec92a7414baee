#include "conformance/source_kind.hpp"
#include "support/qless_client.hpp"
#include "support/redis_server.hpp"

#include "coworker/list_queue.hpp"
#include "coworker/managed_queue.hpp"
#include "coworker/testing.hpp"

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
    asio::awaitable<void> end() override
    {
        for (auto& each : clients_)
            co_await each.async_stop();
    }

protected:
    client& connect()
    {
        return clients_.emplace_back(io.get_executor(), client_options{.url = server_.url()});
    }

    redis_server server_;

private:
    std::list<client> clients_;
};

class list_kind final : public redis_kind
{
public:
    std::unique_ptr<job_source> make_source() override
    {
        raw_list_queue queue{connect(), "q"};
        return queue.make_source();
    }

    void push(const std::string& id) override { server_("LPUSH", "hworker-jobs-q", payload(id)); }
    void push_later(const std::string& id) override
    {
        server_("ZADD", "hworker-scheduled-q", "99999999999999", "000000000001:" + payload(id));
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
    std::int64_t given_up() override
    {
        return server_("LLEN", "hworker-failed-q").integer + server_("HLEN", "hworker-broken-q").integer;
    }

private:
    static std::string payload(const std::string& id) { return '[' + quoted(id) + ',' + quoted(id) + ']'; }
};

class managed_kind final : public redis_kind
{
public:
    managed_kind() { client_.set_option("grace-period", "0"); }

    std::unique_ptr<job_source> make_source() override
    {
        managed_queue queue{connect(), "mail"};
        return queue.make_source();
    }

    void push(const std::string& id) override { client_.put(id, "Letter", quoted(id)); }
    void push_later(const std::string& id) override
    {
        client_.qless("put", "", "mail", id, "Letter", quoted(id), "3600");
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
    std::int64_t given_up() override
    {
        std::int64_t all = 0;
        for (const auto& group : server_("SMEMBERS", "ql:failures").texts())
            all += server_("LLEN", "ql:f:" + group).integer;
        return all;
    }
    bool keeps_order() const override { return false; }

private:
    qless_client client_{server_};
};

class memory_kind final : public source_kind
{
public:
    std::unique_ptr<job_source> make_source() override { return queue_.make_source(); }
    asio::awaitable<void> end() override { co_return; }

    void push(const std::string& id) override { queue_.push(raw_json{quoted(id)}, push_options{.id = id}); }
    void push_later(const std::string& id) override
    {
        queue_.push(raw_json{quoted(id)}, push_options{.id = id, .delay = 1h});
    }
    void make_due() override { time_.advance(1h); }
    void end_leases() override { time_.advance(1h); }

    std::int64_t waiting() override { return count(queue_.waiting()); }
    std::int64_t scheduled() override { return count(queue_.scheduled()); }
    std::int64_t running() override { return count(queue_.running()); }
    std::int64_t given_up() override { return count(queue_.failed()) + count(queue_.broken()); }

private:
    static std::int64_t count(const std::vector<testing::stored_job>& jobs)
    {
        return static_cast<std::int64_t>(jobs.size());
    }

    testing::manual_clock time_;
    testing::raw_memory_queue queue_{"memory", time_};
};

} // namespace

std::vector<named_kind> source_kinds()
{
    return {{"list", [] { return std::unique_ptr<source_kind>{std::make_unique<list_kind>()}; }},
            {"managed", [] { return std::unique_ptr<source_kind>{std::make_unique<managed_kind>()}; }},
            {"memory", [] { return std::unique_ptr<source_kind>{std::make_unique<memory_kind>()}; }}};
}

} // namespace coworker::test
