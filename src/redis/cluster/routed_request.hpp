// SPDX-License-Identifier: MIT
#pragma once

#include "redis/cluster/cluster_refusal.hpp"
#include "redis/cluster/request_parts.hpp"
#include "redis/reply.hpp"

#include <boost/redis/request.hpp>

#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coworker::detail {

/// A part of a request on its way through a cluster.
struct routed_part
{
    request_part what;
    std::optional<node_address> ask{}; ///< where it is to be sent this time; otherwise to who serves the slot
    std::vector<reply::answer> answers{};
    std::string given_up{}; ///< the error that is its answer; empty: it has a node's
    bool is_done = false;
};

/// A request whose parts go to several nodes, and to others when they are refused. Decides what to send, and what an
/// answer means; sends nothing.
class routed_request
{
public:
    /// Keeps a reference to `request`. Commands without a key go to `home`; none: to where the first key is.
    explicit routed_request(const boost::redis::request& request, std::optional<std::uint16_t> home = {});

    /// The first part that has not been carried out; null: all have.
    const routed_part* next() const noexcept;

    /// Chooses the parts that go where the first one goes. `goes_there` says so of a part without `ask`.
    template<class Predicate>
    void choose(Predicate goes_there);
    /// Writes a request of the parts that were chosen. Until the next one is written; the same again costs nothing.
    const boost::redis::request& write();
    /// Both.
    template<class Predicate>
    const boost::redis::request& begin(Predicate goes_there);
    /// Has the parts that were chosen answered with an error, since there is nobody to answer them.
    void give_up(const std::string& error);

    /// What the answers to a request that was begun tell of the cluster.
    struct findings
    {
        std::vector<cluster_refusal> moved;
        bool is_any_done = false; ///< something was carried out, or refused for good
        bool is_to_wait = false;  ///< before the next attempt: a slot is on its way, or not served
        std::string why{};        ///< the last refusal
    };

    /// Reads the answers to the request that was begun. Parts that were refused are the next ones again.
    findings end(reply answers, const node_address& from);

    /// Puts the answers together in the order of the request.
    void take_answers(reply& to);

private:
    void judge(routed_part& part, const node_address& from, findings& found);

    const boost::redis::request& whole_;
    std::vector<routed_part> parts_;
    std::vector<routed_part*> sent_;
    boost::redis::request written_;
    bool is_whole_written_ = false; ///< `written_` is all of it, as it is
    std::list<reply> replies_;      ///< what the parts' answers refer to
};

template<class Predicate>
void routed_request::choose(Predicate goes_there)
{
    sent_.clear();
    for (auto& part : parts_)
        if (!part.is_done && (sent_.empty() || (!sent_.front()->ask && !part.ask && goes_there(part))))
            sent_.push_back(&part);
}

template<class Predicate>
const boost::redis::request& routed_request::begin(Predicate goes_there)
{
    choose(std::move(goes_there));
    return write();
}

} // namespace coworker::detail
