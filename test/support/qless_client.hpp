// SPDX-License-Identifier: MIT
#pragma once

#include "support/redis_server.hpp"

#include "redis/script.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace coworker::test {

/// A database of managed queues as qless' own clients see it, on a connection that is not coworker's.
class qless_client
{
public:
    explicit qless_client(redis_server& server) : server_{server} {}

    /// Calls a command of the protocol, at the server's present time. Throws if the answer is an error. By EVAL: Redis counts
    /// EVALSHA for coworker's own calls.
    template<class... Words>
    redis_value qless(const std::string& command, const Words&... words)
    {
        return server_("EVAL", detail::find_script("managed/" + command).text(), 1, "ql:", "server",
                       words...);
    }

    /// Puts a job into the queue "mail" as a client does that sends nothing but what it must.
    template<class... More>
    void put(const std::string& jid, const std::string& klass, const std::string& data = "{}",
             const More&... more)
    {
        qless("put", "", "mail", jid, klass, data, "0", more...);
    }

    /// Puts a job into a queue, and lets it fail.
    void put_and_fail(const std::string& queue, const std::string& jid, const std::string& group,
                      const std::string& message = "no luck")
    {
        qless("put", "", queue, jid, "Letter", "{}", "0");
        qless("pop", queue, "w-1", 1);
        qless("fail", jid, "w-1", group, message);
    }

    std::string field(const std::string& jid, const std::string& name)
    {
        return server_("HGET", "ql:j:" + jid, name).text;
    }
    std::string state(const std::string& jid) { return field(jid, "state"); }
    boost::json::value failure_of(const std::string& jid);
    /// What happened to a job, such as "put popped done".
    std::string history(const std::string& jid);
    /// Failed jobs of a group, newest first.
    std::vector<std::string> failed(const std::string& group)
    {
        return server_("LRANGE", "ql:f:" + group, 0, -1).texts();
    }
    void set_option(const std::string& name, const std::string& value) { qless("config_set", name, value); }

    /// What the consistency check finds that is broken; empty if nothing is.
    std::string broken();

private:
    redis_server& server_;
};

} // namespace coworker::test
