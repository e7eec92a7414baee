#include "program/demo/sha256.hpp"

#include "exec/child_process.hpp"

#include <openssl/evp.h>

#include <cerrno>
#include <memory>
#include <stdexcept>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace coworker::demo {
namespace {

using boost::system::error_code;
using boost::system::generic_category;

struct free_digest
{
    void operator()(EVP_MD_CTX* digest) const noexcept { EVP_MD_CTX_free(digest); }
};

void check(int answer)
{
    if (answer != 1)
        throw std::runtime_error{"OpenSSL cannot compute SHA-256"};
}

std::string hexadecimal(const unsigned char* bytes, std::size_t size)
{
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i != size; ++i) {
        text += digits[bytes[i] / 16];
        text += digits[bytes[i] % 16];
    }
    return text;
}

} // namespace

boost::system::result<file_hash> hash_file(const std::string& path)
{
    const auto last_error = [] { return error_code{errno, generic_category()}; };
    // Not blocking: the name may belong to a FIFO by now.
    const cli::file_descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)};
    if (file.get() < 0)
        return last_error();
    struct stat about;
    if (::fstat(file.get(), &about) != 0)
        return last_error();
    if (!S_ISREG(about.st_mode))
        return error_code{EINVAL, generic_category()};

    const std::unique_ptr<EVP_MD_CTX, free_digest> digest{EVP_MD_CTX_new()};
    check(EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr));
    thread_local std::vector<unsigned char> buffer(256 * 1024);
    std::uint64_t bytes = 0;
    for (;;) {
        const auto size = ::read(file.get(), buffer.data(), buffer.size());
        if (size < 0 && errno == EINTR)
            continue;
        if (size < 0)
            return last_error();
        if (size == 0)
            break;
        check(EVP_DigestUpdate(digest.get(), buffer.data(), static_cast<std::size_t>(size)));
        bytes += static_cast<std::uint64_t>(size);
    }
    unsigned char value[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    check(EVP_DigestFinal_ex(digest.get(), value, &length));
    return file_hash{hexadecimal(value, length), bytes};
}

} // namespace coworker::demo
