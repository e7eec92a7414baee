// SPDX-License-Identifier: MIT
#include "json/batch_text.hpp"

namespace coworker::detail {

json_object describe(const batch_status& batch, json_for reader)
{
    json_object out{reader};
    out.text("id", batch.id).text("state", to_string(batch.state));
    out.text_if_any("description", batch.description).text_if_any("parent", batch.parent);
    out.number("total", batch.total).number("pending", batch.pending).number("succeeded", batch.succeeded);
    out.number("failed", batch.failed).number("cancelled", batch.cancelled);
    return out.time("opened_at", batch.opened)
        .time("ended_at", batch.ended)
        .text_if_any("problem", batch.problem);
}

} // namespace coworker::detail
