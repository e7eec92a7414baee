// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

#include <map>

namespace coworker::test {

namespace {

const std::map<std::string, scene_maker*> makers{
    {"calm", make_calm}, {"features", make_features},     {"in_doubt", make_in_doubt},
    {"late", make_late}, {"long_times", make_long_times}, {"storm", make_storm}};

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
    // Seven hours before the clocks of Berlin are set forward, or back.
    how.begins = ((how.seed % 2 == 0 ? 1'919'293'200 : 1'901'149'200) * second) - 7 * hour;
    how.shortest_sleep = minute;
}

} // namespace coworker::test
