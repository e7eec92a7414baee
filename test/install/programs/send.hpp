// SPDX-License-Identifier: MIT

// The handler of the worker, which handler_test tests.
#pragma once

#include "mail.hpp"

#include <coworker/outcome.hpp>

#include <ostream>

inline coworker::outcome send(const mail& job, std::ostream& out)
{
    if (job.to.find('@') == job.to.npos)
        return coworker::failure("not an address");
    out << "sent to " << job.to << std::endl;
    return coworker::success();
}
