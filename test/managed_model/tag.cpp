// SPDX-License-Identifier: MIT
#include "commands.hpp"

#include <algorithm>
#include <cmath>

namespace coworker::test::model {
namespace {

/// Which part of a list is asked for.
struct page
{
    double offset;
    double count;
};

page read_page(const arguments& given, std::size_t first)
{
    return {given.number(first, 0, R"(Tag(): Arg "offset" not a number: )"),
            given.number(first + 1, 25, R"(Tag(): Arg "count" not a number: )")};
}

job& tagged_job(store& in, const arguments& given)
{
    const auto jid = given.text(1, R"(Tag(): Arg "jid" missing)");
    auto* job = in.find(jid);
    if (!job)
        throw refusal{"Tag(): Job " + jid + " does not exist"};
    return *job;
}

reply add(store& in, const arguments& given)
{
    auto& job = tagged_job(in, given);
    for (const auto& tag : given.from(2)) {
        if (std::find(job.tags.begin(), job.tags.end(), tag) == job.tags.end())
            job.tags.push_back(tag);
        in.add_tag(given.now(), job.jid, tag);
    }
    return document(to_json(job.tags));
}

reply remove(store& in, const arguments& given)
{
    auto& job = tagged_job(in, given);
    for (const auto& tag : given.from(2)) {
        std::erase(job.tags, tag);
        in.remove_tag(job.jid, tag);
    }
    return document(to_json(job.tags));
}

reply get_tagged(store& in, const arguments& given)
{
    const auto tag = given.text(1, R"(Tag(): Arg "tag" missing)");
    const auto [offset, count] = read_page(given, 2);
    const auto& jids = in.tagged[tag];
    return document(json::object{{"total", jids.size()}, {"jobs", to_json(part(jids.all(), offset, count))}});
}

reply top(store& in, const arguments& given)
{
    const auto [offset, count] = read_page(given, 1);
    auto tags = in.tag_counts.between(2, HUGE_VAL);
    std::reverse(tags.begin(), tags.end());
    return document(to_json(part(tags, offset, count)));
}

} // namespace

reply tag(store& in, const arguments& given)
{
    const auto command = given.text(0, R"(Tag(): Arg "command" must be "add", "remove", "get" or "top")");
    if (command == "add")
        return add(in, given);
    if (command == "remove")
        return remove(in, given);
    if (command == "get")
        return get_tagged(in, given);
    if (command == "top")
        return top(in, given);
    throw refusal{R"(Tag(): First argument must be "add", "remove" or "get")"};
}

} // namespace coworker::test::model
