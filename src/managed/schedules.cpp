// SPDX-License-Identifier: MIT
#include "coworker/schedules.hpp"

#include "managed/checks.hpp"
#include "managed/managed_queue/put_request.hpp"
#include "managed/scheduled_options.hpp"
#include "managed/schedules_of_prefix.hpp"

#include <boost/json/array.hpp>

/// What schedules of managed queues push. All else is in src/schedule.
namespace coworker {

using namespace detail;

namespace {

constexpr std::string_view schedule_jid = "name@time"; // stands for those that the scripts make

/// What follows the delay in the arguments of `put`, as a JSON list.
std::string push_words(const std::string& prefix, const put_request& job)
{
    boost::json::array list;
    for (const auto& word : words_for_later(prefix, job, "jobs of schedules"))
        list.emplace_back(word);
    return encode_value(std::move(list)).value();
}

void read_options(std::string_view stored, schedule_status& into)
{
    into.options = read_scheduled_options(stored, into.kind, into.data);
}

managed_options checked(managed_options options)
{
    check_options(options);
    return options;
}

} // namespace

std::shared_ptr<const schedule_place> detail::where_schedules_are(std::shared_ptr<connection> redis,
                                                                  const std::string& prefix)
{
    return std::make_shared<const schedule_place>(schedule_place{
        std::move(redis), "managed", {prefix, prefix + "coworker:schedules"}, {}, read_options});
}

schedules::schedules(const client& redis, managed_options options)
    : schedule_book{where_schedules_are(connection_of(redis).for_prefix(options.prefix), options.prefix)},
      options_{checked(std::move(options))}
{}

asio::awaitable<bool> schedules::set_encoded(std::string_view name, const schedule& when,
                                             std::string_view queue, std::string_view kind,
                                             const std::string& data,
                                             const managed_push_options& options) const
{
    check_queue_name(queue);
    const put_request job{.kind = kind, .data = data, .jid = schedule_jid, .options = options};
    check_put(job, largest_scheduled_job);
    return set(name, when, {std::string{queue}, std::string{kind}, data, push_words(options_.prefix, job)});
}

} // namespace coworker
