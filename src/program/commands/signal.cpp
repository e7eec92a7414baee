// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/text_functions.hpp"
#include "text/json_spans.hpp"

#include <coworker/managed_client.hpp>

/// coworker signal
namespace coworker::program {
namespace {

struct signal_arguments
{
    std::string id, name, value;
};

exit_code send_signal(const signal_arguments& given, surroundings& here)
{
    if (!detail::is_json(given.value))
        refuse("the value is not JSON: " + shortened(escaped(given.value), 100) +
               "; a text needs quotation marks of its own: '\"yes\"'");
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        const managed_client jobs{redis, here.server.managed()};
        const raw_json value{given.value};
        const auto sent = co_await jobs.async_signal(given.id, given.name, value);
        if (!sent)
            throw failure{sent.error() == errc::job_not_found ? exit_code::not_found : exit_code::failed,
                          sent.error().message()};
        if (here.json)
            here.out.line(
                json_line{}.text("id", given.id).text("signal", given.name).boolean("sent", true).str());
        else
            here.out.line("sent");
        co_return exit_code::done;
    });
}

} // namespace

void add_signal(command_line& line)
{
    const auto given = std::make_shared<signal_arguments>();
    given->value = "null";
    auto command = line.add_with_json("signal",
                                      "Send a signal to a job of a managed queue, which waits for it or "
                                      "will. It is kept until the job asks; a "
                                      "job that sleeps for it runs at once.",
                                      "  coworker signal order-17 approved '{\"by\": \"ada\"}'\n"
                                      "  coworker signal order-17 paid",
                                      [given](surroundings& here) { return send_signal(*given, here); });
    command.add_option("ID", given->id, "The job's id").required();
    command.add_option("NAME", given->name, "The name of the signal").required();
    command.add_option("VALUE", given->value, "Its value, JSON").with_default();
}

} // namespace coworker::program
