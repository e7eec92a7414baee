#pragma once

#include "support/session_test.hpp"

#include "coworker/managed_queue.hpp"
#include "redis/script.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace coworker::test {

/// A server with a session and a managed queue, seen from outside as qless' own clients see it.
struct managed_test : session_test
{
    managed_queue mail{redis, "mail"};

    /// Calls a command of the protocol from another connection, at the server's present time. Throws if the
    /// answer is an error.
    template<class... Words>
    redis_value qless(const std::string& command, const Words&... words)
    {
        return server("EVAL", detail::find_script("managed/" + command).text, 1, "ql:", "server", words...);
    }

    /// Puts a job as a client does that sends nothing but what it must.
    template<class... More>
    void put(const std::string& jid, const std::string& klass, const std::string& data = "{}",
             const More&... more)
    {
        qless("put", "", "mail", jid, klass, data, "0", more...);
    }

    std::string field(const std::string& jid, const std::string& name)
    {
        return server("HGET", "ql:j:" + jid, name).text;
    }
    std::string state(const std::string& jid) { return field(jid, "state"); }
    boost::json::value failure_of(const std::string& jid);
    /// What happened to a job, such as "put popped done".
    std::string history(const std::string& jid);
    /// Failed jobs of a group, newest first.
    std::vector<std::string> failed(const std::string& group)
    {
        return server("LRANGE", "ql:f:" + group, 0, -1).texts();
    }
    void set_option(const std::string& name, const std::string& value) { qless("config_set", name, value); }

    /// What the consistency check finds that is broken; empty if nothing is.
    std::string broken();
};

} // namespace coworker::test
