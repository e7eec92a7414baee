// SPDX-License-Identifier: MIT

// The command line of coworker.
#include "exec/launcher.hpp"
#include "exec/process_one.hpp"
#include "program/command_line.hpp"
#include "program/embedded_redis/embedded_redis.hpp"
#include "program/service/output_object.hpp"

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// What this program starts itself as; not for people.
struct inner_program
{
    std::string_view word;
    int (*run)(const std::vector<std::string>& words);
};

/// Empty: not set.
std::string variable(const std::string& name)
{
    const auto* value = std::getenv(name.c_str());
    return value ? value : "";
}

coworker::program::server_settings server_in_environment()
{
    coworker::program::server_settings server;
    server.environment_url = variable("COWORKER_REDIS");
    server.environment_files = {variable("COWORKER_REDIS_CA"), variable("COWORKER_REDIS_CERT"),
                                variable("COWORKER_REDIS_KEY")};
    return server;
}

int run_commands(const std::vector<std::string>& words)
{
    return coworker::exec::run_launcher(words, coworker::program::output_object);
}

constexpr inner_program inner_programs[] = {
    {coworker::exec::launcher_word, run_commands},
    {coworker::program::keeper_word, coworker::program::run_redis_keeper},
};

const inner_program* find_inner_program(std::string_view word)
{
    for (const auto& program : inner_programs)
        if (program.word == word)
            return &program;
    return nullptr;
}

} // namespace

int main(int argc, char** argv)
{
    using namespace coworker::program;
    prepare_standard_streams();
    if (const auto* inner = argc > 1 ? find_inner_program(argv[1]) : nullptr)
        return inner->run({argv + 2, argv + argc});
    if (const auto code = coworker::exec::stand_in_as_process_one())
        return *code;
    command_line line{server_in_environment(), notifier::from_environment(), variable};
    add_commands(line, variable("COWORKER_TOKEN"));
    return line.run(argc, argv);
}
