// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/durability_arguments.hpp"
#include "program/commands/line_reader.hpp"
#include "program/commands/managed_push_arguments.hpp"
#include "program/commands/push_target.hpp"
#include "program/commands/whole_number.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/text_functions.hpp"

#include <coworker/run_blocking.hpp>

#include <boost/asio/thread_pool.hpp>

#include <functional>
#include <utility>

/// coworker push
namespace coworker::program {
namespace {

/// Jobs are JSON texts of at most so many bytes, as the queues see to as well.
constexpr std::size_t max_job_size = 8 * 1024 * 1024;

struct push_arguments
{
    std::string queue, file = "-", delay, at;
    line_fields fields;
    std::string kind;
    managed_push_arguments managed;
    durability_arguments durability;
    bool quiet = false, waits_for_room = false;
    std::optional<double> max_waiting;
};

void check_kind(const push_arguments& given, bool managed)
{
    const bool has_kind = !given.kind.empty() || !given.fields.kind.empty();
    if (managed && !has_kind)
        refuse_push("a job of a managed queue has a kind: give --kind NAME or --kind-field NAME");
    if (managed && !given.fields.key.empty())
        refuse_push("--key-field is for list queues, which may have partitions; --order-key and --group are "
                    "for managed ones");
    if (!managed && (has_kind || given.managed.is_given()))
        refuse_push(
            "--kind, --kind-field, --priority, --tag and what makes jobs unique are for managed queues "
            "(managed:NAME)");
}

void read_bound(const push_arguments& given, push_plan& plan)
{
    plan.waits_for_room = given.waits_for_room;
    if (!plan.queue.is_managed() && given.waits_for_room && !given.max_waiting)
        refuse_push("--wait-for-room needs --max-waiting, which says how many jobs may wait in a list queue");
    if (!given.max_waiting)
        return;
    if (plan.queue.is_managed())
        refuse_push("--max-waiting is for list queues; of a managed one, coworker queue-settings sets it");
    const auto most = whole_number(*given.max_waiting);
    if (!most || *most == 0)
        refuse_push("--max-waiting is a whole number from 1 to a billion");
    plan.max_waiting = *most;
}

push_plan make_plan(const push_arguments& given)
{
    push_plan plan;
    plan.queue = parse_queue_name(given.queue);
    check_kind(given, plan.queue.is_managed());
    read_bound(given, plan);
    try {
        if (!given.delay.empty())
            plan.delay =
                detail::read_flag("--delay", {given.delay}, detail::json_of_text, detail::member_time);
        if (!given.at.empty())
            plan.at =
                detail::read_flag("--at", {given.at}, detail::json_of_text, detail::member_point_in_time);
    } catch (const detail::refusal& why) {
        refuse_push(as_complaint(why));
    }
    if (!is_utf8(given.kind))
        refuse_push("--kind is a text");
    plan.kind = given.kind;
    plan.durability = given.durability.read();
    plan.options = given.managed.read("push");
    return plan;
}

/// What has been done so far.
struct tally
{
    std::uint64_t queued = 0, refused = 0;
    std::uint64_t kept = 0, replaced = 0; ///< not queued, since others had their unique keys
    std::uint64_t unconfirmed = 0;        ///< queued, or kept, or replaced; but not confirmed
    std::uint64_t last_line = 0;          ///< up to this one all that can be queued is
};

/// "line 7", "lines 1 to 7"
std::string named_lines(std::uint64_t first, std::uint64_t last)
{
    return first == last ? "line " + std::to_string(first)
                         : "lines " + std::to_string(first) + " to " + std::to_string(last);
}

/// Carries jobs from a file to a queue.
class pusher
{
public:
    using tell_id = std::function<void(const std::string& id)>;

    /// @param tell  is told of each job that is queued; may be empty
    pusher(line_reader& lines, push_target& target, const line_fields& fields, tell_id tell)
        : lines_{lines}, target_{target}, fields_{fields}, tell_{std::move(tell)}
    {}

