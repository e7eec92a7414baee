// SPDX-License-Identifier: MIT
#include "gateway/wanted_durability.hpp"

#include "coworker/error.hpp"
#include "json/error_sentence.hpp"

#include <string>

namespace coworker::detail {

durability wanted_durability(const routed& request, std::chrono::milliseconds limit)
{
    constexpr std::uint64_t most_replicas = 8; // each number has a connection to Redis of its own
    const auto found = request.query.find("durability");
    const std::string word = found == request.query.end() ? "memory" : found->second;
    const bool names_replicas = request.query.contains("replicas");
    if (names_replicas && word != "replicated")
        throw refusal{400, "The parameter 'replicas' goes with durability=replicated only."};
    if (word == "memory")
        return durability::memory();
    if (word == "synced")
        return durability::synced(limit);
    if (word != "replicated")
        throw refusal{400, "The parameter 'durability' is memory, replicated or synced."};
    const auto replicas = number_in_query(request, "replicas", 1, most_replicas);
    if (replicas == 0)
        throw refusal{400, "The parameter 'replicas' is not a number from 1 to 8."};
    return durability::replicated(static_cast<int>(replicas), limit);
}

answer pushed_answer(json_object about, const push_result& result, bool is_confirmed)
{
    const bool lacks_confirmation = !result.unconfirmed.empty();
    if (is_confirmed)
        about.boolean("confirmed", !lacks_confirmation);
    if (lacks_confirmation)
        about.text("unconfirmed", result.unconfirmed);
    const auto status = result.pushed ? 201u : 200u;
    return {.status = lacks_confirmation ? 202u : status, .body = about.str() + '\n'};
}

answer durability_refused(const system_error& error)
{
    const auto why = own_words_of(error);
    return problem(501, std::string{"Nothing has been pushed, since this Redis cannot confirm it"} +
                            (why.empty() ? "" : ": " + why) + " [" + error.code().to_string() + "].");
}

} // namespace coworker::detail
