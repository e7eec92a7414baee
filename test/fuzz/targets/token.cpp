// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "list/partitions.hpp"
#include "managed/acknowledgement_words.hpp"
#include "take/lease_token.hpp"

namespace coworker::fuzz {

using namespace detail;

/// Tokens of leases, which clients bring back over HTTP.
FUZZ_TARGET(token)
{
    for (const auto kind : {queue_kind::list, queue_kind::managed}) {
        const auto read = read_token(kind, bytes);
        if (!read)
            continue;
        claim(!read->job.lease->empty() && read->retry_delay.count() >= 0);
        claim(!read->partition || *read->partition < most_partitions);
        const auto written = write_token(kind, read->partition, read->job, read->retry_delay, read->worker);
        const auto again = read_token(kind, written);
        claim(again && *again->job.lease == *read->job.lease && again->job.body == read->job.body);
        claim(again->job.attempt == read->job.attempt && again->job.kind == read->job.kind);
        claim(again->job.id() == read->job.id() && time_taken(again->job) == time_taken(read->job));
        claim(again->retry_delay == read->retry_delay && again->partition == read->partition);
        claim(again->worker == read->worker && again->job.has_checkpoint == read->job.has_checkpoint);
        claim(!read_token(kind == queue_kind::list ? queue_kind::managed : queue_kind::list, bytes));
    }
}

} // namespace coworker::fuzz
