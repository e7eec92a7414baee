#include "program/demo/private_redis.hpp"

#include "exec/folders.hpp"

#include <filesystem>

namespace coworker::demo {
namespace {

std::string new_folder()
{
    // The path of a unix socket has room for 107 bytes.
    std::error_code error;
    auto base = std::filesystem::temp_directory_path(error).native();
    if (error || base.size() > 64)
        base = "/tmp";
    return cli::make_folder(base, "coworker-demo");
}

} // namespace

private_redis::private_redis() : server_{new_folder(), cli::embedded_redis::stay::remove} {}

} // namespace coworker::demo
