#include "list/list_queue_state.hpp"

#include "list/list_source.hpp"

namespace coworker {

using namespace detail;

raw_list_queue::raw_list_queue(coworker::session& session, std::string name, list_queue_options options)
    : session_{&session}, name_{std::move(name)}, options_{options}, state_{std::make_shared<state>(
                                                                         name_, options_,
                                                                         session.client().shared_from_this())}
{
    if (name_.empty() || name_.size() > 512)
        throw system_error{errc::invalid_queue_name, "'" + name_.substr(0, 64) + "'"};
    if (options_.failed_limit == 0 || options_.broken_limit == 0)
        throw system_error{errc::invalid_option, "failed_limit and broken_limit are at least 1"};
}

raw_list_queue::~raw_list_queue() = default;

std::unique_ptr<job_source> raw_list_queue::make_source()
{
    return std::make_unique<list_source>(session_->client().shared_from_this(), name_, options_);
}

asio::awaitable<reply> detail::ask(client& redis, const boost::redis::request& what)
{
    reply answers;
    co_await redis.exec(what, answers);
    answers.throw_if_error();
    co_return answers;
}

// --- calls, which keep what they need ---

asio::awaitable<list_queue_sizes> raw_list_queue::sizes()
{
    return state::sizes(state_);
}

asio::awaitable<std::vector<list_job>> raw_list_queue::waiting(std::size_t offset, std::size_t count)
{
    return state::waiting(state_, offset, count);
}

asio::awaitable<std::vector<list_job_scheduled>> raw_list_queue::scheduled(std::size_t offset,
                                                                           std::size_t count)
{
    return state::scheduled(state_, offset, count);
}

asio::awaitable<std::vector<list_job_failed>> raw_list_queue::failed(std::size_t offset, std::size_t count)
{
    return state::failed(state_, offset, count);
}

asio::awaitable<scan_page<list_job_in_progress>> raw_list_queue::in_progress(std::uint64_t cursor,
                                                                             std::size_t count)
{
    return state::in_progress(state_, cursor, count);
}

asio::awaitable<scan_page<list_job_broken>> raw_list_queue::broken(std::uint64_t cursor, std::size_t count)
{
    return state::broken(state_, cursor, count);
}

asio::awaitable<result<void>> raw_list_queue::retry_failed(std::string payload)
{
    return state::retry_failed(state_, std::move(payload));
}

asio::awaitable<std::size_t> raw_list_queue::retry_all_failed()
{
    return state::retry_all_failed(state_);
}

asio::awaitable<result<void>> raw_list_queue::delete_failed(std::string payload)
{
    return state::delete_failed(state_, std::move(payload));
}

asio::awaitable<std::size_t> raw_list_queue::delete_all_failed()
{
    return state::delete_all_failed(state_);
}

asio::awaitable<result<void>> raw_list_queue::retry_broken(std::string payload)
{
    return state::retry_broken(state_, std::move(payload));
}

asio::awaitable<std::size_t> raw_list_queue::retry_all_broken()
{
    return state::retry_all_broken(state_);
}

asio::awaitable<result<void>> raw_list_queue::delete_broken(std::string payload)
{
    return state::delete_broken(state_, std::move(payload));
}

asio::awaitable<std::size_t> raw_list_queue::delete_all_broken()
{
    return state::delete_all_broken(state_);
}

asio::awaitable<result<void>> raw_list_queue::delete_waiting(std::string payload)
{
    return state::delete_waiting(state_, std::move(payload));
}

asio::awaitable<result<void>> raw_list_queue::delete_scheduled(std::string member)
{
    return state::delete_scheduled(state_, std::move(member));
}

asio::awaitable<void> raw_list_queue::pause()
{
    return state::pause(state_);
}

asio::awaitable<void> raw_list_queue::resume()
{
    return state::resume(state_);
}

asio::awaitable<void> raw_list_queue::destroy()
{
    return state::destroy(state_);
}

} // namespace coworker