    asio::awaitable<void> run(asio::any_io_executor reader)
    {
        const auto read = [this] { return lines_.read(); };
        for (;;) {
            // Read beside the context, so that the connection is looked after while no line comes.
            auto lines = co_await async_run_blocking(reader, read);
            if (lines.empty())
                break;
            first_ = lines.front().number;
            last_ = lines.back().number;
            auto jobs = sort_out(std::move(lines));
            if (!jobs.empty())
                count(co_await target_.push(std::move(jobs)));
            done_.last_line = last_;
        }
        if (only_array_ != 0)
            complain(named_lines(only_array_, only_array_) +
                     " is an array, and so one job: jq -c '.[]' makes a line of each of its elements");
    }

    const tally& done() const noexcept { return done_; }

    /// For when Redis failed: what is known to be queued, and what is not known.
    std::string where_it_stopped(const error_code& why) const
    {
        const bool was_sent = why != errc::not_supported; // that is found out before
        const auto queued = done_.queued + done_.unconfirmed;
        if (!was_sent && queued == 0)
            return ". Nothing has been queued.";
        auto text = ". " + counted(queued, "job") + (queued == 1 ? " was" : " were") + " queued before";
        if (done_.unconfirmed != 0)
            text += " (" + std::to_string(done_.unconfirmed) + " of them not confirmed)";
        if (done_.last_line != 0)
            text += ", all lines up to " + std::to_string(done_.last_line);
        if (was_sent && last_ != done_.last_line)
            text += "; " + named_lines(first_, last_) + " may be queued in part, later ones are not";
        return text + ".";
    }

private:
    /// The lines that can be queued; complains of the others.
    std::vector<line_job> sort_out(std::vector<numbered_line> lines)
    {
        std::vector<line_job> jobs;
        jobs.reserve(lines.size());
        for (auto& line : lines) {
            line_job job;
            if (line.too_long)
                job.complaint = "it is longer than " + std::to_string(max_job_size) + " bytes";
            else
                job = read_line_job(std::move(line.text), fields_);
            job.line = line.number;
            check_form(job);
            if (job.complaint.empty()) {
                jobs.push_back(std::move(job));
            } else {
                ++done_.refused;
                complain("line " + std::to_string(line.number) + ": " + job.complaint);
            }
        }
        return jobs;
    }

    /// What editors and other programs call JSON need not have a job on each line.
    void check_form(const line_job& job)
    {
        const bool is_first = !std::exchange(has_begun_, true);
        if (is_first && job.is_cut_off)
            throw failure{exit_code::failed,
                          named_lines(job.line, job.line) +
                              " is not whole JSON, and each line has to be a job: jq -c . makes one line of "
                              "each value, jq -c '.[]' one of each element of an array; nothing has been "
                              "queued"};
        only_array_ = is_first && job.looks_like_jobs ? job.line : 0;
    }

    void count(const push_counts& pushed)
    {
        if (tell_)
            for (const auto& id : pushed.ids)
                tell_(id);
        done_.queued += pushed.queued;
        done_.kept += pushed.kept;
        done_.replaced += pushed.replaced;
        done_.refused += pushed.refused.size();
        done_.unconfirmed += pushed.unconfirmed;
        if (pushed.unconfirmed != 0)
            complain(named_lines(first_, last_) + ": " + counted(pushed.unconfirmed, "job") +
                     (pushed.unconfirmed == 1 ? " is" : " are") +
                     " queued, but not confirmed: " + pushed.why_unconfirmed);
        for (const auto& [line, why] : pushed.refused)
            complain("line " + std::to_string(line) + ": " + why);
    }

