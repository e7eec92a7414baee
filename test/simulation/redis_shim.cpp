// SPDX-License-Identifier: MIT

// Is loaded into redis-server (LD_PRELOAD). Clocks, random numbers and the process id come from the simulation. Where
// Redis would sleep it hands its turn back: so the simulation knows that it has done all that it could do.
#include "simulation/world.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>

using namespace coworker::test;

namespace {

world* shared = nullptr; ///< null: this program is not to be simulated
pid_t main_thread = 0;

__attribute__((constructor)) void begin()
{
    const char* const path = std::getenv("COWORKER_WORLD");
    if (path == nullptr)
        return;
    const int file = ::open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        std::abort();
    void* const page = ::mmap(nullptr, sizeof(world), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (page == MAP_FAILED)
        std::abort();
    main_thread = static_cast<pid_t>(syscall(SYS_gettid));
    shared = static_cast<world*>(page);
    shared->is_joined = true;
}

nanoseconds monotonic()
{
    return shared->now.load(std::memory_order_relaxed);
}

bool is_main_thread()
{
    return static_cast<pid_t>(syscall(SYS_gettid)) == main_thread;
}

/// What the system tells of this process, such as its memory, is never the same twice.
const char* constant_file(const char* path)
{
    const bool tells = std::strncmp(path, "/proc/", 6) == 0 && std::strstr(path, "/stat") != nullptr;
    if (shared != nullptr && tells)
        return "stat"; // in the server's folder
    return shared != nullptr && std::strcmp(path, "/dev/urandom") == 0 ? "random" : path;
}

int real_open(const char* path, int flags, mode_t mode)
{
    return static_cast<int>(syscall(SYS_openat, AT_FDCWD, constant_file(path), flags, mode));
}

} // namespace

extern "C" {

int clock_gettime(clockid_t which, timespec* out) noexcept
{
    if (which == CLOCK_MONOTONIC_COARSE) // jemalloc's
        which = CLOCK_MONOTONIC;
    if (shared == nullptr || (which != CLOCK_REALTIME && which != CLOCK_MONOTONIC))
        return static_cast<int>(syscall(SYS_clock_gettime, which, out));
    const auto now =
        monotonic() + (which == CLOCK_REALTIME ? shared->wall.load(std::memory_order_relaxed) : 0);
    out->tv_sec = now / second;
    out->tv_nsec = now % second;
    return 0;
}

int gettimeofday(timeval* out, void*) noexcept
{
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    out->tv_sec = now.tv_sec;
    out->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t* out) noexcept
{
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out != nullptr)
        *out = now.tv_sec;
    return now.tv_sec;
}

pid_t getpid() noexcept
{
    return shared != nullptr ? 4242 : static_cast<pid_t>(syscall(SYS_getpid));
}

int getrusage(__rusage_who_t, rusage* out) noexcept
{
    *out = {};
    return 0;
}

FILE* fopen64(const char* path, const char* mode)
{
    static const auto real =
        reinterpret_cast<FILE* (*)(const char*, const char*)>(::dlsym(RTLD_NEXT, "fopen64"));
    return real(constant_file(path), mode);
}

FILE* fopen(const char* path, const char* mode)
{
    return fopen64(path, mode);
}

int open64(const char* path, int flags, ...)
{
    mode_t mode = 0;
    if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
        va_list more;
        va_start(more, flags);
        mode = va_arg(more, mode_t);
        va_end(more);
    }
    return real_open(path, flags, mode);
}

int epoll_wait(int fd, epoll_event* events, int size, int timeout)
{
    if (shared == nullptr || !is_main_thread())
        return static_cast<int>(syscall(SYS_epoll_wait, fd, events, size, timeout));
    const auto until = timeout < 0 ? never : monotonic() + timeout * millisecond;
    for (;;) {
        const auto ready = static_cast<int>(syscall(SYS_epoll_wait, fd, events, size, 0));
        if (ready != 0 || monotonic() >= until)
            return ready;
        shared->wakes.store(until);
        shared->turn.store(0);
        wake(shared->turn);
        while (shared->turn.load() != 1)
            wait_while(shared->turn, 0);
    }
}

} // extern "C"
