// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/durability_arguments.hpp"
#include "program/interruptible.hpp"
#include "program/service/log_format.hpp"
#include "program/service/metrics_server.hpp"
#include "program/service/notifier.hpp"
#include "program/terminal/table.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"

#include <coworker/metrics.hpp>
#include <coworker/outbox_relay.hpp>
#ifdef COWORKER_WITH_MYSQL
#include <coworker/mysql.hpp>
#endif
#ifdef COWORKER_WITH_POSTGRESQL
#include <coworker/postgresql.hpp>
#endif

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// coworker outbox
namespace coworker::program {
namespace {

using namespace std::chrono_literals;

struct outbox_arguments
{
    std::string database{}; ///< empty: a PostgreSQL, as PGHOST and the like say
    std::string table = "coworker_outbox";
    std::string remember = "24h";
    std::string poll{}; ///< empty: as the database needs it
    std::size_t batch_size = 500;
    std::size_t max_job_size = outbox_options{}.max_job_size;
    durability_arguments durable{};
    bool schema = false, rejected = false;
    std::string retry{};   ///< empty: not given
    std::string metrics{}; ///< empty: not given
    log_settings log{};
};

std::chrono::milliseconds read_time(const std::string& option, const std::string& text,
                                    std::chrono::milliseconds least)
{
    const auto time = parse_duration(text);
    if (!time || *time < least)
        throw failure{exit_code::usage, option + " '" + escaped(text) + "' is no time of at least " +
                                            format_span(least) + ", such as 5s"};
    return *time;
}

outbox_options read_options(const outbox_arguments& given, const surroundings& here)
{
    outbox_options options;
    options.batch_size = given.batch_size;
    options.max_job_size = given.max_job_size;
    options.remember = read_time("--remember", given.remember, 1min);
    if (!given.poll.empty())
        options.poll = read_time("--poll", given.poll, 10ms);
    options.confirmed = given.durable.read();
    options.managed_prefix = here.server.prefix;
    return options;
}

/// Whether the address is one of MySQL or MariaDB, or else one as libpq reads it.
bool is_mysql(std::string_view database)
{
    return database.starts_with("mysql://") || database.starts_with("mariadb://");
}

[[noreturn]] [[maybe_unused]] void refuse_database(const char* name, const char* library)
{
    throw failure{exit_code::usage, std::string{"--database: this program was built without "} + name +
                                        ", since " + library + " was not there"};
}

std::unique_ptr<outbox_table> open_known(const outbox_arguments& given)
{
    if (is_mysql(given.database)) {
#ifdef COWORKER_WITH_MYSQL
        return std::make_unique<mysql_outbox>(given.database, given.table);
#else
        refuse_database("MySQL", "libmariadb");
#endif
    }
#ifdef COWORKER_WITH_POSTGRESQL
    return std::make_unique<postgresql_outbox>(given.database, given.table);
#else
    refuse_database("PostgreSQL", "libpq");
#endif
}

std::unique_ptr<outbox_table> open_table(const outbox_arguments& given)
{
    try {
        return open_known(given);
    } catch (const system_error& error) {
        throw failure{exit_code::usage, "the outbox: " + text_of(error)};
    }
}

// --- the relay -----------------------------------------------------------------------

/// Pushes rows until a signal comes.
class running_relay
{
public:
    running_relay(std::unique_ptr<outbox_table> table, outbox_options options, const log_settings& log,
                  const surroundings& here)
        : table_{std::move(table)}, options_{std::move(options)}, here_{&here}, log_{log},
          service_{io_.get_executor(), here.service}
    {
        redis_ = make_client(io_.get_executor(), here.server, "coworker-outbox",
                             [&](client_options& how) { how.on_event = service_.listen(log_.observe()); });
        options_.observers = {log_.observe()};
        relay_.emplace(*redis_, std::move(table_), options_);
    }

    /// Serves metrics from now on.
    void serve_metrics(const listen_place& place)
    {
        page_.emplace(io_.get_executor(), place,
                      [this] { return relay_->prometheus() + metrics_of_process(); });
        log_.say(log_level::info, "metrics: " + page_->url());
    }

    outbox_counts run(const std::string& table)
    {
        name_ = table;
        try {
            run_interruptibly(io_, [this] { return work(); });
        } catch (const system_error& error) {
            throw explain(error, here_->server);
        }
        return relay_->counts();
    }

private:
    asio::awaitable<void> work()
    {
        return close_behind(*redis_, relay(), [this] {
            service_.stopping();
            page_.reset();
            service_.stop();
        });
    }

    asio::awaitable<void> relay()
    {
        service_.watch(*redis_);
        service_.ready("pushing the rows of " + name_);
        log_.say(log_level::info, "pushing the rows of " + name_);
        co_await relay_->async_run();
    }

