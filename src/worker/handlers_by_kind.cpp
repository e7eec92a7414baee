// SPDX-License-Identifier: MIT
#include "coworker/handlers_by_kind.hpp"

#include "coworker/job_source.hpp"
#include "coworker/managed_details.hpp"

namespace coworker {
namespace {

constexpr unsigned first_version = 1;

unsigned version_of(const job_context& context)
{
    const auto* const details = context.details<managed_details>();
    return details != nullptr ? details->version.value_or(first_version) : first_version;
}

} // namespace

void job_source::handle_only(const std::vector<handled_kind>&) {}

void handlers_by_kind::add(std::string kind, job_handler handler, const kind_options& options)
{
    for (const auto each : options.versions)
        if (each < first_version)
            throw system_error{errc::invalid_option, "versions of jobs are numbers from 1 on"};
    if (options.versions.empty())
        handlers_[{std::move(kind), first_version}] = std::move(handler);
    else
        for (const auto each : options.versions)
            handlers_[{kind, each}] = handler;
}

void handlers_by_kind::limit(job_source& source) const
{
    if (fallback_)
        return;
    std::vector<job_source::handled_kind> kinds;
    for (const auto& [key, handler] : handlers_)
        kinds.push_back({key.first, key.second});
    source.handle_only(kinds);
}

job_handler handlers_by_kind::as_handler() &&
{
    auto handlers = std::make_shared<const handlers_by_kind>(std::move(*this));
    return [handlers](std::string_view data, job_context& context) -> handler_answer {
        const auto chosen = handlers->handlers_.find({std::string{context.kind()}, version_of(context)});
        const auto& handler = chosen != handlers->handlers_.end() ? chosen->second : handlers->fallback_;
        if (!handler)
            return failure("this worker has no handler for jobs of the kind '" + std::string{context.kind()} +
                               "'",
                           ":no-handler");
        return handler(data, context);
    };
}

} // namespace coworker
