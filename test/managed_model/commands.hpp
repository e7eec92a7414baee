// SPDX-License-Identifier: MIT
#pragma once

#include "arguments.hpp"
#include "store.hpp"

/// The commands, each as section 5 of the protocol describes it: checks, then changes, then the reply.
/// Throw `refusal`.
namespace coworker::test::model {

reply put(store& in, const arguments& given);
/// As one of several, which count as put a microsecond apart; so many come later in the same call.
reply put_before(store& in, const arguments& given, double before);
reply requeue(store& in, const arguments& given);

reply pop(store& in, const arguments& given);
/// Hands up to `count` jobs to a worker.
strings take(store& in, double now, const std::string& queue, const std::string& worker, double count);
/// Jobs as ack_and_fetch answers them.
json::array flat(const store& in, const strings& jids);
reply peek(store& in, const arguments& given);

reply complete(store& in, const arguments& given);
/// Without forgetting old ones afterwards, which `forget_completed` does. Returns the new state.
std::string complete_one(store& in, const arguments& given);
void forget_completed(store& in, double now);
reply fail(store& in, const arguments& given);
reply retry(store& in, const arguments& given);
reply heartbeat(store& in, const arguments& given);
reply timeout(store& in, const arguments& given);

/// The scripts of coworker's own worker.
reply ack_and_fetch(store& in, const arguments& given);
reply renew(store& in, const arguments& given);
reply reconcile(store& in, const arguments& given);
reply recover(store& in, const arguments& given);
reply sign_in(store& in, const arguments& given);
reply sign_off(store& in, const arguments& given);
/// The groups of a batch, from that argument on.
std::vector<strings> groups_of(const strings& words);

reply cancel(store& in, const arguments& given);
reply depends(store& in, const arguments& given);
reply priority(store& in, const arguments& given);
reply log(store& in, const arguments& given);
reply unfail(store& in, const arguments& given);
reply tag(store& in, const arguments& given);
reply track(store& in, const arguments& given);

reply get(store& in, const arguments& given);
reply multiget(store& in, const arguments& given);
reply jobs(store& in, const arguments& given);
reply failed(store& in, const arguments& given);
reply queues(store& in, const arguments& given);
reply workers(store& in, const arguments& given);
reply stats(store& in, const arguments& given);
reply length(store& in, const arguments& given);

reply recur(store& in, const arguments& given);
reply unrecur(store& in, const arguments& given);
reply recur_get(store& in, const arguments& given);
reply recur_update(store& in, const arguments& given);
reply recur_tag(store& in, const arguments& given);
reply recur_untag(store& in, const arguments& given);
/// Makes the children of a queue's recurring jobs that are due, at most `count`.
void spawn(store& in, double now, const std::string& queue, double count);

reply config_get(store& in, const arguments& given);
reply config_set(store& in, const arguments& given);
reply config_unset(store& in, const arguments& given);
reply pause(store& in, const arguments& given);
reply unpause(store& in, const arguments& given);
reply queue_forget(store& in, const arguments& given);
reply worker_deregister(store& in, const arguments& given);

} // namespace coworker::test::model
