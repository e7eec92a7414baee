// SPDX-License-Identifier: MIT
#include "gateway/parameters.hpp"

#include "gateway/description.hpp"
#include "text/plain_text.hpp"

#include <boost/algorithm/string/join.hpp>
#include <boost/json/parse.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace coworker::detail {
namespace {

namespace json = boost::json;

/// The parameters of a query, by the id of the route.
using parameters_of_routes = std::map<std::string, std::vector<std::string>>;

const json::value& resolved(const json::value& description, const json::value& parameter)
{
    const auto* const reference = parameter.as_object().if_contains("$ref");
    return reference == nullptr ? parameter : description.at_pointer(reference->as_string().subview(1));
}

std::vector<std::string> parameters_of(const json::value& description, const json::object& operation)
{
    std::vector<std::string> names;
    if (const auto* const parameters = operation.if_contains("parameters"))
        for (const auto& each : parameters->as_array())
            if (const auto& parameter = resolved(description, each); parameter.at("in") == "query")
                names.emplace_back(parameter.at("name").as_string());
    return names;
}

parameters_of_routes described_parameters()
{
    parameters_of_routes all;
    const auto description = json::parse(openapi_description());
    for (const auto& path : description.at("paths").as_object())
        for (const auto& method : path.value().as_object()) {
            const auto& operation = method.value().as_object();
            all.emplace(operation.at("operationId").as_string(), parameters_of(description, operation));
        }
    return all;
}

} // namespace

void check_parameters(const routed& request)
{
    if (request.query.empty() || !request.route->path.starts_with("/v1/"))
        return;
    static const auto all = described_parameters();
    const auto& known = all.at(std::string{request.route->facts.id});
    for (const auto& [name, value] : request.query)
        if (std::ranges::find(known, name) == known.end())
            throw refusal{400, "The URL has a parameter " + in_quotes(name) +
                                   " that this path does not take; " +
                                   (known.empty() ? std::string{"it takes none."}
                                                  : "it takes " + boost::join(known, ", ") + '.')};
}

} // namespace coworker::detail
