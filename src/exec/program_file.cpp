// SPDX-License-Identifier: MIT
#include "exec/program_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include <unistd.h>

namespace coworker::exec {
namespace {

namespace fs = std::filesystem;

/// Returns 0, or why the file cannot be executed.
int check(const fs::path& file)
{
    std::error_code error;
    const auto status = fs::status(file, error);
    if (error)
        return error.value();
    if (fs::is_directory(status))
        return EISDIR;
    return ::access(file.c_str(), X_OK) == 0 ? 0 : errno;
}

[[noreturn]] void refuse(const std::string& name, int error)
{
    std::string text = "the command '";
    text += name;
    text += "' cannot be run: ";
    text += std::strerror(error);
    if (error == EACCES)
        text += "; if it is a script, 'chmod +x' makes it a program";
    throw std::runtime_error{text};
}

} // namespace

std::string find_program(const std::string& name)
{
    if (name.find('/') != name.npos) {
        if (const int error = check(name); error != 0)
            refuse(name, error);
        return fs::absolute(name).native();
    }
    const auto* path = std::getenv("PATH");
    std::istringstream folders{path ? path : "/usr/local/bin:/usr/bin:/bin"};
    int error = ENOENT;
    for (std::string folder; std::getline(folders, folder, ':');) {
        const auto file = fs::absolute(folder.empty() ? fs::path{name} : fs::path{folder} / name);
        const int found = check(file);
        if (found == 0)
            return file.native();
        if (found == EACCES)
            error = EACCES;
    }
    if (error == ENOENT) {
        std::string text = "there is no command '";
        text += name;
        text += "' on the PATH; write ./";
        text += name;
        text += " for one in this folder";
        throw std::runtime_error{text};
    }
    refuse(name, error);
}

} // namespace coworker::exec
