// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

#include <map>

namespace coworker::test {

namespace {

const std::map<std::string, scene_maker*> makers{
    {"calm", make_calm}, {"features", make_features}, {"late", make_late}, {"storm", make_storm}};

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

void prepare(simulation_options&, const std::string&) {}

} // namespace coworker::test
