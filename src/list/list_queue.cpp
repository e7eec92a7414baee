#include "list/list_queue_state.hpp"

#include "list/list_source.hpp"

#include <boost/uuid/uuid_io.hpp>

namespace coworker {

using namespace detail;

raw_list_queue::raw_list_queue(coworker::session& session, std::string name, list_queue_options options)
    : session_{&session}, name_{std::move(name)}, options_{options}, state_{std::make_unique<state>(name_)}
{
    if (name_.empty() || name_.size() > 512)
        throw system_error{errc::invalid_queue_name, "'" + name_.substr(0, 64) + "'"};
    if (options_.failed_limit == 0 || options_.broken_limit == 0)
        throw system_error{errc::invalid_option, "failed_limit and broken_limit are at least 1"};
}

raw_list_queue::~raw_list_queue() = default;

std::unique_ptr<job_source> raw_list_queue::make_source()
{
    return std::make_unique<list_source>(session_->client().shared_from_this(), name_, options_);
}

std::string raw_list_queue::state::make_id()
{
    char text[36];
    boost::uuids::to_chars(new_id(), text, text + sizeof text);
    return {text, sizeof text};
}

asio::awaitable<reply> detail::ask(client& redis, const boost::redis::request& what)
{
    reply answers;
    co_await redis.exec(what, answers);
    answers.throw_if_error();
    co_return answers;
}

} // namespace coworker
