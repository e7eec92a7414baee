// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace coworker::test {

/// The parent of folders whose files a server writes to the disk at each step, and which no test needs to find there: in
/// memory, where that can be. To move a thousand slots of a cluster takes four thousand such writes.
std::filesystem::path memory_if_possible();

/// A fresh folder, removed with everything in it at the end.
class temporary_folder
{
public:
    explicit temporary_folder(const std::filesystem::path& parent = std::filesystem::temp_directory_path());
    ~temporary_folder();
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }
    std::string file(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

} // namespace coworker::test