    std::unique_ptr<outbox_table> table_;
    outbox_options options_;
    const surroundings* here_;
    std::string name_;
    asio::io_context io_{1};
    service_log log_;
    notifier service_;
    std::unique_ptr<client> redis_;
    std::optional<outbox_relay> relay_;
    std::optional<metrics_server> page_;
};

exit_code run_relay(const outbox_arguments& given, surroundings& here)
{
    auto table = open_table(given);
    std::optional<listen_place> metrics;
    if (!given.metrics.empty())
        metrics = read_listen_place("--metrics", given.metrics);
    running_relay running{std::move(table), read_options(given, here), given.log, here};
    if (metrics)
        running.serve_metrics(*metrics);
    const auto done = running.run(given.table);
    here.out.line(counted(done.pushed, "row") + (done.pushed == 1 ? " was" : " were") + " pushed");
    return exit_code::done;
}

// --- rows that were rejected ---------------------------------------------------------

/// Connects to the database, and does something there.
void with_table(const outbox_arguments& given,
                const std::function<asio::awaitable<void>(outbox_table&)>& task)
{
    const auto table = open_table(given);
    asio::io_context io{1};
    std::exception_ptr error;
    const auto work = [&]() -> asio::awaitable<void> {
        co_await table->connect();
        co_await task(*table);
        table->close();
    };
    asio::co_spawn(io, work(), [&](std::exception_ptr thrown) { error = thrown; });
    io.run();
    try {
        if (error)
            std::rethrow_exception(error);
    } catch (const outbox_database_error& thrown) {
        throw failure{exit_code::failed, std::string{"the database: "} + escaped(thrown.what())};
    }
}

exit_code show_rejected(const outbox_arguments& given, surroundings& here)
{
    constexpr std::size_t most = 1000;
    std::vector<rejected_row> found;
    with_table(given,
               [&](outbox_table& rows) -> asio::awaitable<void> { found = co_await rows.rejected(most); });
    table rows{{{"ROW", true}, {"QUEUE"}, {"JOB"}, {"SINCE"}, {"ERROR"}}};
    for (const auto& each : found)
        rows.add({each.id, each.queue, each.job_id, each.at, each.error});
    if (rows.empty())
        here.out.line("No rows are rejected.");
    else
        rows.write(here.out);
    return exit_code::done;
}

exit_code retry_rows(const outbox_arguments& given, surroundings& here)
{
    const bool is_number =
        given.retry.size() <= 18 && given.retry.find_first_not_of("0123456789") == std::string::npos;
    if (given.retry != "all" && !is_number)
        throw failure{exit_code::usage,
                      "--retry '" + escaped(given.retry) + "' is neither the number of a row nor 'all'"};
    std::vector<std::string> ids;
    if (is_number)
        ids.push_back(given.retry);
    std::uint64_t count = 0;
    with_table(given, [&](outbox_table& rows) -> asio::awaitable<void> { count = co_await rows.retry(ids); });
    if (count == 0 && is_number)
        throw failure{exit_code::not_found, "there is no row " + given.retry + " that was rejected"};
    here.out.line(counted(count, "row") + (count == 1 ? " waits" : " wait") + " again");
    return exit_code::done;
}

exit_code run_outbox(const outbox_arguments& given, surroundings& here)
{
    if (given.schema + given.rejected + !given.retry.empty() > 1)
        throw failure{exit_code::usage, "--schema, --rejected and --retry exclude each other"};
    if (given.rejected)
        return show_rejected(given, here);
    if (!given.retry.empty())
        return retry_rows(given, here);
    if (!given.schema)
        return run_relay(given, here);
    here.out.line(open_table(given)->creation());
    return exit_code::done;
}

} // namespace

void add_outbox(command_line& line)
{
    const auto given = std::make_shared<outbox_arguments>();
    auto command =
        line.add("outbox",
                 "Push the jobs that transactions have written to a table of PostgreSQL, MySQL or "
                 "MariaDB, and delete each row when Redis has confirmed its job. SIGTERM or SIGINT "
                 "ends it.",
                 "  coworker outbox --schema | psql shop\n"
                 "  coworker outbox --schema --database mysql:// | mariadb shop\n"
                 "  coworker outbox --database 'host=db dbname=shop' --synced\n"
                 "  coworker outbox --database dbname=shop --rejected",
                 [given](surroundings& here) { return run_outbox(*given, here); });
    command
        .add_option("--database", given->database,
                    "The connection. mysql://user@host/database is a MySQL or MariaDB; what that leaves out "
                    "comes from "
                    "option files such as ~/.my.cnf. All else is a PostgreSQL, as libpq reads it: 'host=db "
                    "dbname=shop' "
                    "or a postgresql:// URL; what that leaves out comes from PGHOST, PGPASSFILE and the like")
        .value_name("CONNECTION");
    command.add_option("--table", given->table, "The table: NAME or SCHEMA.NAME")
        .value_name("NAME")
        .with_default();
    command.add_flag("--schema", given->schema, "Print the SQL that makes the table, and end");
    command.add_flag("--rejected", given->rejected, "Show rows that could not be pushed, and end");
    command
        .add_option("--retry", given->retry, "Have a row that was rejected pushed again, or 'all', and end")
        .value_name("ROW")
        .not_empty();
    command
        .add_option("--remember", given->remember,
                    "How long Redis remembers that a row was pushed. When the database cannot delete it for "
                    "longer, its job is pushed twice")
        .value_name("TIME")
        .with_default();
    command
        .add_option("--poll", given->poll,
                    "How often to look for rows of which the database told nothing; by default every 5s, and "
                    "each second in MySQL, which tells nothing")
        .value_name("TIME");
    command.add_option("--batch-size", given->batch_size, "How many rows are pushed in one transaction")
        .value_name("NUMBER")
        .between(1, 10'000)
        .with_default();
    command
        .add_option("--max-job-size", given->max_job_size,
                    "Rows with a larger payload are rejected, options included")
        .value_name("BYTES")
        .between(1, 1 << 29)
        .with_default();
    add_durability_options(command, given->durable, "else the rows stay, and are pushed again");
    add_metrics_option(command, given->metrics);
    add_log_options(command, given->log);
}

} // namespace coworker::program
