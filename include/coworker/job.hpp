// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"
#include "coworker/option_duration.hpp"
#include "coworker/text.hpp"
#include "coworker/timestamp.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace coworker {

/// A job as JSON text, for queues and handlers that do not want a C++ type.
struct raw_json
{
    /// An empty text, which is not valid JSON.
    raw_json() = default;

    /// The text is checked when the job is pushed, not here.
    // A constructor, since g++ 12 destroys a temporary aggregate in a co_await expression twice.
    raw_json(std::string json) : text{std::move(json)} {}

    /// The JSON text, UTF-8.
    std::string text;
};

/// How to push a job to a list queue. The default is: now, under a new id.
struct push_options
{
    /// The job's id: UTF-8, 1 to 256 bytes. Default: a new UUID (version 7, which contains the time). Without
    /// `unique_for`, the id is not compared with other jobs' ids: two jobs pushed with the same id both run.
    std::optional<text> id{};

    /// How long the queue remembers this `id`. While it does, pushing a job with the same id and with `unique_for`
    /// does nothing, whatever the job contains. It does not matter whether the first one has run. So a push that is
    /// in doubt can be repeated. Zero: the id is not remembered, nor looked for. Needs an `id`.
    option_duration unique_for{0};

    /// How long to wait, by the server's clock, before the job may run. Zero or less: it may run now.
    option_duration delay{0};

    /// When the job may run, in place of `delay`; both together are refused with `errc::invalid_option`. A time in the
    /// past: it may run now.
    std::optional<timestamp> at{};

    /// In a queue that is divided into partitions, jobs with the same key go to the same partition. So they start
    /// in the order in which they were pushed. The partition is Redis' slot of the key (`CLUSTER KEYSLOT`) modulo
    /// the number of partitions; when that number is raised, keys may move. While its node is away, the push waits,
    /// and fails when `client_options::command_timeout` has passed. Empty, the default: the partitions get jobs in
    /// turn, and one whose node is away gets none. A job with `unique_for` goes by its id instead. Other queues ignore
    /// this.
    text key{};
};

/// A job with options of its own, for `raw_list_queue::async_push_each_json`.
struct raw_push
{
    /// A job without a text, which is not valid JSON.
    raw_push() = default;
    /// The text is checked when the job is pushed, not here.
    // A constructor, since g++ 12 destroys a temporary aggregate in a co_await expression twice.
    raw_push(raw_json what, push_options how = {}) : job{std::move(what)}, options{std::move(how)} {}

    raw_json job;         ///< the job
    push_options options; ///< how to push it
};

/// What became of a job that was pushed.
struct push_result
{
    /// The job's id. If it was not pushed, that of the job which is there already.
    std::string id{};
    /// False: it was refused (`error`), its id was remembered (`push_options::unique_for`), or another job has its key (`unique_rule`).
    bool pushed = true;
    /// The job that has the key was changed, as `unique_rule::conflict` says. Only in managed queues.
    bool replaced = false;
    /// Why this job of several was refused, such as `errc::batch_ended`, or `errc::not_unique` with
    /// `on_conflict::refuse`; nothing of it was stored. After another error that Redis met within a script, such as
    /// `errc::wrong_key_type`, it may be stored in part. The others of the call were pushed all the same. Only in managed
    /// queues. The default: it was not refused.
    error_code error{};
    /// The same for people. Empty: it was not refused.
    std::string refusal{};
    /// Why it is not confirmed that this is as durable as was asked for (`durability`), for people: the above holds all
    /// the same. Empty: it is confirmed, or nothing was asked for.
    std::string unconfirmed{};
};

/// When a job was queued, by its producer's clock, if the id is a version 7 UUID, with or without dashes. Empty for
/// every other id.
std::optional<timestamp> queued_at(std::string_view job_id);

} // namespace coworker
