// SPDX-License-Identifier: MIT
#include "coworker/zstd.hpp"

#include "text/base64.hpp"

#include "coworker/error.hpp"

#include <zstd.h>

#include <new>

namespace coworker {
namespace {

/// The object around the body: {"coworker:zstd:1":""}.
constexpr std::size_t size_around = 22;

struct context_end
{
    void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
    void operator()(ZSTD_DCtx* context) const noexcept { ZSTD_freeDCtx(context); }
};

/// Making one takes longer than compressing a small job.
ZSTD_CCtx* compressor()
{
    thread_local const std::unique_ptr<ZSTD_CCtx, context_end> context{ZSTD_createCCtx()};
    if (!context)
        throw std::bad_alloc{};
    return context.get();
}

ZSTD_DCtx* decompressor()
{
    thread_local const std::unique_ptr<ZSTD_DCtx, context_end> context{ZSTD_createDCtx()};
    if (!context)
        throw std::bad_alloc{};
    return context.get();
}

void check_zstd(std::size_t code)
{
    if (ZSTD_isError(code))
        throw std::runtime_error{std::string{"zstd: "} + ZSTD_getErrorName(code)};
}

std::string compress(std::string_view text, int level)
{
    auto* context = compressor();
    check_zstd(ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters));
    check_zstd(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level));
    check_zstd(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1));
    std::string bytes(ZSTD_compressBound(text.size()), '\0');
    const auto size = ZSTD_compress2(context, bytes.data(), bytes.size(), text.data(), text.size());
    check_zstd(size);
    bytes.resize(size);
    return bytes;
}

std::string decompress(std::string_view bytes, std::size_t largest)
{
    const auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    if (size == ZSTD_CONTENTSIZE_ERROR)
        throw payload_error{"the compressed job is no zstd frame"};
    if (size == ZSTD_CONTENTSIZE_UNKNOWN)
        throw payload_error{"the compressed job does not say how large it is"};
    if (largest != 0 && size > largest)
        throw payload_error{"the compressed job would have " + std::to_string(size) + " bytes, allowed are " +
                            std::to_string(largest)};
    if (ZSTD_findFrameCompressedSize(bytes.data(), bytes.size()) != bytes.size())
        throw payload_error{"the compressed job is not one zstd frame"};
    std::string text(size, '\0');
    const auto made =
        ZSTD_decompressDCtx(decompressor(), text.data(), text.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(made) || made != size)
        throw payload_error{std::string{"the compressed job is damaged: "} + ZSTD_getErrorName(made)};
    return text;
}

class zstd_payloads final : public payload_codec
{
public:
    explicit zstd_payloads(zstd_options options) : options_{options} {}

    std::string_view name() const noexcept override { return "zstd:1"; }

    std::optional<std::string> encode(std::string_view job, const payload_facts&) const override
    {
        if (job.size() < options_.smallest)
            return std::nullopt;
        if (options_.largest != 0 && job.size() > options_.largest)
            throw explained_error{errc::job_too_large, "the job has " + std::to_string(job.size()) +
                                                           " bytes, allowed for zstd are " +
                                                           std::to_string(options_.largest)};
        auto body = detail::base64_encode(compress(job, options_.level));
        if (body.size() + size_around >= job.size())
            return std::nullopt;
        return body;
    }

    std::string decode(std::string_view body, const payload_facts&) const override
    {
        const auto bytes = detail::base64_decode(body);
        if (!bytes)
            throw payload_error{"the compressed job is not base64"};
        return decompress(*bytes, options_.largest);
    }

private:
    zstd_options options_;
};

} // namespace

std::shared_ptr<const payload_codec> zstd_codec(zstd_options options)
{
    if (options.level > 19 || options.level < ZSTD_minCLevel())
        throw explained_error{errc::invalid_option, "a compression level is at most 19"};
    return std::make_shared<const zstd_payloads>(options);
}

} // namespace coworker
