// SPDX-License-Identifier: MIT
#include "redis/cluster/slot_connection.hpp"

namespace coworker::detail {
namespace {

/// How long other clients may need to learn that a slot has moved, and to connect to its new node.
constexpr std::chrono::seconds time_to_follow{5};

} // namespace

bool slot_connection::has_just_moved() const noexcept
{
    return moved_at_ != clock::time_point::min() && clock::now() < moved_at_ + time_to_follow;
}

void slot_connection::note_move()
{
    moved_at_ = clock::now();
    away_ = false;
    hear_new_connection();
}

void slot_connection::hear(const event& what)
{
    if (what.kind == event_kind::disconnected)
        away_ = true;
    else if (what.kind == event_kind::connected || what.kind == event_kind::reconnected)
        away_ = false;
    for (auto* who : listeners())
        who->connection_event(what);
}

void slot_connection::hear_new_connection()
{
    for (auto* who : listeners())
        who->new_connection();
}

} // namespace coworker::detail
