// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::detail {

/// Connections that a client gave up. The network may still hold what was written there, and the server may not know
/// that they are to end.
///
/// All connections of a client share them: the one that was given up may be gone, and another one come in its place.
class former_connections
{
public:
    /// @param id  the server's number of the connection
    /// @param run_id  of the server that gave it this number; empty: it did not tell
    void add(std::int64_t id, std::string run_id);

    /// The numbers of those to the server with this id.
    std::vector<std::int64_t> at(std::string_view run_id) const;

    /// That server has closed these.
    void remove(const std::vector<std::int64_t>& ids, std::string_view run_id);

private:
    struct entry
    {
        std::int64_t id;
        std::string run_id;
    };
    std::deque<entry> all_; ///< the oldest in front
};

} // namespace coworker::detail
