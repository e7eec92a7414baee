// SPDX-License-Identifier: MIT
#include "coworker/sodium.hpp"

#include "sodium/ring_of_keys.hpp"
#include "text/base64.hpp"

#include <cstdint>

namespace coworker {

using namespace detail;

namespace {

constexpr std::string_view sealed_name = "sealed:1";
constexpr std::size_t nonce_size = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
constexpr std::size_t tag_size = crypto_aead_xchacha20poly1305_ietf_ABYTES;

unsigned char* bytes_of(std::string& text)
{
    return reinterpret_cast<unsigned char*>(text.data());
}

const unsigned char* bytes_of(std::string_view text)
{
    return reinterpret_cast<const unsigned char*>(text.data());
}

void add_size(std::string& text, std::uint64_t size)
{
    for (int i = 0; i != 8; ++i, size >>= 8)
        text += static_cast<char>(size & 0xFF);
}

/// What a job is bound to: these texts, each behind its size, so that no two lists of texts are the same bytes.
std::string bound_to(std::string_view key_id, const payload_facts& facts, std::string_view context)
{
    const bool has_kind = !facts.kind.empty();
    std::string bytes;
    for (const auto part : {sealed_name, key_id, std::string_view{has_kind ? "kind" : "queue"},
                            has_kind ? facts.kind : facts.queue, context}) {
        add_size(bytes, part.size());
        bytes += part;
    }
    return bytes;
}

class sealed_payloads final : public payload_codec
{
public:
    sealed_payloads(key_ring keys, sodium_options options)
        : keys_{std::move(keys)}, options_{std::move(options)}
    {}

    std::string_view name() const noexcept override { return sealed_name; }
    bool is_required() const noexcept override { return options_.refuse_plain; }

    std::optional<std::string> encode(std::string_view job, const payload_facts& facts) const override
    {
        const auto& key = keys_of(keys_).all.front();
        const auto bound = bound_to(key.id, facts, options_.context);
        std::string bytes(nonce_size + job.size() + tag_size, '\0');
        randombytes_buf(bytes.data(), nonce_size);
        crypto_aead_xchacha20poly1305_ietf_encrypt(bytes_of(bytes) + nonce_size, nullptr, bytes_of(job),
                                                   job.size(), bytes_of(std::string_view{bound}),
                                                   bound.size(), nullptr, bytes_of(bytes), key.bytes.get());
        return key.id + ':' + base64_encode(bytes);
    }

    std::string decode(std::string_view body, const payload_facts& facts) const override
    {
        const auto colon = body.find(':');
        if (colon == std::string_view::npos)
            throw payload_error{"the encrypted job does not name its key"};
        const auto id = body.substr(0, colon);
        const auto* key = keys_of(keys_).find(id);
        if (key == nullptr)
            throw payload_error{"the job is encrypted with the key '" + std::string{id.substr(0, 64)} +
                                    "', which this program does not have",
                                payload_error::hope::elsewhere};
        const auto bytes = base64_decode(body.substr(colon + 1));
        if (!bytes || bytes->size() < nonce_size + tag_size)
            throw payload_error{"the encrypted job is damaged: it is not base64, or too short"};
        return unseal(*bytes, *key, bound_to(id, facts, options_.context));
    }

private:
    static std::string unseal(std::string_view bytes, const named_key& key, const std::string& bound)
    {
        const auto sealed = bytes.substr(nonce_size);
        std::string text(sealed.size() - tag_size, '\0');
        if (crypto_aead_xchacha20poly1305_ietf_decrypt(bytes_of(text), nullptr, nullptr, bytes_of(sealed),
                                                       sealed.size(), bytes_of(std::string_view{bound}),
                                                       bound.size(), bytes_of(bytes), key.bytes.get()) != 0)
            throw payload_error{
                "the encrypted job was changed, or belongs to another kind, queue or context, or its "
                "key '" +
                key.id + "' is another one here"};
        return text;
    }

    key_ring keys_;
    sodium_options options_;
};

} // namespace

std::shared_ptr<const payload_codec> sodium_codec(key_ring keys, sodium_options options)
{
    return std::make_shared<const sealed_payloads>(std::move(keys), std::move(options));
}

} // namespace coworker
