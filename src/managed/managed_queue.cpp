#include "managed/managed_queue_state.hpp"

#include "managed/checks.hpp"

namespace coworker {

using namespace detail;

managed_queue::managed_queue(coworker::session& session, std::string name, managed_options options)
    : session_{&session}, name_{std::move(name)}, options_{std::move(options)}, state_{
                                                                                    std::make_unique<state>()}
{
    check_queue_name(name_);
    check_options(options_);
}

managed_queue::~managed_queue() = default;

std::string managed_queue::make_jid()
{
    auto jid = state_->ids.next();
    std::erase(jid, '-');
    return jid;
}

} // namespace coworker
