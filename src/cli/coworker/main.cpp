// The command line of coworker.
#include "coworker/qless.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

int main(int argc, char** argv)
{
    CLI::App app{"Looks after coworker's queues in Redis."};
    app.require_subcommand(1);

    coworker::cli::qless_settings qless;
    auto* qless_command = app.add_subcommand(
        "qless", "Calls commands of the managed queue in qless's own form: reads one JSON object a line from "
                 "standard input, such as {\"args\": [\"get\", \"1700000000.1\", \"jid\"]}, and writes "
                 "{\"ok\": reply} or {\"err\": \"text\"} for each.");
    qless_command->add_option("--redis", qless.redis_url, "The server, such as redis://localhost:6379")
        ->type_name("URL")
        ->required();
    qless_command->add_option("--prefix", qless.prefix, "What all keys begin with")->capture_default_str();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& answer) { // or help was asked for
        return app.exit(answer) == 0 ? 0 : 2;
    }

    try {
        coworker::cli::serve_qless(qless);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "coworker: " << error.what() << '\n';
        return 1;
    }
}
