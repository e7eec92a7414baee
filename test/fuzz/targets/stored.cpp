// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "inspect/connections.hpp"
#include "inspect/history.hpp"
#include "inspect/list_key.hpp"
#include "list/list_source/recovery.hpp"
#include "list/partition_names.hpp"
#include "list/partitions.hpp"
#include "redis/cluster/cluster_refusal.hpp"
#include "redis/cluster/cluster_view.hpp"
#include "redis/cluster/key_slot.hpp"
#include "redis/connection_names.hpp"
#include "redis/reply.hpp"
#include "redis/sentinels.hpp"
#include "redis/server_connection/server_check.hpp"
#include "json/queue_words.hpp"

namespace coworker::fuzz {

using namespace detail;

namespace {

void read_names(std::string_view text)
{
    if (const auto place = read_partition_name(text)) {
        claim(is_within(place->queue, text) && place->index < most_partitions);
        claim(partition_name(std::string{place->queue}, place->index) == text);
    }
    claim(is_within(queue_of_partitions_key(text), text));
    claim(read_number_of_partitions(text) <= most_partitions);
    if (const auto number = parse_worker_number(text))
        claim(*number >= 1 && *number <= 999'999);
    if (const auto key = split_list_key(text))
        claim(make_list_key(key->state, key->payload) == text);
    if (const auto queue = queue_called(text)) {
        claim(queue_called(call_queue(*queue)) == queue);
        claim(!complaint_of_missing(*queue).empty());
    }
    claim(slot_of(text) < slot_count && is_within(hashed_part(text), text));
}

void read_server(std::string_view text)
{
    const auto facts = parse_info(text);
    (void)judge(facts, true);
    const auto verdict = judge(facts, false);
    claim(!verdict.error || !verdict.detail.empty());
    cluster_view view;
    read_info(text, view);
    if (const auto refusal = read_refusal(text, {"host", "1"})) {
        claim(refusal->slot < slot_count);
        claim(refusal->why != cluster_refusal::reason::moved || !refusal->where.port.empty());
    }
    claim(static_cast<bool>(error_of_text(text)));
}

void read_clients(std::string_view text)
{
    for (const auto& name : connection_names(text))
        claim(!name.empty());
    const timestamp now{std::chrono::seconds{1'800'000'000}};
    const auto connections = read_connections(text, now);
    for (const auto& [name, about] : connections)
        claim(!name.empty() && about.since >= timestamp{} && about.since <= now);
}

} // namespace

/// Short texts that stand in Redis or that it answers: names, keys, numbers, `CLIENT LIST`, `INFO`, errors.
FUZZ_TARGET(stored)
{
    read_names(bytes);
    read_server(bytes);
    read_clients(bytes);
    claim(on_one_line(bytes).find('\n') == std::string::npos);
    if (const auto minute = read_minute(bytes))
        claim(minute->minute.time_since_epoch().count() >= 0);
}

} // namespace coworker::fuzz
