// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "coworker/trace_context.hpp"
#include "text/base64.hpp"
#include "text/json_object.hpp"
#include "text/json_spans.hpp"
#include "text/numbers.hpp"
#include "text/percent_code.hpp"
#include "text/plain_text.hpp"
#include "text/prometheus.hpp"
#include "text/utf8.hpp"

#include <algorithm>

namespace coworker::fuzz {

using namespace detail;

namespace {

void show(std::string_view bytes)
{
    const auto shown = escaped(bytes);
    claim(is_utf8(shown) && std::none_of(shown.begin(), shown.end(), [](char c) {
              return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
          }));
    claim(escaped(shown).size() >= shown.size()); // a backslash may be escaped once more
    for (const std::size_t width : {1u, 7u, 80u}) {
        const auto some = shortened(shown, width);
        claim(is_utf8(some) && width_of(some) <= width);
    }
    json_object line{json_for::terminals};
    line.text("a", bytes);
    const auto written = line.str();
    claim(is_json(written) && is_utf8(written) && written.find('\n') == written.npos);
}

void encode_and_decode(std::string_view bytes)
{
    claim(base64_decode(base64_encode(bytes)) == bytes);
    claim(from_base64url(to_base64url(bytes)) == bytes);
    if (const auto decoded = base64_decode(bytes))
        claim(base64_encode(*decoded) == bytes);
    if (const auto decoded = from_base64url(bytes))
        claim(to_base64url(*decoded) == bytes);
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    claim(percent_decoded(percent_encoded(bytes, is_letter)) == bytes);
    if (const auto decoded = percent_decoded(bytes))
        claim(decoded->size() <= bytes.size());
}

template<class Number>
void read_number(std::string_view bytes)
{
    if (const auto number = to_number<Number>(bytes))
        claim(to_number<Number>(std::to_string(*number)) == number);
}

void read_numbers(std::string_view bytes)
{
    read_number<std::int64_t>(bytes);
    read_number<std::uint64_t>(bytes);
    read_number<unsigned>(bytes);
    auto rest = bytes;
    if (take_number(rest))
        claim(rest.size() < bytes.size() && bytes.ends_with(rest));
    if (const auto number = to_number<std::int64_t>(bytes))
        claim(!format_thousandths(*number).empty());
}

void repair(std::string_view bytes)
{
    const auto clean = make_utf8(bytes);
    claim(is_utf8(clean) && (clean == bytes) == is_utf8(bytes));
    claim(is_json(json_string(bytes)) && string_of(json_string(bytes)) == clean);
    prometheus_text page;
    page.begin("x", "gauge", "x");
    page.add({{"name", bytes}}, 1);
    claim(std::count(page.text().begin(), page.text().end(), '\n') == 3);
}

} // namespace

/// Names, messages and payloads that may be any bytes.
FUZZ_TARGET(text)
{
    show(bytes);
    encode_and_decode(bytes);
    read_numbers(bytes);
    repair(bytes);
    const auto line_end = std::min(bytes.find('\n'), bytes.size());
    const auto state = bytes.substr(std::min(line_end + 1, bytes.size()));
    if (const auto trace = trace_context::parse(bytes.substr(0, line_end), state))
        claim(trace_context::parse(trace->traceparent(), trace->tracestate()) == trace);
}

} // namespace coworker::fuzz
