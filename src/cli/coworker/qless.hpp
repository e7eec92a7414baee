#pragma once

#include <string>

namespace coworker::cli {

struct qless_settings
{
    std::string redis_url;
    std::string prefix = "ql:"; ///< of all keys
};

/// Calls the commands that standard input names, a line each, and writes a line for each, in order; see
/// qless_line.hpp for both. Ends with the input.
///
/// A line that cannot be carried out, also because Redis is away, is answered with an error and does not end
/// it. After an error of the connection it is unknown whether the command was carried out.
///
/// @throws system_error  The URL cannot be used.
/// @throws std::runtime_error  Standard output cannot be written.
void serve_qless(const qless_settings& settings);

} // namespace coworker::cli
