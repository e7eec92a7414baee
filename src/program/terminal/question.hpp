// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace coworker::program {

/// Asks at the terminal before something is done that cannot be undone.
///
/// @param answered  it was said on the command line that it may be done
/// @param what  such as "delete all waiting jobs of mail"
/// @throws failure  nobody can be asked, or the answer is not yes
void expect_yes(bool answered, const std::string& what);

} // namespace coworker::program
