// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

namespace coworker {

/// What becomes of a job of a managed queue when one of those that it waits for fails for good or is cancelled. See
/// `managed_push_options::on_parent_failure`.
enum class parent_failure
{
    wait, ///< it waits on, as in qless, until that one is retried and succeeds; that one cannot be cancelled or deleted
    fail,  ///< it fails in the group `parent-failed`; a retry by hand runs it, whatever became of the others
    skip,  ///< it is cancelled; it fails instead if jobs wait for it whose own answer is `wait`
    go_on, ///< it runs all the same, when the others that it waits for have ended
};

/// "wait", "fail", "skip" or "go_on".
std::string_view to_string(parent_failure what) noexcept;

/// The one of that name, if there is one.
std::optional<parent_failure> parse_parent_failure(std::string_view name) noexcept;

} // namespace coworker
