// SPDX-License-Identifier: MIT
#pragma once

#include "redis/gathered_pushes.hpp"
#include "redis/request_call.hpp"

#include <memory>
#include <vector>

namespace coworker::detail {

/// Pushes that go to Redis in one request.
struct push_batch final : request_call, std::enable_shared_from_this<push_batch>
{
    /// Pushes of a batch that are one command.
    struct command
    {
        push_form::pushes pushes;

        const push_form& form() const noexcept { return pushes.front()->form; }
        const script* called() const { return form().called(pushes); }
    };

    bool is_full() const noexcept { return is_full_push(pushes.size(), bytes); }

    void add(std::shared_ptr<waiting_push> push);

    /// Sends it; the pushes are completed when it has been answered.
    void start(const std::shared_ptr<connection>& on);

    void ended(std::exception_ptr why) override;

    std::vector<std::shared_ptr<waiting_push>> pushes;
    std::vector<command> commands;     ///< in the order of the request, behind those that load scripts
    std::shared_ptr<connection> redis; ///< while it is under way
    std::size_t bytes = 0;
    std::size_t waiting = 0; ///< pushes that were not cancelled
    std::size_t loads = 0;   ///< commands that load scripts
    bool is_sent = false;
    bool is_sorted = true;
    bool is_repeated = false; ///< Redis did not have the scripts, and is given them first

private:
    void write_request();
    void write_names();
    bool lacks_script(std::size_t index) const;
    std::vector<std::exception_ptr> refusals(std::size_t index) const;
    void repeat(const std::vector<const command*>& missing);
};

} // namespace coworker::detail
