// SPDX-License-Identifier: MIT
#include "managed_redis.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

/// However a job ends for good, it leaves nothing behind that keeps others waiting: neither units of a limit, nor the turn of its
/// order key, nor its unique key, its place in its batch, or those that wait for it.
BOOST_AUTO_TEST_SUITE(ends)

using namespace coworker::test;

namespace {

using words = std::vector<std::string>;

/// What a job does before it ends: it waits for a worker, for another job, or runs.
enum class before
{
    waits,
    depends,
    runs
};

/// A script call that ends the job `j`.
struct ending
{
    std::string name;
    before state;
    std::string script;
    words arguments;
    std::string outcome;           ///< as its batch counts it
    std::string more_options = ""; ///< members of the JSON object
};

const std::string since = "105.00000000000000000000";

const std::vector<ending> endings{
    {"complete", before::runs, "complete", {"110", "j", "w", "q", "{}"}, "succeeded"},
    {"complete_many", before::runs, "complete_many", {"110", "4", "j", "w", "q", "{}"}, "succeeded"},
    {"done", before::runs, "ack_and_fetch", {"110", "q", "w", "0", "2", "done", "j"}, "succeeded"},
    {"finished",
     before::runs,
     "ack_and_fetch",
     {"110", "q", "w", "0", "4", "since", since, "finished", "j"},
     "succeeded"},
    {"effects",
     before::runs,
     "ack_and_fetch",
     {"110", "q", "w", "0", "5", "effects", "j", "g", "0", "done"},
     "succeeded"},
    {"effects that cannot be",
     before::runs,
     "ack_and_fetch",
     {"110", "q", "w", "0", "7", "effects", "j", "g", "1", "1", "NONSENSE", "done"},
     "failed"},
    {"fail", before::runs, "fail", {"110", "j", "w", "g", "m"}, "failed"},
    {"fail_many", before::runs, "fail_many", {"110", "4", "j", "w", "g", "m"}, "failed"},
    {"fail of ack_and_fetch",
     before::runs,
     "ack_and_fetch",
     {"110", "q", "w", "0", "4", "fail", "j", "g", "m"},
     "failed"},
    {"retry", before::runs, "retry", {"110", "j", "q", "w"}, "failed"},
    {"retry elsewhere", before::runs, "retry", {"110", "j", "other", "w"}, "failed"},
    {"retry_many", before::runs, "retry_many", {"110", "3", "j", "q", "w"}, "failed"},
    {"retry of ack_and_fetch",
     before::runs,
     "ack_and_fetch",
     {"110", "q", "w", "0", "3", "retry", "j", "0"},
     "failed"},
    {"end of the lock", before::runs, "ack_and_fetch", {"300", "q", "x", "1"}, "failed"},
    {"recover", before::runs, "recover", {"110", "110000", "w"}, "failed"},
    {"expiry", before::waits, "ack_and_fetch", {"150", "r", "x", "1"}, "failed", R"(,"expiry":20)"},
    {"size", before::waits, "ack_and_fetch", {"110", "q", "x", "1", "most", "100"}, "failed"},
    {"failed parent",
     before::depends,
     "fail",
     {"110", "p", "w", "g", "m"},
     "failed",
     R"(,"on_parent_failure":"fail")"},
    {"skip",
     before::depends,
     "fail",
     {"110", "p", "w", "g", "m"},
     "cancelled",
     R"(,"on_parent_failure":"skip")"},
    {"cancelled parent", before::depends, "cancel", {"110", "p"}, "failed", R"(,"on_parent_failure":"fail")"},
    {"cancel", before::waits, "cancel", {"110", "j"}, "cancelled"},
    {"cancel of a run", before::runs, "cancel", {"110", "j"}, "cancelled"},
    {"cancel of one that waits for another", before::depends, "cancel", {"110", "j"}, "cancelled"},
    {"delete", before::waits, "act", {"110", "v", "delete", "j"}, "cancelled"},
    {"delete of a run", before::runs, "act", {"110", "v", "delete", "j"}, "cancelled"},
    {"batch_cancel", before::waits, "batch_cancel", {"110", "B", "all", ""}, "cancelled"},
    {"batch_cancel of a run", before::runs, "batch_cancel", {"110", "B", "all", ""}, "cancelled"},
};

/// The job `j` that uses everything, `c` that waits for it, `n` which comes behind it, and `s` that sleeps until it has ended.
class jobs
{
public:
    explicit jobs(const ending& how)
    {
        redis.call("config_set", {"50", "grace-period", "0"});
        redis.call("limit_set", {"50", "api", "max", "1"});
        redis.call("batch_open", {"60", "B"});
        put("99", "p", "q", {});
        words own{"retries", "0", "tags",    R"(["t"])",
                  "unique",  "u", "limits",  R"(["api"])",
                  "order",   "o", "options", R"({"batch":"B")" + how.more_options + "}"};
        if (how.state == before::depends)
            own.insert(own.end(), {"depends", R"(["p"])"});
        else
            redis.call("cancel", {"99", "p"});
        put("100", "j", "q", own);
        put("101", "c", "r", {"depends", R"(["j"])", "options", R"({"on_parent_failure":"fail"})"});
        put("102", "n", "q", {"limits", R"(["api"])", "order", "o"});
        put("103", "s", "z", {});
        redis.call("pop", {"104", "z", "v", "1"});
        redis.call("ack_and_fetch", {"104", "z", "v", "0", "6", "release", "s", "job", "j", "0", "9999"});
        if (how.state == before::depends)
            redis.call("pop", {"105", "q", "w", "1"});
        if (how.state == before::runs)
            redis.call("ack_and_fetch", {"105", "q", "w", "1"});
        if (how.state == before::runs && how.name != "finished") // which no worker says of a job with steps
            redis.call("step_set", {"106", "q", "w", "4", "j", "", "s", "1"});
        redis.call(how.script, how.arguments);
    }

