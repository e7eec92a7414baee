// SPDX-License-Identifier: MIT
#include "coworker/metrics.hpp"
#include "coworker/version.hpp"
#include "text/prometheus.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include <ctime>
#include <sys/resource.h>
#include <unistd.h>

/// Figures of the process, called as Prometheus' own clients call them. Linux has them under /proc; elsewhere those that are
/// found there are left out.
namespace coworker {
namespace {

double processor_seconds()
{
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// In bytes.
std::optional<double> resident_memory()
{
    std::ifstream file{"/proc/self/statm"};
    double whole = 0, resident = 0;
    if (!(file >> whole >> resident))
        return std::nullopt;
    return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

/// When the machine started, in seconds since 1970. /proc/stat says so as well, but services do not see that file, if
/// their part of /proc is restricted (ProcSubset=pid).
std::optional<double> boot_time()
{
#ifdef CLOCK_BOOTTIME
    const auto seconds = [](clockid_t clock) {
        timespec now{};
        ::clock_gettime(clock, &now);
        return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
    };
    return seconds(CLOCK_REALTIME) - seconds(CLOCK_BOOTTIME);
#else
    return std::nullopt;
#endif
}

/// In seconds since 1970.
std::optional<double> find_start_time()
{
    std::ifstream file{"/proc/self/stat"};
    std::string line;
    std::getline(file, line);
    // The second word is the program's name in parentheses, which may have blanks.
    std::istringstream rest{line.substr(std::min(line.rfind(')') + 1, line.size()))};
    constexpr int words_before = 19; // the start is the 22nd word
    std::string word;
    for (int i = 0; i != words_before; ++i)
        rest >> word;
    double ticks = 0;
    const auto booted = boot_time();
    if (!(rest >> ticks) || !booted)
        return std::nullopt;
    return *booted + ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

/// The same each time, also when the clock is set meanwhile: another one would be another process.
std::optional<double> start_time()
{
    static const auto time = find_start_time();
    return time;
}

std::optional<double> open_files()
{
    std::error_code ec;
    const std::filesystem::directory_iterator files{"/proc/self/fd", ec};
    if (ec)
        return std::nullopt;
    return static_cast<double>(std::distance(begin(files), end(files)) - 1); // one is open to look at them
}

std::optional<double> most_files()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return std::nullopt;
    return static_cast<double>(limit.rlim_cur);
}

} // namespace

std::string metrics_of_process()
{
    detail::prometheus_text out;
    const auto add = [&](std::string_view name, std::string_view type, std::string_view help,
                         std::optional<double> value) {
        if (!value)
            return;
        out.begin(name, type, help);
        out.add({}, *value);
    };
    out.begin("coworker_build_info", "gauge", "Always 1; the label is the version of coworker.");
    out.add({{"version", version}}, 1);
    add("process_cpu_seconds_total", "counter", "Processor time that this process has used.",
        processor_seconds());
    add("process_resident_memory_bytes", "gauge", "Memory of this process.", resident_memory());
    add("process_open_fds", "gauge", "Open file descriptors.", open_files());
    add("process_max_fds", "gauge", "How many file descriptors may be open.", most_files());
    add("process_start_time_seconds", "gauge", "When this process started, in seconds since 1970.",
        start_time());
    return out.text();
}

} // namespace coworker
