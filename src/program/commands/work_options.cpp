// SPDX-License-Identifier: MIT
#include "program/commands/work_options.hpp"

#include "exec/program_file.hpp"
#include "program/commands/managed_push_arguments.hpp"
#include "program/exit_code.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"
#include "text/numbers.hpp"
#include "json/push_flags.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

#include <unistd.h>

namespace coworker::program {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds shortest_lease{100};
constexpr milliseconds longest_time = std::chrono::hours{24 * 365 * 10}; // as good as for ever

milliseconds read_time(const std::string& option, const std::string& text)
{
    const auto time = parse_duration(text);
    if (!time)
        refuse(option + " '" + escaped(text) +
               "' is no time: write numbers with units, such as 90s, 5m or 1h30m");
    return std::min(*time, longest_time);
}

struct weighted_name
{
    std::string name;
    std::optional<unsigned> weight;
};

/// "mail=3"
weighted_name split_weight(const std::string& text)
{
    const auto sign = text.rfind('=');
    if (sign == text.npos)
        return {text, std::nullopt};
    unsigned weight = 0;
    const auto* end = text.data() + text.size();
    const auto [read, ec] = std::from_chars(text.data() + sign + 1, end, weight);
    if (ec != std::errc{} || read != end)
        return {text, std::nullopt};
    return {text.substr(0, sign), weight};
}

std::vector<worked_queue> read_queues(const std::vector<std::string>& texts, bool weighted)
{
    constexpr unsigned heaviest = 1'000'000;
    std::vector<worked_queue> queues;
    for (const auto& text : texts) {
        auto [name, weight] = split_weight(text);
        if (weighted && !weight && text.find('=') != text.npos)
            refuse("what stands behind the last '=' of '" + escaped(text) +
                   "' is not a weight: a whole number from 1 to 1000000");
        if (weight && !weighted)
            refuse("'" + escaped(text) +
                   "' has a weight, which counts with --order weighted only. (A queue that is "
                   "called so is written '" +
                   escaped(text) + "=1' there.)");
        if (weight && (*weight < 1 || *weight > heaviest))
            refuse("the weight of '" + escaped(text) + "' is not a number from 1 to 1000000");
        const worked_queue queue{parse_queue_name(name), weight.value_or(1)};
        const auto same = [&](const worked_queue& other) { return other.name == queue.name; };
        if (std::any_of(queues.begin(), queues.end(), same))
            refuse("the queue '" + escaped(shown_name(queue.name)) + "' is named twice");
        queues.push_back(queue);
    }
    return queues;
}

/// NAME, or NAME=VERSIONS with commas between them.
worked_kind read_kind(const std::string& text)
{
    constexpr unsigned most = 1'000'000;
    const auto sign = std::min(text.rfind('='), text.size());
    worked_kind kind{text.substr(0, sign)};
    std::string_view rest = sign == text.size() ? std::string_view{} : std::string_view{text}.substr(sign);
    while (!rest.empty()) {
        rest.remove_prefix(1);
        const auto end = std::min(rest.find(','), rest.size());
        const auto version = detail::to_number<unsigned>(rest.substr(0, end));
        if (!version || *version == 0 || *version > most)
            refuse(
                "--kind '" + escaped(text) +
                "': behind the last '=' stand versions, numbers from 1 to 1000000 with commas between them");
        kind.versions.push_back(*version);
        rest.remove_prefix(end);
    }
    if (kind.name.empty())
        refuse("--kind '" + escaped(text) + "' has no name of a kind");
    return kind;
}

void check_kinds(const work_settings& settings)
{
    for (const auto& queue : settings.queues)
        if (!settings.kinds.empty() && !queue.name.is_managed())
            refuse("--kind is for managed queues; the jobs of '" + escaped(shown_name(queue.name)) +
                   "' have no kinds");
    std::set<std::pair<std::string, unsigned>> seen;
    for (const auto& kind : settings.kinds)
        for (const auto version : kind.versions.empty() ? std::vector{1U} : kind.versions)
            if (!seen.emplace(kind.name, version).second)
                refuse("the kind '" + escaped(kind.name) + "' is named twice with the same version");
}

backoff read_backoff(const std::string& text)
{
    try {
        return *detail::read_flags({{"--backoff", {text}}}).backoff;
    } catch (const detail::refusal& why) {
        refuse(as_complaint(why) + "; see coworker work --help");
    }
}

std::string read_folder(const std::string& given)
{
    std::error_code error;
    const auto folder = given.empty() ? fs::temp_directory_path(error) : fs::path{given};
    const auto name = given.empty() ? std::string{"the folder for temporary files"} : "--sandbox";
    if (error || !fs::is_directory(folder, error))
        refuse(name + " '" + escaped(folder.native()) + "' is not a folder");
    const auto whole = fs::absolute(folder, error).native();
    if (::access(whole.c_str(), W_OK | X_OK) != 0)
        refuse(name + " '" + escaped(whole) + "' cannot be written to");
    return whole;
}

exec::command read_command(const work_arguments& given, const std::vector<std::string>& words)
{
    if (words.empty())
        refuse("which command? It stands behind the queues and two dashes: coworker work QUEUE... -- COMMAND "
               "[ARG...]");
    exec::command what;
    what.words = words;
    try {
        what.file = exec::find_program(words.front());
    } catch (const std::runtime_error& error) {
        refuse(error.what());
    }
    what.sandboxes = read_folder(given.sandboxes);
    what.grace = read_time("--grace", given.grace);
    return what;
}

std::vector<int> read_final_statuses(const std::vector<int>& given)
{
    constexpr int bad_data = 65, try_again_later = 75; // EX_DATAERR and EX_TEMPFAIL of sysexits.h
    if (std::find(given.begin(), given.end(), try_again_later) != given.end())
        refuse("--fail-on 75: that exit status (EX_TEMPFAIL) always means that the job is to run again");
    return given.empty() ? std::vector{bad_data} : given;
}

queue_order read_order(const std::string& text)
{
    return text == "weighted"      ? queue_order::weighted
           : text == "round-robin" ? queue_order::round_robin
                                   : queue_order::strict;
}

} // namespace

