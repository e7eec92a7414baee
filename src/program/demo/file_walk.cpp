#include "program/demo/file_walk.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace coworker::demo {
namespace {

struct close_folder
{
    void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};
using open_folder = std::unique_ptr<DIR, close_folder>;

bool is_kernel_file_system(const std::string& folder)
{
    struct statfs about;
    return ::statfs(folder.c_str(), &about) == 0 &&
           (about.f_type == PROC_SUPER_MAGIC || about.f_type == SYSFS_MAGIC);
}

} // namespace

file_walk::file_walk(std::string folder)
{
    struct stat about;
    if (::stat(folder.c_str(), &about) != 0)
        throw std::runtime_error{folder + ": " + std::strerror(errno)};
    if (!S_ISDIR(about.st_mode))
        throw std::runtime_error{folder + ": not a folder"};
    if (!open_folder{::opendir(folder.c_str())})
        throw std::runtime_error{folder + ": " + std::strerror(errno)};
    if (is_kernel_file_system(folder))
        throw std::runtime_error{folder + ": its files are made up by the kernel; choose another folder"};
    device_ = about.st_dev;
    pending_.push_back(std::move(folder));
}

bool file_walk::step()
{
    if (pending_.empty())
        return false;
    const auto path = std::move(pending_.back());
    pending_.pop_back();
    const open_folder folder{::opendir(path.c_str())};
    if (!folder)
        ++unreadable_;
    else
        while (const dirent* entry = ::readdir(folder.get())) {
            const std::string_view name = entry->d_name;
            if (name != "." && name != "..")
                look_at(path + (path.ends_with('/') ? "" : "/") + entry->d_name);
        }
    return true;
}

void file_walk::look_at(std::string path)
{
    struct stat about;
    if (::lstat(path.c_str(), &about) != 0) {
        ++unreadable_;
    } else if (S_ISDIR(about.st_mode)) {
        if (about.st_dev == device_)
            pending_.push_back(std::move(path));
    } else if (S_ISREG(about.st_mode)) {
        if (::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) == 0)
            files_.push_back(std::move(path));
        else
            ++unreadable_;
    }
}

asio::awaitable<std::vector<std::string>> find_files(std::string folder, progress& shown)
{
    file_walk walk{folder};
    shown.say("SHA-256 of every file below " + folder);
    while (walk.step()) {
        shown.show("found", walk.files().size(), 0, "looking for more");
        co_await asio::post(asio::use_awaitable); // lets Ctrl-C in
    }
    auto files = walk.take_files();
    if (files.empty())
        throw std::runtime_error{folder + ": there is no file to read in it"};
    shown.say(grouped(files.size()) + " files" +
              (walk.unreadable() == 0 ? "" : "; left out as unreadable: " + grouped(walk.unreadable())));
    co_return files;
}

} // namespace coworker::demo
