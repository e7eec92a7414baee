#include "program/command_line.hpp"
#include "program/commands/queue_list.hpp"
#include "program/commands/top_frame.hpp"
#include "program/commands/top_input.hpp"
#include "program/commands/top_looks.hpp"
#include "program/terminal/time_text.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <optional>

/// coworker top
namespace coworker::cli {
namespace {

using std::chrono::steady_clock;

struct top_arguments
{
    std::vector<std::string> queues;
    std::string interval = "2s";
    std::uint64_t count = 0; ///< 0: for ever
};

std::chrono::milliseconds read_interval(const std::string& text)
{
    constexpr std::chrono::milliseconds shortest{100};
    const auto interval = parse_duration(text);
    if (!interval || *interval < shortest)
        throw failure{exit_code::usage,
                      "--interval is a time of at least 100ms, such as 500ms, 2s or 1m, not '" + text + "'"};
    return *interval;
}

/// Looks, shows, waits, and so on.
class viewer
{
public:
    viewer(session& redis, surroundings& here, std::vector<queue_name> queues, const top_arguments& given)
        : here_{here}, looks_{redis, here.server, std::move(queues)}, count_{given.count}
    {
        state_.interval = read_interval(given.interval);
        if (here.out.is_terminal() && !here.json)
            screen_.emplace();
    }

    asio::awaitable<exit_code> run()
    {
        top_input input{co_await asio::this_coro::executor, screen_ ? &*screen_ : nullptr};
        for (std::uint64_t looks = 1;; ++looks) {
            const auto next = steady_clock::now() + state_.interval;
            co_await look(input);
            show();
            bool is_over = looks == count_;
            while (!is_over) {
                const auto what = co_await input.wait(next);
                if (what.end)
                    co_return exit_code::done;
                obey(what.keys);
                if (what.time_to_look)
                    break;
                draw();
            }
            if (is_over)
                co_return state_.trouble.empty() ? exit_code::done : exit_code::failed;
        }
    }

private:
    /// What could not be seen stays as it was.
    asio::awaitable<void> look(top_input& input)
    {
        state_.trouble.clear();
        try {
            // Spawned, so that the end of the program need not wait for a server that is away.
            auto seen =
                co_await asio::co_spawn(co_await asio::this_coro::executor, looks_.look(),
                                        asio::bind_cancellation_slot(input.end_slot(), asio::use_awaitable));
            state_.time = format_time(seen.time);
            state_.managed_workers = seen.managed_workers;
            state_.rows = rates_.update(std::move(seen.queues), steady_clock::now());
        } catch (const system_error& error) {
            state_.trouble = std::string{"Redis: "} + error.what();
        }
        sort_rows(state_.rows, state_.order, state_.reversed);
    }

    void show()
    {
        if (screen_) {
            draw();
            return;
        }
        if (!state_.trouble.empty())
            complain("coworker: " + state_.trouble);
        else if (here_.json)
            write_json(state_, here_.out);
        else
            write_plain(state_, here_.out);
        here_.out.flush();
    }

    void draw()
    {
        if (!screen_)
            return;
        const auto size = screen_->size();
        const auto fit = rows_that_fit(size);
        state_.first = std::min(state_.first, state_.rows.size() - std::min(state_.rows.size(), fit));
        screen_->show(draw_frame(state_, size, here_.out));
    }

    void obey(const std::vector<key>& keys)
    {
        for (const auto each : keys) {
            const auto order = static_cast<int>(state_.order);
            const auto page = screen_ ? rows_that_fit(screen_->size()) : 1;
            if (each == key::left)
                state_.order = static_cast<top_order>((order + top_orders - 1) % top_orders);
            else if (each == key::right)
                state_.order = static_cast<top_order>((order + 1) % top_orders);
            else if (each == key::reverse)
                state_.reversed = !state_.reversed;
            else if (each == key::up || each == key::page_up)
                state_.first -= std::min(state_.first, each == key::up ? 1 : page);
            else if (each == key::down || each == key::page_down)
                state_.first += each == key::down ? 1 : page; // `draw` sees to the end
        }
        if (!keys.empty())
            sort_rows(state_.rows, state_.order, state_.reversed);
    }

    surroundings& here_;
    top_looks looks_;
    top_rates rates_;
    top_state state_;
    std::uint64_t count_;
    std::optional<terminal_screen> screen_;
};

exit_code top(const top_arguments& given, surroundings& here)
{
    read_interval(given.interval);
    const auto queues = parse_queue_names(given.queues);
    return with_redis(here.server, [&](session& redis) -> asio::awaitable<exit_code> {
        if (!queues.empty())
            co_await expect_queues(redis, here.server, queues);
        viewer view{redis, here, queues, given};
        co_return co_await view.run();
    });
}

} // namespace

void add_top(command_line& line)
{
    const auto given = std::make_shared<top_arguments>();
    auto& command = line.add_with_json(
        "top",
        "Watch queues: how many jobs are where, and how many come, end and fail per second. On a terminal q "
        "ends it; left and right choose what to sort by, r turns the order round, up and down scroll. "
        "Elsewhere it writes what it sees at every interval.",
        "  coworker top\n"
        "  coworker top mail managed:mail --interval 500ms\n"
        "  coworker top --json --count 2 --interval 10s | jq -c '[.queue, .succeeded_per_second]'",
        [given](surroundings& here) { return top(*given, here); });
    command.add_option("QUEUE", given->queues,
                       "NAME, or managed:NAME. Default: all, new ones as they appear");
    command.add_option("--interval", given->interval, "How often to look")
        ->type_name("TIME")
        ->capture_default_str();
    command.add_option("--count", given->count, "End after so many looks. Default: go on")
        ->type_name("NUMBER")
        ->check(CLI::Range(1, 1'000'000'000));
}

} // namespace coworker::cli