work_settings make_work_settings(const work_arguments& given, const std::vector<std::string>& words)
{
    work_settings settings;
    settings.worker.order = read_order(given.order);
    settings.queues = read_queues(given.queues, settings.worker.order == queue_order::weighted);
    for (const auto& kind : given.kinds)
        settings.kinds.push_back(read_kind(kind));
    check_kinds(settings);
    settings.worker.concurrency =
        given.concurrency != 0 ? given.concurrency : std::max(1U, std::thread::hardware_concurrency());
    settings.worker.shutdown_timeout = given.shutdown_timeout.empty()
                                           ? longest_time
                                           : read_time("--shutdown-timeout", given.shutdown_timeout);
    settings.how.lease = read_time("--lease", given.lease);
    if (settings.how.lease < shortest_lease)
        refuse("--lease '" + escaped(given.lease) + "' is shorter than 100ms");
    settings.how.worker_grace = read_time("--worker-grace", given.worker_grace);
    if (!given.timeout.empty())
        settings.how.timeout = read_time("--timeout", given.timeout);
    settings.how.max_attempts = given.retries + 1;
    settings.how.max_crashes = given.max_crashes;
    settings.how.backoff = read_backoff(given.backoff);
    settings.final_statuses = read_final_statuses(given.final_statuses);
    settings.what = read_command(given, words);
    // A worker ends what it runs when nine tenths of a lease have passed without an answer from Redis: the command
    // has to be gone before another worker may take the job.
    settings.what.grace = std::min(settings.what.grace, settings.how.lease / 20);
    if (!given.metrics.empty())
        settings.metrics = read_listen_place("--metrics", given.metrics);
    settings.lines = given.lines;
    settings.checkpoints = given.checkpoints;
    settings.jobs_per_child = given.jobs_per_child;
    if (given.lines && !given.final_statuses.empty())
        refuse("--fail-on has no meaning with --lines: a process says 'failure' in its answer");
    if (!given.lines && given.checkpoints)
        refuse("--checkpoints has no meaning without --lines: only such processes are given checkpoints");
    if (!given.lines && given.jobs_per_child != 0)
        refuse("--jobs-per-process has no meaning without --lines: each job has a process of its own");
    settings.log = given.log;
    if (given.verbose)
        settings.log.level = std::max(settings.log.level, log_level::debug);
    return settings;
}

} // namespace coworker::program
