// SPDX-License-Identifier: MIT
#include "gateway/description.hpp"

#include "coworker/version.hpp"
#include "gateway/route.hpp"
#include "text/json_object.hpp"

#include <set>

namespace coworker::detail {
namespace {

/// A part that is named, and described elsewhere.
std::string reference(std::string_view kind, std::string_view name)
{
    json_object out;
    out.text("$ref", "#/components/" + std::string{kind} + '/' + std::string{name});
    return out.str();
}

std::string_view parameter_of(path_name name) noexcept
{
    switch (name) {
    case path_name::queue:
        return "queue";
    case path_name::id:
        return "id";
    case path_name::managed_queue:
        return "managed_queue";
    case path_name::group:
        return "group";
    case path_name::jid:
        return "jid";
    case path_name::schedule:
        return "schedule";
    case path_name::limit:
        return "limit";
    case path_name::batch:
        return "batch";
    default:
        return {};
    }
}

std::string describe_parameters(const route_facts& what)
{
    std::string list;
    const auto add = [&](std::string_view name) {
        if (!name.empty())
            list.append(list.empty() ? "" : ",").append(reference("parameters", name));
    };
    add(parameter_of(what.name));
    add(parameter_of(what.inner));
    for (auto rest = what.query; !rest.empty();) {
        const auto size = std::min(rest.find(' '), rest.size());
        add(rest.substr(0, size));
        rest.remove_prefix(std::min(size + 1, rest.size()));
    }
    return list.empty() ? list : '[' + list + ']';
}

json_object describe_content(std::string_view type, std::string_view schema)
{
    json_object media, content;
    media.json("schema", reference("schemas", schema));
    content.object(type, media);
    return content;
}

/// The statuses of the problems with which a route may answer.
std::set<unsigned> problems_of(const route_facts& what)
{
    std::set<unsigned> statuses{403};
    if (!what.is_open)
        statuses.insert(401);
    if (what.name != path_name::none || !what.query.empty() || !what.body.empty())
        statuses.insert(400);
    if (!what.body.empty())
        statuses.insert({413, 415});
    if (what.needs_redis)
        statuses.insert({500, 503});
    for (const auto status : what.problems)
        if (status != 0)
            statuses.insert(status);
    return statuses;
}

std::string describe_answers(const route_facts& what)
{
    json_object out;
    for (const auto& one : what.answers) {
        if (one.schema.empty())
            break;
        json_object answer;
        answer.text("description", one.means).object("content", describe_content(one.type, one.schema));
        out.object(std::to_string(one.status), answer);
    }
    for (const auto status : problems_of(what))
        out.json(std::to_string(status), reference("responses", status == 503 ? "unavailable" : "problem"));
    return out.str();
}

std::string describe(const route_facts& what)
{
    json_object out;
    out.text("operationId", what.id).text("summary", what.summary);
    if (what.is_open)
        out.json("security", "[]");
    if (const auto parameters = describe_parameters(what); !parameters.empty())
        out.json("parameters", parameters);
    if (!what.body.empty()) {
        json_object body;
        body.boolean("required", true).object("content", describe_content("application/json", what.body));
        out.object("requestBody", body);
    }
    return out.json("responses", describe_answers(what)).str();
}

std::string in_lower_case(std::string_view text)
{
    std::string result{text};
    for (auto& c : result)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return result;
}

/// One line for each path, with all its methods.
std::string describe_paths()
{
    std::string lines, methods;
    const auto all = routes();
    for (std::size_t i = 0; i != all.size(); ++i) {
        methods.append(methods.empty() ? "" : ",").append(json_string(in_lower_case(all[i].method)));
        methods.append(":").append(describe(all[i].facts));
        if (i + 1 != all.size() && all[i + 1].path == all[i].path)
            continue;
        lines.append(lines.empty() ? "\n" : ",\n").append(json_string(all[i].path));
        lines.append(":{").append(methods).append("}");
        methods.clear();
    }
    return '{' + lines + "}\n";
}

/// The text between the braces of an object.
std::string_view inside_of(std::string_view object) noexcept
{
    object = object.substr(object.find('{') + 1);
    return object.substr(0, object.rfind('}'));
}

std::string describe_components()
{
    json_object out;
    std::string all;
    const auto parts = description_parts();
    for (std::size_t i = 0; i != parts.size(); ++i) {
        all.append(all.empty() ? "" : ",").append(inside_of(parts[i].text));
        if (i + 1 != parts.size() && parts[i + 1].kind == parts[i].kind)
            continue;
        out.json(parts[i].kind, '{' + all + '}');
        all.clear();
    }
    return out.str();
}

std::string describe_gateway()
{
    json_object info, out;
    info.text("title", "coworker gateway")
        .text("version", version)
        .text("description",
              "Pushes jobs by their type, one list queue per type, and looks after list queues "
              "and managed queues.");
    out.text("openapi", "3.1.0")
        .object("info", info)
        .json("security", R"([{"bearer":[]}])")
        .json("paths", describe_paths())
        .json("components", describe_components());
    return out.str() + '\n';
}

} // namespace

const std::string& openapi_description()
{
    static const std::string text = describe_gateway();
    return text;
}

} // namespace coworker::detail
