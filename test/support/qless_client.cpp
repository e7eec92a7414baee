// SPDX-License-Identifier: MIT
#include "support/qless_client.hpp"

#include <boost/json/parse.hpp>

namespace coworker::test {

namespace json = boost::json;

json::value qless_client::failure_of(const std::string& jid)
{
    return json::parse(field(jid, "failure"));
}

std::string qless_client::history(const std::string& jid)
{
    std::string told;
    for (const auto& entry : server_("LRANGE", "ql:j:" + jid + "-history", 0, -1).texts()) {
        if (!told.empty())
            told += ' ';
        told += json::parse(entry).as_array().at(1).as_string();
    }
    return told;
}

std::string qless_client::broken()
{
    std::string found, cursor = "0";
    do {
        const auto page = qless("check", cursor, 1000).elements;
        cursor = page.at(0).text;
        for (std::size_t i = 1; i < page.size(); ++i) {
            const auto& finding = page[i].elements;
            if (finding.at(0).text == "broken")
                found += finding.at(1).text + ' ' + finding.at(2).text + ' ' + finding.at(3).text + '\n';
        }
    } while (cursor != "0");
    return found;
}

} // namespace coworker::test
