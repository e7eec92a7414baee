// The command line of coworker.
#include "coworker/command_line.hpp"
#include "process/launcher.hpp"

#include <cstdlib>
#include <string_view>

int main(int argc, char** argv)
{
    using namespace coworker::cli;
    prepare_standard_streams();
    if (argc > 1 && std::string_view{argv[1]} == launcher_word)
        return run_launcher({argv + 2, argv + argc});
    const auto* url = std::getenv("COWORKER_REDIS");
    [[maybe_unused]] const auto* token = std::getenv("COWORKER_TOKEN");
    command_line line{COWORKER_VERSION, url ? url : "", notifier::from_environment()};
    add_push(line);
    add_queues(line);
    add_pause(line);
    add_resume(line);
    add_jobs(line);
    add_failed(line);
    add_broken(line);
    add_retry(line);
    add_delete(line);
    add_job(line);
    add_work(line);
    add_workers(line);
    add_stats(line);
    add_check(line);
    add_top(line);
    add_qless(line);
    add_completion(line);
    add_man(line);
#ifdef COWORKER_WITH_GATEWAY
    add_gateway(line, token ? token : "");
#endif
    return line.run(argc, argv);
}
