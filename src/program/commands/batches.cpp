// SPDX-License-Identifier: MIT
#include "program/commands/verbs.hpp"
#include "program/queue_name.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"
#include "json/batch_text.hpp"

#include <coworker/batches.hpp>

#include <algorithm>

/// coworker batches
namespace coworker::program {
namespace {

struct batches_arguments
{
    std::string action = "list", name;
    std::string description, parent, retention;
    std::string on_success, on_done, on_failure;
    std::string queue, data = "{}";
    bool running = false, notice = false;
    std::size_t count = 100;
};

// --- what is shown -------------------------------------------------------------------

json_line batch_line(const batch_status& each)
{
    return detail::describe(each, detail::json_for::terminals);
}

tone tone_of(batch_state state)
{
    return state == batch_state::failed ? tone::bad
           : state == batch_state::open ? tone::attention
                                        : tone::plain;
}

void write_batches(output& out, const batch_page& page)
{
    table rows{{{"BATCH"},
                {"STATE"},
                {"TOTAL", true},
                {"PENDING", true},
                {"SUCCEEDED", true},
                {"FAILED", true},
                {"CANCELLED", true},
                {"OPENED"},
                {""}}};
    for (const auto& each : page.batches)
        rows.add({each.id, cell{std::string{to_string(each.state)}, tone_of(each.state)},
                  std::to_string(each.total), std::to_string(each.pending), std::to_string(each.succeeded),
                  std::to_string(each.failed), std::to_string(each.cancelled), format_time(each.opened),
                  each.description});
    if (rows.empty()) {
        out.line("There are no batches.");
        return;
    }
    rows.write(out);
    if (page.batches.size() < page.total)
        out.line(std::to_string(page.batches.size()) + " of " + std::to_string(page.total) +
                 " batches; --count shows more");
}

void write_batch(output& out, const batch_status& each)
{
    out.line("batch      " + escaped(each.id));
    out.line("state      " + std::string{to_string(each.state)});
    if (!each.description.empty())
        out.line("for        " + escaped(each.description));
    if (!each.parent.empty())
        out.line("inside of  " + escaped(each.parent));
    out.line("jobs       " + std::to_string(each.total) + ": " + std::to_string(each.pending) + " pending, " +
             std::to_string(each.succeeded) + " succeeded, " + std::to_string(each.failed) + " failed, " +
             std::to_string(each.cancelled) + " cancelled");
    out.line("opened     " + format_time(each.opened));
    if (each.ended)
        out.line("ended      " + format_time(*each.ended));
    if (!each.problem.empty())
        out.line("problem    " + escaped(each.problem));
}

// --- what is done --------------------------------------------------------------------

[[noreturn]] void refuse_unknown_batch(const std::string& id)
{
    throw failure{exit_code::not_found, "there is no batch '" + escaped(id) + "'"};
}

std::optional<batch_job> read_callback(const batches_arguments& given, const std::string& kind)
{
    if (kind.empty())
        return std::nullopt;
    if (given.queue.empty())
        refuse("say where to push the callbacks: --queue managed:NAME");
    const auto queue = parse_queue_name(given.queue);
    if (!queue.is_managed())
        refuse("callbacks are pushed into managed queues: --queue managed:" + escaped(queue.name()));
    return to_batch_job(queue.name(), kind, raw_json{given.data});
}

asio::awaitable<exit_code> open_batch(const batches& all, const batches_arguments& given, surroundings& here)
{
    batch_options wanted;
    if (!given.name.empty())
        wanted.id = given.name;
    if (!given.parent.empty())
        wanted.parent = given.parent;
    wanted.description = given.description;
    wanted.notice = given.notice;
    if (!given.retention.empty()) {
        const auto time = parse_duration(given.retention);
        if (!time)
            refuse("--retention is a time such as 1h or 7d, not '" + escaped(given.retention) + "'");
        wanted.retention = *time;
    }
    wanted.on_success = read_callback(given, given.on_success);
    wanted.on_done = read_callback(given, given.on_done);
    wanted.on_failure = read_callback(given, given.on_failure);
    std::string id;
    try {
        id = co_await all.async_open(wanted);
    } catch (const system_error& error) {
        const auto code = error.code();
        if (code == errc::batch_not_found)
            refuse_unknown_batch(given.parent);
        if (code != errc::invalid_option && code != errc::not_serializable && code != errc::batch_ended)
            throw;
        refuse(text_of(error) + "; see coworker batches --help");
    }
    here.out.line(here.json ? json_line{}.text("id", id).str() : escaped(id));
    co_return exit_code::done;
}

asio::awaitable<exit_code> list_batches(const batches& all, const batches_arguments& given,
                                        surroundings& here)
{
    batch_page shown;
    do {
        auto part = co_await all.async_list(shown.next, given.count - shown.batches.size());
        shown.next = part.next;
        shown.total = part.total;
        std::ranges::move(part.batches, std::back_inserter(shown.batches));
    } while (!shown.next.empty() && shown.batches.size() < given.count);
    show_all(here, shown.batches, batch_line, [&](output& out, const auto&) { write_batches(out, shown); });
    co_return exit_code::done;
}

asio::awaitable<exit_code> show_batch(const batches& all, const batches_arguments& given, surroundings& here)
{
    const auto found = co_await all.async_status(given.name);
    if (!found)
        refuse_unknown_batch(given.name);
    show_one(here, *found, batch_line, write_batch);
    co_return exit_code::done;
}

asio::awaitable<exit_code> seal_batch(const batches& all, const batches_arguments& given, surroundings& here)
{
    const auto done = co_await all.async_seal(given.name);
    if (!done)
        refuse_unknown_batch(given.name);
    here.out.line(here.json ? json_line{}.text("id", given.name).boolean("sealed", true).str()
                            : escaped(given.name) + " is sealed");
    co_return exit_code::done;
}

asio::awaitable<exit_code> cancel_batch(const batches& all, const batches_arguments& given,
                                        surroundings& here)
{
    batch_cancel_options how;
    how.running = given.running;
    const auto done = co_await all.async_cancel(given.name, how);
    if (!done)
        refuse_unknown_batch(given.name);
    if (here.json)
        here.out.line(json_line{}
                          .text("id", given.name)
                          .number("cancelled", done->cancelled)
                          .number("left", done->left)
                          .str());
    else
        here.out.line(escaped(given.name) + " is cancelled: " + counted(done->cancelled, "job") +
                      " cancelled, " + std::to_string(done->left) + " left");
    co_return exit_code::done;
}

const std::vector<verb<batches, batches_arguments>> batch_verbs = {{"list", false, list_batches},
                                                                   {"show", true, show_batch},
                                                                   {"open", false, open_batch},
                                                                   {"seal", true, seal_batch},
                                                                   {"cancel", true, cancel_batch}};

} // namespace

void add_batches(command_line& line)
{
    const auto given = std::make_shared<batches_arguments>();
    auto command = line.add_with_json(
        "batches", "Show batches of jobs in managed queues, open, seal and cancel them.",
        "  coworker batches\n"
        "  coworker batches open --queue managed:mail --on-success ImportDone\n"
        "  coworker push managed:work --kind Row --batch ID rows.json\n"
        "  coworker batches seal ID\n"
        "  coworker batches show ID\n"
        "  coworker batches cancel ID",
        [given](surroundings& here) { return carry_out(batch_verbs, "batches", "batch", *given, here); });
    add_verbs(command, batch_verbs, *given, "ID", "The batch; open: its id. Default: a new one");
    command.add_option("--count", given->count, "List: how many, the newest first")
        .value_name("COUNT")
        .between(1.0, 1e6)
        .with_default();
    command.add_option("--description", given->description, "Open: what it is for").value_name("TEXT");
    command.add_option("--parent", given->parent, "Open: the batch that it is inside of").value_name("ID");
    command.add_option("--retention", given->retention, "Open: how long it is kept when it has ended")
        .value_name("TIME");
    command.add_flag("--notice", given->notice,
                     "Open: write a notice when it has ended, which 'coworker notify' sends");
    command.add_option("--on-success", given->on_success, "Open: pushed when all jobs have succeeded")
        .value_name("KIND");
    command.add_option("--on-done", given->on_done, "Open: pushed when all jobs have ended")
        .value_name("KIND");
    command.add_option("--on-failure", given->on_failure, "Open: pushed when the first job has failed")
        .value_name("KIND");
    command.add_option("--queue", given->queue, "Open: where these are pushed").value_name("managed:NAME");
    command.add_option("--data", given->data, "Open: their data").value_name("JSON").with_default();
    command.add_flag("--running", given->running, "Cancel: jobs that run as well");
}

} // namespace coworker::program
