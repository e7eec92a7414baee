// SPDX-License-Identifier: MIT
#include "coworker/handlers_by_kind.hpp"

namespace coworker {

job_handler handlers_by_kind::as_handler() &&
{
    auto handlers = std::make_shared<const handlers_by_kind>(std::move(*this));
    return [handlers](std::string_view data, job_context& context) -> handler_answer {
        const auto chosen = handlers->handlers_.find(context.kind());
        const auto& handler = chosen != handlers->handlers_.end() ? chosen->second : handlers->fallback_;
        if (!handler)
            return failure("this worker has no handler for jobs of the kind '" + std::string{context.kind()} +
                               "'",
                           ":no-handler");
        return handler(data, context);
    };
}

} // namespace coworker
