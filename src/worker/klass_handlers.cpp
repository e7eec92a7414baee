#include "coworker/klass_handlers.hpp"

namespace coworker {

job_handler klass_handlers::as_handler() &&
{
    auto handlers = std::make_shared<const klass_handlers>(std::move(*this));
    return [handlers](std::string_view data, job_context& context) -> handler_answer {
        const auto chosen = handlers->handlers_.find(context.klass());
        const auto& handler = chosen != handlers->handlers_.end() ? chosen->second : handlers->fallback_;
        if (!handler)
            return failure("this worker has no handler for jobs of the klass '" +
                               std::string{context.klass()} + "'",
                           ":no-handler");
        return handler(data, context);
    };
}

} // namespace coworker
