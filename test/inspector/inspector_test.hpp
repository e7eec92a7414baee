// SPDX-License-Identifier: MIT
#pragma once

#include "support/client_test.hpp"
#include "support/expect.hpp"
#include "support/held_jobs.hpp"

#include "coworker/inspector.hpp"
#include "coworker/managed_client.hpp"
#include "coworker/managed_queue.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <initializer_list>
#include <string>
#include <vector>

namespace coworker::test {

/// A server with a list queue `numbers` and a managed queue `mail`, and an inspector.
struct inspector_test : client_test
{
    managed_queue mail{redis, "mail"};
    managed_client jobs{redis};
    inspector subject{redis};
    const queue_ref list = queue_ref::list("numbers");
    const queue_ref managed = queue_ref::managed("mail");

    /// A failed job in the list queue, as coworker records it.
    void add_failed(const std::string& id, const std::string& message)
    {
        const auto payload = "[\"" + id + "\",1]";
        server("LPUSH", "hworker-failed-numbers", payload);
        server("HSET", "hworker-failures-numbers", payload,
               R"("2026-11-21T09:54:29.612715000000Z" 3 )" + message);
    }

    /// Puts managed jobs "0", "1", … and lets them fail in a group.
    asio::awaitable<void> fail_managed(std::size_t count, std::string group, std::string message)
    {
        for (std::size_t i = 0; i != count; ++i) {
            managed_push_options options;
            options.jid = group + std::to_string(i);
            const raw_json data{R"({"to":")" + group + R"("})"};
            co_await mail.async_push("Mail", data, options);
            const auto popped = co_await pop("w");
            (void)co_await fail_job(jobs, popped.at(0), group, message);
        }
    }

    asio::awaitable<std::vector<managed_job>> pop(std::string worker, std::size_t count = 1)
    {
        return pop_jobs(jobs, "mail", std::move(worker), count);
    }

    /// The ids on a page.
    static std::vector<std::string> ids_of(const job_page& page)
    {
        std::vector<std::string> ids;
        for (const auto& job : page.jobs)
            ids.push_back(job.id);
        return ids;
    }
};

inline std::vector<std::string> ids(std::initializer_list<const char*> names)
{
    return {names.begin(), names.end()};
}

} // namespace coworker::test
