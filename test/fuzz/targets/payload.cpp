// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"

#include "list/payload.hpp"
#include "text/json_spans.hpp"

namespace coworker::fuzz {

/// Payloads of list queues, which any hworker may have written.
FUZZ_TARGET(payload)
{
    const auto parts = detail::split_payload(bytes);
    const auto skimmed = detail::skim_payload(bytes);
    if (!parts) {
        claim(parts.error() == errc::not_decodable);
        claim(skimmed || skimmed.error() == errc::not_decodable);
        return;
    }
    claim(skimmed && skimmed->id() == parts->id() && skimmed->job == parts->job);
    claim(parts->job.data() >= bytes.data() && parts->job.size() <= bytes.size() &&
          detail::is_json(parts->job));
    const auto written = detail::make_payload(parts->id(), parts->job);
    const auto again = detail::split_payload(written);
    claim(again && again->id() == parts->id() && again->job == parts->job);
}

} // namespace coworker::fuzz
