#pragma once

#include "program/demo/file_job.hpp"
#include "program/demo/progress.hpp"

#include <coworker/list_queue.hpp>

#include <string>
#include <vector>

namespace coworker::demo {

using file_queue = list_queue<file_job>;

/// One job per file; their numbers are their places in `paths`, which must stay until this has returned.
asio::awaitable<void> queue_files(file_queue& jobs, const std::vector<std::string>& paths, progress& shown);

/// The files whose jobs a worker has in progress, as Redis knows it.
asio::awaitable<std::vector<std::uint64_t>> files_held_by(file_queue& jobs, std::string worker_name);

struct failed_file
{
    std::uint64_t file;
    std::string reason;
};

/// The jobs that were given up; the latest of them, if they are very many.
asio::awaitable<std::vector<failed_file>> failed_files(file_queue& jobs);

} // namespace coworker::demo