    line_reader& lines_;
    push_target& target_;
    const line_fields& fields_;
    tell_id tell_;
    tally done_;
    std::uint64_t first_ = 0, last_ = 0; ///< of the lines at hand
    bool has_begun_ = false;
    std::uint64_t only_array_ = 0; ///< the line that is all there is, and looks like several jobs; 0: none
};

/// @param is_unique  the jobs, so that some may have been there
void report(surroundings& here, const push_plan& plan, bool is_unique, const tally& done)
{
    if (here.json) {
        json_line line;
        line.text("queue", shown_name(plan.queue))
            .number("queued", done.queued)
            .number("refused", done.refused);
        if (is_unique)
            line.number("kept", done.kept).number("replaced", done.replaced);
        if (plan.durability != durability::memory())
            line.number("unconfirmed", done.unconfirmed);
        here.out.line(line.str());
        return;
    }
    auto text = counted(done.queued, "job") + " queued";
    if (done.unconfirmed != 0)
        text += ", " + std::to_string(done.unconfirmed) + " queued but not confirmed";
    if (done.kept != 0)
        text += ", " + std::to_string(done.kept) + " kept";
    if (done.replaced != 0)
        text += ", " + std::to_string(done.replaced) + " replaced";
    if (done.refused != 0)
        text += ", " + counted(done.refused, "line") + " refused";
    here.out.line(text);
}

exit_code code_of(const tally& done)
{
    if (done.refused != 0)
        return exit_code::partly;
    return done.unconfirmed != 0 ? exit_code::unconfirmed : exit_code::done;
}

pusher::tell_id teller_of_ids(surroundings& here)
{
    return [&here](const std::string& id) {
        here.out.line(here.json ? json_line{}.text("id", id).str() : escaped(id));
    };
}

exit_code push(const push_arguments& given, surroundings& here)
{
    const auto plan = make_plan(given);
    line_reader lines{given.file, max_job_size};
    asio::thread_pool reader{1};
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        const auto target = make_push_target(redis, here.server, plan);
        pusher work{lines, *target, given.fields, given.quiet ? pusher::tell_id{} : teller_of_ids(here)};
        std::optional<std::string> broken_off;
        try {
            co_await work.run(reader.get_executor());
        } catch (const system_error& error) {
            broken_off = text_of(error) + work.where_it_stopped(error.code());
        }
        if (broken_off)
            throw failure{exit_code::failed, *broken_off};
        report(here, plan, given.managed.makes_unique(), work.done());
        co_return code_of(work.done());
    });
}

} // namespace

void add_push(command_line& line)
{
    const auto given = std::make_shared<push_arguments>();
    auto command =
        line.add_with_json("push", "Queue jobs: one for each line of JSON in a file, or on standard input.",
                           "  echo '{\"to\": \"ada@example.com\"}' | coworker push mail\n"
                           "  coworker push mail jobs.jsonl --delay 5m\n"
                           "  coworker push mail jobs.jsonl --at 2026-11-21T09:30:00Z --id-field id\n"
                           "  coworker push managed:mail jobs.jsonl --kind welcome --priority 10 --tag new",
                           [given](surroundings& here) { return push(*given, here); });
    command.add_option("QUEUE", given->queue, "NAME, or managed:NAME").required();
    command.add_option("FILE", given->file, "The jobs; - is standard input").with_default();
    auto delay = command.add_option("--delay", given->delay, "Run them after this time, such as 5m or 1h30m")
                     .value_name("TIME")
                     .not_empty();
    command.add_option("--at", given->at, "Run them at this time, such as 2026-11-21T09:30:00Z (RFC 3339)")
        .value_name("TIME")
        .not_empty()
        .excludes(delay);
    command.add_option("--id-field", given->fields.id, "The member of a job that is its id. Default: new ids")
        .value_name("NAME");
    command
        .add_option(
            "--key-field", given->fields.key,
            "The member of a job that is its key: in a list queue with partitions, jobs of one key start in "
            "the order of their lines")
        .value_name("NAME");
    auto kind =
        command.add_option("--kind,--klass", given->kind, "Managed: the kind of all jobs").value_name("NAME");
    command.add_option("--kind-field", given->fields.kind, "Managed: the member of a job that is its kind")
        .value_name("NAME")
        .excludes(kind);
    command.add_flag("--quiet", given->quiet, "Say how many jobs were queued, and not which ids they have");
    command
        .add_option("--max-waiting", given->max_waiting,
                    "List queues: how many jobs may wait; more are refused. Default: any number. Of managed "
                    "queues, 'coworker queue-settings' sets it")
        .value_name("NUMBER");
    command.add_flag("--wait-for-room", given->waits_for_room,
                     "While as many jobs wait as may, wait with the next ones instead of refusing them");
    add_durability_options(command, given->durability);
    given->managed.add_to(command, "Managed: ", detail::job_pushed::now);
}

} // namespace coworker::program
