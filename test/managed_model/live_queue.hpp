// SPDX-License-Identifier: MIT
#pragma once

#include "arguments.hpp"
#include "store.hpp"

#include "support/redis_server.hpp"
#include "support/short_answer.hpp"

namespace coworker::test::model {

/// What a reply holds, as JSON; of a document, what its text holds. Errors are texts.
json::value read_reply(const redis_value& value, bool is_document);

/// Everything in a database, by key without prefix.
snapshot take_snapshot(raw_redis& redis);

/// What differs between two states; nothing if they are equal.
std::string difference(snapshot found, snapshot expected);

/// The scripts in a Redis of their own.
class live_queue
{
public:
    live_queue();

    /// A call of a script, ready to be sent: its name, and the arguments that follow the prefix.
    static strings command(const std::string& script, const strings& words);

    redis_value call(const std::string& script, const strings& words)
    {
        return in_full(script, server_.raw().try_command(command(script, words)));
    }

    /// What has been published since the last call, in the form "channel text".
    strings messages();
    snapshot state() { return take_snapshot(server_.raw()); }
    /// What the consistency check finds that must not be.
    strings broken(double now);
    void clear();
    /// With releases mixed: only present scripts are called from now on, until it is cleared.
    void end_update();

    redis_server& server() { return server_; }

private:
    redis_server server_;
    raw_redis listener_;
};

} // namespace coworker::test::model
