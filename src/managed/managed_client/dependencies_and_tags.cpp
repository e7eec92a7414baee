// SPDX-License-Identifier: MIT
#include "coworker/managed_client.hpp"
#include "managed/checks.hpp"
#include "managed/managed_call.hpp"
#include "managed/read_look.hpp"

/// Dependencies, tags and tracking.
namespace coworker {

using namespace detail;

namespace {

std::vector<std::string> read_tags(const reply::answer& answer)
{
    return read_texts(answer.text());
}

bool read_changed(const reply::answer& answer)
{
    return answer.text() == "1";
}

managed_call tag_call(const std::string& prefix, std::string_view command, std::string_view jid,
                      const text_list& tags)
{
    check_jid(jid);
    check_names(tags, "a tag");
    managed_call call{prefix, "tag"};
    call.add(command).add(jid).add_each(tags);
    return call;
}

managed_call track_call(const std::string& prefix, std::string_view command, std::string_view jid)
{
    check_jid(jid);
    managed_call call{prefix, "track"};
    call.add(command).add(jid);
    return call;
}

} // namespace

asio::awaitable<result<void>> managed_client::add_dependencies(std::string_view jid, text_list others) const
{
    check_jid(jid);
    check_jids(others);
    managed_call call{options_.prefix, "depends"};
    call.add(jid).add("on").add_each(others);
    return ask(*redis_, std::move(call));
}

asio::awaitable<result<void>> managed_client::remove_dependencies(std::string_view jid,
                                                                  text_list others) const
{
    check_jid(jid);
    check_jids(others);
    if (!others.empty() && others[0] == "all") // the script's word for all of them
        throw explained_error{errc::invalid_job_id,
                              "a jid 'all' cannot come first here; put another before it"};
    managed_call call{options_.prefix, "depends"};
    call.add(jid).add("off").add_each(others);
    return ask(*redis_, std::move(call));
}

asio::awaitable<result<void>> managed_client::remove_all_dependencies(std::string_view jid) const
{
    check_jid(jid);
    managed_call call{options_.prefix, "depends"};
    call.add(jid).add("off").add("all");
    return ask(*redis_, std::move(call));
}

asio::awaitable<result<std::vector<std::string>>> managed_client::tag(std::string_view jid,
                                                                      text_list tags) const
{
    return ask(*redis_, tag_call(options_.prefix, "add", jid, tags), read_tags);
}

asio::awaitable<result<std::vector<std::string>>> managed_client::untag(std::string_view jid,
                                                                        text_list tags) const
{
    return ask(*redis_, tag_call(options_.prefix, "remove", jid, tags), read_tags);
}

asio::awaitable<managed_page> managed_client::tagged(std::string_view tag, std::size_t offset,
                                                     std::size_t count) const
{
    check_name(tag, "the tag");
    managed_call call{options_.prefix, "tag"};
    call.add("get").add(tag).add_place(offset).add_place(count);
    return tell(
        *redis_, std::move(call), +[](const reply::answer& answer) { return read_page(answer.text()); });
}

asio::awaitable<std::vector<std::string>> managed_client::top_tags(std::size_t offset,
                                                                   std::size_t count) const
{
    managed_call call{options_.prefix, "tag"};
    call.add("top").add_place(offset).add_place(count);
    return tell(*redis_, std::move(call), read_tags);
}

asio::awaitable<result<bool>> managed_client::track(std::string_view jid) const
{
    return ask(*redis_, track_call(options_.prefix, "track", jid), read_changed);
}

asio::awaitable<result<bool>> managed_client::untrack(std::string_view jid) const
{
    return ask(*redis_, track_call(options_.prefix, "untrack", jid), read_changed);
}

asio::awaitable<tracked_jobs> managed_client::tracked() const
{
    return tell(
        *redis_, managed_call{options_.prefix, "track"},
        +[](const reply::answer& answer) { return read_tracked(answer.text()); });
}

} // namespace coworker
