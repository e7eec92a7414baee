#include "program/demo/file_job.hpp"

#include <chrono>

namespace coworker::demo {

std::int64_t microseconds_now()
{
    using namespace std::chrono;
    return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

} // namespace coworker::demo
