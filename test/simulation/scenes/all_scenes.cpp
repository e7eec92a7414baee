// SPDX-License-Identifier: MIT
#include "simulation/scenes/calendar.hpp"
#include "simulation/scenes/scenes.hpp"

#include <map>

namespace coworker::test {

namespace {

const std::map<std::string, scene_maker*> makers{{"calm", make_calm},
                                                 {"deploys", make_deploys},
                                                 {"features", make_features},
                                                 {"frozen", make_frozen},
                                                 {"gathering", make_gathering},
                                                 {"in_doubt", make_in_doubt},
                                                 {"last_words", make_last_words},
                                                 {"late", make_late},
                                                 {"long_times", make_long_times},
                                                 {"remote", make_remote},
                                                 {"shared", make_shared_clients},
                                                 {"sleepers", make_sleepers},
                                                 {"steps", make_steps},
                                                 {"storm", make_storm},
                                                 {"turns", make_turns}};

} // namespace

std::unique_ptr<scene> make_scene(simulation& all, const scene_options& how)
{
    const auto found = makers.find(how.name);
    return found != makers.end() ? found->second(all, how) : nullptr;
}

std::vector<std::string> scene_names()
{
    std::vector<std::string> names;
    for (const auto& [name, make] : makers)
        names.push_back(name);
    return names;
}

void prepare(simulation_options& how, const std::string& scene)
{
    if (scene != "long_times")
        return;
    how.begins = switches_of_month(how.seed)[0] - day;
    how.shortest_sleep = minute;
}

} // namespace coworker::test
