// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace coworker::test {

/// A fresh folder, removed with everything in it at the end.
class temporary_folder
{
public:
    temporary_folder();
    ~temporary_folder();
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }
    std::string file(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

} // namespace coworker::test
