// SPDX-License-Identifier: MIT
#include "coworker/managed_client.hpp"
#include "managed/checks.hpp"
#include "managed/managed_call.hpp"
#include "managed/read_look.hpp"

/// What can be seen of all managed queues: failures, complete jobs, queues and workers.
namespace coworker {

using namespace detail;

asio::awaitable<std::map<std::string, std::uint64_t>> managed_client::failed_groups() const
{
    return tell(
        *redis_, managed_call{options_.prefix, "failed"},
        +[](const reply::answer& answer) { return read_failed_groups(answer.text()); });
}

asio::awaitable<managed_page> managed_client::failed(std::string_view group, std::size_t offset,
                                                     std::size_t count) const
{
    check_name(group, "the group");
    managed_call call{options_.prefix, "failed"};
    call.add(group).add_place(offset).add_place(count);
    return tell(
        *redis_, std::move(call), +[](const reply::answer& answer) { return read_page(answer.text()); });
}

asio::awaitable<std::vector<std::string>> managed_client::completed(std::size_t offset,
                                                                    std::size_t count) const
{
    managed_call call{options_.prefix, "jobs"};
    call.add("complete").add_place(offset).add_place(count);
    return tell(*redis_, std::move(call), read_array);
}

asio::awaitable<std::vector<managed_queue_counts>> managed_client::queues() const
{
    return tell(
        *redis_, managed_call{options_.prefix, "queues"},
        +[](const reply::answer& answer) { return read_queues(answer.text()); });
}

asio::awaitable<std::vector<managed_worker_counts>> managed_client::workers() const
{
    return tell(
        *redis_, managed_call{options_.prefix, "workers"},
        +[](const reply::answer& answer) { return read_workers(answer.text()); });
}

asio::awaitable<managed_worker_jobs> managed_client::worker(std::string_view name) const
{
    check_name(name, "the worker's name");
    managed_call call{options_.prefix, "workers"};
    call.add(name);
    return tell(
        *redis_, std::move(call), +[](const reply::answer& answer) { return read_worker(answer.text()); });
}

asio::awaitable<void> managed_client::deregister_workers(text_list names) const
{
    check_names(names, "a worker's name");
    if (names.empty())
        throw explained_error{errc::invalid_option, "name at least one worker"};
    managed_call call{options_.prefix, "worker_deregister"};
    call.add_each(names);
    return tell(*redis_, std::move(call));
}

} // namespace coworker
