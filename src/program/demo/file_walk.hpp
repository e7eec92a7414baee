#pragma once

#include "program/demo/progress.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <sys/types.h>

namespace coworker::demo {

namespace asio = boost::asio;

/// Finds the regular files below a folder, one folder at a time. Symbolic links, special files and other file
/// systems are left out.
class file_walk
{
public:
    /// @throws std::runtime_error  it is no folder that can be read.
    explicit file_walk(std::string folder);

    /// Looks into one more folder. Returns false when there is none left.
    bool step();

    const std::vector<std::string>& files() const noexcept { return files_; }
    std::vector<std::string> take_files() { return std::move(files_); }
    /// Files and folders that cannot be read.
    std::size_t unreadable() const noexcept { return unreadable_; }

private:
    void look_at(std::string path);

    std::vector<std::string> pending_;
    std::vector<std::string> files_;
    std::size_t unreadable_ = 0;
    dev_t device_ = 0;
};

/// All files below a folder.
/// @throws std::runtime_error  it cannot be read, or there is none.
asio::awaitable<std::vector<std::string>> find_files(std::string folder, progress& shown);

} // namespace coworker::demo
