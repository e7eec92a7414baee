// SPDX-License-Identifier: MIT
#include "support/temporary_folder.hpp"

#include <cerrno>
#include <stdlib.h>
#include <system_error>

#include <unistd.h>

namespace coworker::test {

std::filesystem::path memory_if_possible()
{
    const std::filesystem::path memory = "/dev/shm";
    return ::access(memory.c_str(), W_OK | X_OK) == 0 ? memory : std::filesystem::temp_directory_path();
}

temporary_folder::temporary_folder(const std::filesystem::path& parent)
{
    // Short: the path of a unix socket has about a hundred bytes.
    std::string pattern = parent / "cw-XXXXXX";
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