    void put(const std::string& now, const std::string& jid, const std::string& queue, const words& options)
    {
        const auto data = jid == "j" ? '"' + std::string(200, 'x') + '"' : "{}"; // it is the largest one
        words arguments{now, "w", queue, jid, "k", data, "0"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        redis.call("put", arguments);
    }

    bool is_in(const std::string& set) { return !redis.raw()("ZSCORE", "ql:" + set, "j").is_nil(); }
    std::string field(const std::string& key, const std::string& name)
    {
        return redis.raw()("HGET", "ql:" + key, name).text;
    }

    managed_redis redis;
};

} // namespace

BOOST_AUTO_TEST_CASE(leave_nothing_that_keeps_others_waiting)
{
    for (const auto& how : endings) {
        BOOST_TEST_CONTEXT(how.name)
        {
            jobs used{how};
            auto& redis = used.redis;
            const auto state = used.field("j:j", "state");
            BOOST_TEST(state == (how.outcome == "succeeded" ? "complete"
                                 : how.outcome == "failed"  ? "failed"
                                                            : ""));
            for (const auto* set : {"q:q-work", "q:q-locks", "q:q-depends", "q:q-scheduled", "w:w:jobs",
                                    "coworker:line:order:o", "coworker:parked:q"})
                BOOST_TEST(!used.is_in(set), set);
            BOOST_TEST(redis.raw()("HEXISTS", "ql:coworker:held:api", "j").integer == 0);
            BOOST_TEST(used.field("j:j", "holds") == "");
            const bool has_steps =
                how.state == before::runs && how.outcome == "failed"; // for a retry by hand
            BOOST_TEST(used.field("j:j", "step:s") == (has_steps ? "1" : ""));
            BOOST_TEST(used.field("j:j", "steps") == (has_steps ? "1 2" : ""));
            BOOST_TEST(used.field("coworker:batch:B", "pending") == "0");
            BOOST_TEST(used.field("coworker:batch:B", how.outcome) == "1");
            BOOST_TEST(redis
                           .raw()("EXISTS", "ql:coworker:pending:B", "ql:coworker:affected:j",
                                  "ql:j:j-dependents", "ql:j:j-dependencies", "ql:coworker:ended-parents")
                           .integer == 0);
            BOOST_TEST(used.field("j:s", "state") == "waiting");
            BOOST_TEST(redis.raw()("EXISTS", "ql:coworker:awaited", "ql:coworker:awaiting:j").integer == 0);
            BOOST_TEST(used.field("j:c", "state") == (how.outcome == "succeeded" ? "waiting" : "failed"));
            redis.call("ack_and_fetch", {"400", "q", "y", "5"});
            BOOST_TEST(used.field("j:n", "state") == "running");
            BOOST_TEST(
                redis.call("put", {"401", "w", "q", "v", "k", "{}", "0", "unique", "u", "conflict", "refuse"})
                    .text == "v");
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
