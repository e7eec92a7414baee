// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/queue_list.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/table.hpp"

/// coworker check
namespace coworker::program {
namespace {

struct check_arguments
{
    std::vector<std::string> queues;
    bool repair = false;
};

/// What was found, counted and shown as it comes.
class findings
{
public:
    explicit findings(surroundings& here) : here_{here}, rows_{columns()} {}

    void add(const finding& each)
    {
        ++(each.broken ? broken_ : drift_);
        repaired_ += each.repaired;
        remain_broken_ += each.broken && !each.repaired;
        if (here_.json) {
            json_line line;
            line.text("severity", each.broken ? "broken" : "drift").text("kind", each.kind);
            line.text("key", each.key).text("member", each.member).boolean("repaired", each.repaired);
            here_.out.line(line.str());
            return;
        }
        constexpr std::size_t enough_to_show = 500;
        rows_.add({cell{each.broken ? "broken" : "drift", each.broken ? tone::bad : tone::attention},
                   each.kind, each.key, each.member, each.repaired ? "repaired" : ""});
        if (rows_.size() == enough_to_show)
            show_rows();
    }

    exit_code finish()
    {
        if (!here_.json) {
            show_rows();
            here_.out.line(broken_ + drift_ == 0 ? "Nothing is wrong." : summary());
        }
        return remain_broken_ == 0 ? exit_code::done : exit_code::partly;
    }

private:
    static std::vector<column> columns() { return {{"SEVERITY"}, {"KIND"}, {"KEY"}, {"MEMBER"}, {""}}; }

    void show_rows()
    {
        if (rows_.empty())
            return;
        rows_.write(here_.out);
        here_.out.line("");
        rows_ = table{columns()};
    }

    std::string summary() const
    {
        auto text = std::to_string(broken_) + " broken, " + std::to_string(drift_) +
                    " left behind by normal use, " + std::to_string(repaired_) + " repaired.";
        if (remain_broken_ != 0)
            text += " 'coworker check --repair' puts right what it can.";
        return text;
    }

    surroundings& here_;
    table rows_;
    std::uint64_t broken_ = 0, drift_ = 0, repaired_ = 0, remain_broken_ = 0;
};

asio::awaitable<void> check_queue(const inspector& all, queue_ref queue, bool repair, findings& found)
{
    std::string cursor;
    do {
        auto part = co_await all.async_check(queue, std::move(cursor), repair);
        for (const auto& each : part.findings)
            found.add(each);
        cursor = std::move(part.next);
    } while (!cursor.empty());
}

exit_code check(const check_arguments& given, surroundings& here)
{
    const auto queues = parse_queue_names(given.queues);
    for (const auto& queue : queues)
        if (queue.is_managed())
            throw failure{exit_code::usage,
                          "'" + shown_name(queue) +
                              "' is a managed queue; these share keys and are checked together, "
                              "by 'coworker check' without names"};
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        const auto all = inspect(redis, here.server);
        findings found{here};
        co_await expect_queues(redis, here.server, queues);
        for (const auto& queue : queues)
            co_await check_queue(all, queue, given.repair, found);
        node_set missing;
        if (queues.empty()) {
            co_await check_queue(all, queue_ref::managed({}), given.repair, found);
            const auto names = co_await list_queue_names(all, missing);
            for (const auto& name : names)
                co_await check_queue(all, queue_ref::list(name), given.repair, found);
        }
        const auto came = judge_missing(missing);
        const auto outcome = found.finish();
        co_return outcome == exit_code::done ? came : outcome;
    });
}

} // namespace

void add_check(command_line& line)
{
    const auto given = std::make_shared<check_arguments>();
    auto command = line.add_with_json("check",
                                      "Look for what does not fit together in queues, while they are used. "
                                      "Exit code 4: something is broken and "
                                      "has not been repaired.",
                                      "  coworker check\n"
                                      "  coworker check mail --repair\n"
                                      "  coworker check --prefix '{tenant}ql:' --json",
                                      [given](surroundings& here) { return check(*given, here); });
    command.add_option("QUEUE", given->queues,
                       "NAME of a list queue. Default: all of them, and the managed queues");
    command.add_flag("--repair", given->repair, "Put it right; no job is taken away");
}

} // namespace coworker::program
