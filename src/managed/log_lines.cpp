// SPDX-License-Identifier: MIT
#include "managed/log_lines.hpp"

#include "text/bounded_time.hpp"
#include "text/numbers.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>

namespace coworker::detail {

namespace json = boost::json;

std::string log_text(std::span<const noted_line> lines)
{
    json::array all;
    for (const auto& [age, text] : lines)
        all.emplace_back(json::array{age.count(), text});
    return json::serialize(all);
}

std::vector<job_log_line> read_log(std::string_view stored)
{
    std::vector<job_log_line> lines;
    while (!stored.empty()) {
        const auto line = stored.substr(0, stored.find('\n'));
        stored.remove_prefix(std::min(line.size() + 1, stored.size()));
        const auto blank = std::min(line.find(' '), line.size());
        const auto when = to_number<double>(line.substr(0, blank));
        error_code ec;
        const auto text = json::parse(line.substr(blank), ec);
        if (when && !ec && text.is_string())
            lines.push_back({bounded_time(*when), std::string{text.get_string()}});
    }
    return lines;
}

} // namespace coworker::detail
