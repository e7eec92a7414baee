// SPDX-License-Identifier: MIT
#include "program/tls_files.hpp"

#include "program/exit_code.hpp"
#include "text/percent_code.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace coworker::program {

tls_files take_tls_files(std::string& url)
{
    tls_files files;
    const auto mark = url.find('?');
    if (mark == url.npos)
        return files;
    std::string others;
    std::string_view query{url};
    for (auto begin = mark + 1; begin <= query.size();) {
        const auto end = std::min(query.find('&', begin), query.size());
        const auto parameter = query.substr(begin, end - begin);
        begin = end + 1;
        const auto sign = parameter.find('=');
        const auto name = parameter.substr(0, sign);
        auto* const file = name == "ca"     ? &files.ca
                           : name == "cert" ? &files.certificate
                           : name == "key"  ? &files.key
                                            : nullptr;
        if (file == nullptr) {
            others.append(others.empty() ? "?" : "&").append(parameter);
            continue;
        }
        auto path = detail::percent_decoded(sign == parameter.npos ? "" : parameter.substr(sign + 1));
        if (!path || path->empty() || !file->empty())
            throw failure{exit_code::usage, "the URL of Redis has to name one file behind " +
                                                std::string{name} +
                                                "=, in which a % is followed by two hexadecimal digits"};
        *file = std::move(*path);
    }
    url.replace(mark, url.npos, others);
    return files;
}

} // namespace coworker::program
