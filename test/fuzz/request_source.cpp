// SPDX-License-Identifier: MIT
#include "fuzz/request_source.hpp"

#include "gateway/route.hpp"

namespace coworker::test {

std::string request_source::next()
{
    std::string bytes;
    for (auto count = 1 + (once_in(3) ? below(4) : 0); count != 0; --count)
        bytes += request();
    return once_in(2) ? bytes : mangled(std::move(bytes));
}

std::string request_source::mangled(std::string bytes)
{
    for (auto changes = 1 + below(4); changes != 0 && !bytes.empty(); --changes) {
        const auto at = below(bytes.size());
        switch (below(5)) {
        case 0:
            bytes[at] = static_cast<char>(below(256));
            break;
        case 1:
            bytes.erase(at, below(20));
            break;
        case 2:
            bytes.insert(at, bytes.substr(below(bytes.size()), below(40)));
            break;
        case 3:
            bytes.resize(at);
            break;
        default:
            bytes[at] = "\r\n \"{}[],:\\%/?&="[below(16)];
        }
    }
    return bytes;
}

std::string request_source::request()
{
    const bool posts = once_in(2);
    std::string bytes = posts ? "POST " : once_in(20) ? one_of({"HEAD ", "PUT ", "DELETE ", "x "}) : "GET ";
    bytes += target();
    bytes += once_in(30) ? one_of({" HTTP/1.0\r\n", " HTTP/2\r\n", "\r\n"}) : " HTTP/1.1\r\n";
    bytes += fields();
    if (!posts && !once_in(20))
        return bytes + "\r\n";
    const auto content = body();
    if (once_in(4))
        return bytes + "Transfer-Encoding: chunked\r\n\r\n" + chunked(content);
    const auto length = once_in(20) ? below(100'000) : content.size();
    return bytes + "Content-Length: " + std::to_string(length) + "\r\n\r\n" + content;
}

std::string request_source::fields()
{
    std::string fields = once_in(20) ? one_of({"", "Host: \r\n", "Host: [::1\r\n", "Host: evil.example\r\n"})
                                     : "Host: localhost\r\n";
    if (!once_in(10))
        fields += "Content-Type: application/json\r\n";
    if (once_in(8))
        fields +=
            one_of({"Expect: 100-continue\r\n", "Connection: close\r\n", "Authorization: Bearer x\r\n",
                    "Authorization: bearer \r\n", "Origin: http://localhost\r\n", "Origin: null\r\n",
                    "Sec-Fetch-Site: same-origin\r\n", "If-None-Match: *\r\n", "Connection: upgrade\r\n",
                    "Content-Type: application/json ; charset=x\r\n", "Cookie: a=b\r\n\tfolded\r\n"});
    return fields;
}

std::string request_source::target()
{
    const auto routes = detail::routes();
    std::string path{routes[below(routes.size())].path};
    if (path == "/v1/events") // has no end
        path = "/v1/workers";
    if (const auto open = path.find('{'); open != path.npos)
        path.replace(open, path.find('}') - open + 1, name());
    if (once_in(20))
        path =
            one_of({"/", "/dashboard.js", "*", "//", "http://localhost/v1/queues", "/%", "/v1/queues/%zz"});
    for (char separator = '?'; once_in(2); separator = '&') {
        path += separator;
        path += one_of({"count=", "offset=", "cursor=", "state=", "day=", "x", "count=1&count="});
        path += once_in(3)
                    ? name()
                    : one_of({"0", "1", "1000", "1001", "-1", "18446744073709551615", "4294967296", "running",
                              "waiting", "stalled", "recurring", "2026-11-21", "2026-02-30"});
    }
    return path;
}

std::string request_source::name()
{
    if (!once_in(3))
        return one_of({"a", "b", "mail", "managed:a", "managed:mail", "list:a", "job-1", "io", "retry"});
    std::string name;
    for (auto size = below(12); size != 0; --size)
        name += one_of({"a", "Z", "7", "-", ".", "%20", "%2F", "%00", "%ff", "%C3%BC", "+", "~", "%", "\""});
    return name;
}

std::string request_source::text()
{
    std::string text = "\"";
    for (auto size = below(10); size != 0; --size)
        text += one_of({"a", "mail", "1", "-", " ", "\\n", "\\u0000", "\\ud83d\\ude00", "\\ud800", "\\\"",
                        "\xc3\xbc", "\xff", "2026-11-21T09:54:29Z", "5m", "eA"});
    return text + '"';
}

std::string request_source::json(int depth)
{
    if (once_in(200))
        return std::string(300, '[') + std::string(300, ']');
    if (depth == 0 || once_in(2))
        return once_in(3)
                   ? text()
                   : one_of({"null", "true", "0", "-1.5e3", "1e999", "123456789012345678901", "[]", "{}"});
    std::string value = "[";
    const bool is_object = once_in(2);
    for (auto size = below(4); size != 0; --size) {
        if (value.size() > 1)
            value += ',';
        if (is_object)
            value.append(text()).append(":");
        value += json(depth - 1);
    }
    value += ']';
    if (is_object) {
        value.front() = '{';
        value.back() = '}';
    }
    return value;
}

std::string request_source::job()
{
    std::string job = "{";
    if (!once_in(20))
        job.append(R"("type":)").append(once_in(3) ? text() : R"("mail")").append(",");
    if (!once_in(20))
        job.append(R"("payload":)").append(json(3));
    if (once_in(3))
        job.append(R"(,"delay":)").append(one_of({"0", "1.5", "1e-9", "-1", R"("5m")", R"("9e9d")", "null"}));
    if (once_in(5))
        job.append(R"(,"run_at":)").append(once_in(2) ? text() : R"("2100-01-01T00:00:00Z")");
    if (once_in(3))
        job.append(R"(,"id":)").append(text());
    return job += '}';
}

std::string request_source::selection()
{
    std::string selected;
    switch (below(4)) {
    case 0:
        selected = R"({"all":true})";
        break;
    case 1:
        selected.append(R"({"group":)").append(text()).append(R"(,"all":true})");
        break;
    case 2:
        selected.append(R"({"keys":[)").append(text()).append(R"(,"WyJhIiwxXQ"]})");
        break;
    default:
        selected.append(R"({"ids":[)").append(text()).append(",\"a\",").append(text()).append("]}");
    }
    return selected;
}

std::string request_source::body()
{
    switch (below(5)) {
    case 0:
        return json(4);
    case 1:
        return selection();
    case 2: {
        std::string jobs = "[";
        jobs += job();
        for (auto size = below(4); size != 0; --size)
            jobs.append(",").append(job());
        return jobs += ']';
    }
    default:
        return job();
    }
}

std::string request_source::chunked(const std::string& body)
{
    constexpr const char* digits = "0123456789abcdef";
    std::string bytes;
    for (std::size_t at = 0; at < body.size();) {
        const auto part = body.substr(at, 1 + below(15));
        bytes += digits[part.size()];
        bytes += once_in(30) ? ";x=y\r\n" : "\r\n";
        bytes += part + "\r\n";
        at += part.size();
    }
    return bytes + "0\r\n\r\n";
}

} // namespace coworker::test
