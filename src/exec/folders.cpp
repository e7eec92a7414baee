// SPDX-License-Identifier: MIT
#include "exec/folders.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <unistd.h>

namespace coworker::exec {
namespace {

namespace fs = std::filesystem;

/// Folders that were made unreadable, as package caches do, get their owner's rights back.
void make_removable(const fs::path& path)
{
    std::error_code ignored;
    fs::permissions(path, fs::perms::owner_all, fs::perm_options::add, ignored);
    for (fs::directory_iterator entry{path, ignored}, end; !ignored && entry != end; entry.increment(ignored))
        if (entry->symlink_status(ignored).type() == fs::file_type::directory)
            make_removable(entry->path());
}

} // namespace

std::string make_folder(const std::string& base, const std::string& name)
{
    auto path = base + '/';
    path += name;
    path += "-XXXXXX";
    if (!::mkdtemp(path.data()))
        throw std::system_error{errno, std::generic_category(), "no folder can be made in " + base};
    return path;
}

bool remove_folder(const std::string& path) noexcept
{
    if (::rmdir(path.c_str()) == 0) // mostly there is nothing in it
        return true;
    try {
        std::error_code error;
        fs::remove_all(path, error);
        if (!error)
            return true;
        make_removable(path);
        fs::remove_all(path, error);
        return !error;
    } catch (const std::exception&) { // no memory
        return false;
    }
}

} // namespace coworker::exec
