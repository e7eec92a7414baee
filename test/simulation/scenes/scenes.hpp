// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/scene.hpp"

#include <memory>

namespace coworker::test {

using scene_maker = std::unique_ptr<scene>(simulation& all, const scene_options& how);

scene_maker make_calm, make_deploys, make_features, make_frozen, make_gathering, make_in_doubt,
    make_last_words, make_late, make_long_times, make_shared_clients, make_remote, make_sleepers, make_steps,
    make_storm, make_turns;

} // namespace coworker::test
