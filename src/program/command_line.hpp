// SPDX-License-Identifier: MIT
#pragma once

#include "program/exit_code.hpp"
#include "program/options.hpp"
#include "program/redis_access.hpp"
#include "program/terminal/output.hpp"
#include "program/unsaid_options.hpp"

#include "program/service/notifier.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::program {

/// What a command is carried out with.
struct surroundings
{
    server_settings server{};
    notify_settings service{}; ///< who is told how a command gets on that goes on for long
    bool json = false;         ///< one JSON object a line, for scripts, in place of tables
    output out{};
    std::vector<std::string> words_behind; ///< what stands behind a -- on the command line of `work`
};

using command_action = std::function<exit_code(surroundings&)>;

/// The commands of the program and what is common to them.
class command_line
{
public:
    /// @param server  what the environment says of it
    /// @param service  of NOTIFY_SOCKET and its like
    /// @param variables  which say options that are left out
    command_line(server_settings server, notify_settings service, environment variables);
    ~command_line();
    command_line(const command_line&) = delete;
    command_line& operator=(const command_line&) = delete;

    /// Adds a command, which has options for the server already. The caller adds its own.
    ///
    /// @param examples  shown by --help, a line each
    command_options add(const std::string& name, const std::string& description, const std::string& examples,
                        command_action action);

    /// The same for a command that has tables, and so --json.
    command_options add_with_json(const std::string& name, const std::string& description,
                                  const std::string& examples, command_action action);

    /// Adds the command that prints what shells complete.
    void add_completion();

    /// Reads the arguments and carries out the command they name. Returns the exit code. Never throws.
    int run(int argc, const char* const* argv);

private:
    command_options add_without_server(const std::string& name, const std::string& description,
                                       const std::string& examples, command_action action);
    void check_command(std::string_view word) const;
    int carry_out(int argc, const char* const* argv);

    std::unique_ptr<CLI::App> app_;
    surroundings surroundings_;
    environment variables_;
    std::string settings_file_;
    std::string shell_;
    command_action chosen_;
};

/// Adds all commands, in the order in which the help lists them.
///
/// @param environment_token  of COWORKER_TOKEN; empty: not set
void add_commands(command_line& line, const std::string& environment_token);

// One function per command.
void add_batches(command_line& line);
void add_broken(command_line& line);
void add_cancel(command_line& line);
void add_check(command_line& line);
void add_delete(command_line& line);
void add_failed(command_line& line);
/// @param environment_token  of COWORKER_TOKEN; empty: not set
void add_gateway(command_line& line, const std::string& environment_token);
void add_group(command_line& line);
void add_job(command_line& line);
void add_jobs(command_line& line);
void add_limit(command_line& line);
void add_limits(command_line& line);
void add_hold(command_line& line);
void add_monitor(command_line& line);
void add_notify(command_line& line);
/// Only where libpq was found.
void add_outbox(command_line& line);
void add_pause(command_line& line);
void add_push(command_line& line);
void add_qless(command_line& line);
void add_queue_limits(command_line& line);
void add_queue_settings(command_line& line);
void add_queues(command_line& line);
void add_release(command_line& line);
void add_remove(command_line& line);
void add_resume(command_line& line);
void add_retry(command_line& line);
void add_run(command_line& line);
void add_schedules(command_line& line);
void add_signal(command_line& line);
void add_stats(command_line& line);
void add_work(command_line& line);
void add_workers(command_line& line);
void add_server(command_line& line);

} // namespace coworker::program
