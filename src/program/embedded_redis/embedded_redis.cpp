// SPDX-License-Identifier: MIT
#include "program/embedded_redis/embedded_redis.hpp"

#include "exec/read_all.hpp"
#include "program/embedded_redis/path_text.hpp"
#include "program/embedded_redis/redis_files.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace coworker::program {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& folder, const std::string& why)
{
    auto text = "the embedded Redis in " + folder;
    text += ' ';
    text += why;
    throw std::runtime_error{text};
}

/// Only its owner may look into it: jobs are nobody else's business, and the socket asks for no password.
void make_private_folder(const std::string& folder)
{
    std::error_code error;
    fs::create_directories(fs::path{folder}.parent_path(), error);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        refuse(folder, std::string{"cannot be made: "} + std::generic_category().message(errno));
    struct stat status
    {};
    if (::stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
        refuse(folder, "cannot be used: it is not a folder");
    if (status.st_uid != ::geteuid())
        refuse(folder, "belongs to another user; --redis embedded:DIR names another folder");
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        refuse(folder, "is in a folder that others may write to; 'chmod 700' makes it private");
    if (redis_socket(folder).size() >= sizeof(sockaddr_un::sun_path))
        refuse(folder,
               "would have a path that is too long for a unix socket; --redis embedded:DIR names another "
               "folder");
}

} // namespace

embedded_redis::embedded_redis(const std::string& folder, stay data)
    : folder_{fs::absolute(folder).lexically_normal().native()}, data_{data}
{
    while (folder_.size() > 1 && folder_.back() == '/')
        folder_.pop_back();
    make_private_folder(folder_);
    use_ = open_lock(use_lock(folder_));
    lock(use_, LOCK_SH); // waits while a keeper stops the server
    const auto starting = open_lock(start_lock(folder_));
    lock(starting, LOCK_EX);
    if (!redis_answers(redis_socket(folder_)))
        start();
}

embedded_redis::~embedded_redis()
{
    use_.close();
    if (data_ == stay::remove)
        keeper_.wait();
    else
        keeper_.release(); // it may be in use elsewhere
}

void embedded_redis::start()
{
    auto output = exec::make_pipe();
    const auto nowhere = open_lock("/dev/null");
    keeper_ = exec::child_process{
        {exec::own_program(), keeper_word, folder_, data_ == stay::remove ? "remove" : "keep"},
        {.output = output.write.get(), .errors = nowhere.get(), .dies_with_us = false, .folder = "/"}};
    output.write.close();
    if (const auto answer = exec::read_all(output.read.get()); answer != "ready") {
        keeper_.wait();
        refuse(folder_, "cannot be started: " + answer);
    }
}

std::string embedded_redis::url() const
{
    return "unix://" + encode_path(redis_socket(folder_));
}

std::string default_redis_folder()
{
    const auto* data = std::getenv("XDG_DATA_HOME");
    if (data && *data == '/')
        return std::string{data} + "/coworker/redis";
    const auto* home = std::getenv("HOME");
    if (home && *home == '/')
        return std::string{home} + "/.local/share/coworker/redis";
    throw std::runtime_error{
        "where should the embedded Redis keep its data? Neither HOME nor XDG_DATA_HOME is set; "
        "--redis embedded:DIR says it"};
}

} // namespace coworker::program
