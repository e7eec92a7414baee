// SPDX-License-Identifier: MIT
#include "support/temporary_folder.hpp"

#include <cerrno>
#include <stdlib.h>
#include <system_error>

namespace coworker::test {

temporary_folder::temporary_folder()
{
    // Short: the path of a unix socket has about a hundred bytes.
    std::string pattern = std::filesystem::temp_directory_path() / "cw-XXXXXX";
    if (!mkdtemp(pattern.data()))
        throw std::system_error{errno, std::generic_category(), pattern};
    path_ = pattern;
}

temporary_folder::~temporary_folder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

} // namespace coworker::test
