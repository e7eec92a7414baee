// SPDX-License-Identifier: MIT
#pragma once

#include "generator.hpp"
#include "live_queue.hpp"

#include <map>

namespace coworker::test::model {

/// One random history of commands on few jobs, with limits, order keys, groups, unique keys, batches, dependencies, expiries
/// and effects. Nothing is compared with a model: what is looked at is what must hold at any time, and what is left in the end.
class mixed_history
{
public:
    /// `with_others`: now and then a job is moved or cancelled as other programs do it, which know nothing of all that.
    mixed_history(live_queue& live, std::uint64_t seed, bool with_others);

    void take_step();
    /// Lets everything through, and completes all jobs.
    void come_to_an_end();
    /// What should not be there then, or what was wrong on the way; empty if all is well.
    std::string left_behind();
    /// The last calls.
    std::string report() const;

private:
    redis_value call(const std::string& script, strings words);
    std::string jid() { return "j" + std::to_string(chance_.below(40)); }
    std::string queue() { return chance_.of({"qa", "qb", "qc"}); }
    std::string worker() { return chance_.of({"w1", "w2", "w3"}); }
    strings limits();
    std::string own_options();
    strings options();
    strings put_words();

    void put();
    void take();
    void settle();
    void operate();
    void set_up();
    void interfere();
    void move_as_others_do(const std::string& jid, const std::string& from);
    void note_taken(const redis_value& answer, const std::string& queue, const std::string& worker);
    void check_kinds(const strings& jobs, const std::string& handled);
    std::size_t complete_all();
    void look_at_order_keys();
    void look_at_batches();
    void complain(const std::string& what);

    struct holder
    {
        std::string queue, worker;
    };

    live_queue& live_;
    chance chance_;
    bool with_others_;
    double now_ = 1'700'000'000;
    std::map<std::string, holder> held_;
    strings calls_;
    std::string complaint_;
};

} // namespace coworker::test::model
