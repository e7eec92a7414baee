// SPDX-License-Identifier: MIT
#include "coworker/key_ring.hpp"

#include "sodium/ring_of_keys.hpp"

#include "coworker/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <new>

namespace coworker {

using namespace detail;

namespace {

constexpr std::size_t key_size = crypto_aead_xchacha20poly1305_ietf_KEYBYTES;
constexpr std::size_t longest_key_id = 64, largest_key_file = 64 * 1024;
constexpr std::string_view between_keys = ", \t\r\n";

[[noreturn]] void refuse_keys(const std::string& where, const std::string& why)
{
    throw explained_error{errc::invalid_option, where + ": " + why};
}

bool is_key_id(std::string_view id)
{
    return !id.empty() && id.size() <= longest_key_id && std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
               c == '.' || c == '_';
    });
}

/// @param where  the entry, for messages. One without a valid id is not repeated there: it may be a key.
named_key read_key(std::string_view entry, const std::string& where)
{
    const auto colon = entry.find(':');
    const auto id = entry.substr(0, colon);
    if (colon == std::string_view::npos || !is_key_id(id))
        refuse_keys(where, "it is not ID:BASE64 with an id of 1 to 64 letters, digits, '-', '.' and '_'");
    const auto text = entry.substr(colon + 1);
    named_key key{std::string{id}, std::unique_ptr<unsigned char, secret_end>{
                                       static_cast<unsigned char*>(sodium_malloc(key_size))}};
    if (!key.bytes)
        throw std::bad_alloc{};
    std::size_t size = 0;
    const char* end = nullptr;
    if (sodium_base642bin(key.bytes.get(), key_size, text.data(), text.size(), nullptr, &size, &end,
                          sodium_base64_VARIANT_ORIGINAL) != 0 ||
        end != text.data() + text.size() || size != key_size)
        refuse_keys(where, "'" + key.id + "' is not the base64 text of 32 bytes, which has 44 characters");
    sodium_mprotect_readonly(key.bytes.get());
    return key;
}

std::shared_ptr<const ring_of_keys> read_keys(std::string_view text, const std::string& where)
{
    if (sodium_init() < 0)
        refuse_keys("libsodium", "it finds no random numbers here");
    auto ring = std::make_shared<ring_of_keys>();
    for (;;) {
        const auto begin = text.find_first_not_of(between_keys);
        if (begin == std::string_view::npos)
            break;
        text.remove_prefix(begin);
        const auto entry = text.substr(0, text.find_first_of(between_keys));
        text.remove_prefix(entry.size());
        auto key = read_key(entry, where + ", entry " + std::to_string(ring->all.size() + 1));
        if (ring->find(key.id) != nullptr)
            refuse_keys(where, "there are two keys '" + key.id + "'");
        ring->all.push_back(std::move(key));
    }
    if (ring->all.empty())
        refuse_keys(where, "there is no key; one is written ID:BASE64");
    return ring;
}

} // namespace

const named_key* ring_of_keys::find(std::string_view id) const noexcept
{
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& key) { return key.id == id; });
    return found == all.end() ? nullptr : &*found;
}

const ring_of_keys& detail::keys_of(const key_ring& ring) noexcept
{
    return *ring.keys_;
}

key_ring::key_ring(std::string_view keys) : keys_{read_keys(keys, "the keys")} {}

key_ring key_ring::from_environment(const std::string& variable)
{
    const char* text = std::getenv(variable.c_str());
    const auto where = "the variable " + variable;
    if (text == nullptr)
        refuse_keys(where, "it is not set");
    return key_ring{read_keys(text, where)};
}

key_ring key_ring::from_file(const std::string& path)
{
    const auto where = "the file " + path;
    std::ifstream file{path, std::ios::binary};
    std::string text(largest_key_file + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    const auto size = static_cast<std::size_t>(file.gcount());
    const bool readable = file.eof() && !file.bad();
    struct wipe
    {
        std::string& text;
        ~wipe() { sodium_memzero(text.data(), text.size()); }
    } at_end{text};
    if (size > largest_key_file)
        refuse_keys(where, "it is too large for a file of keys");
    if (!readable)
        refuse_keys(where, "it cannot be read");
    return key_ring{read_keys(std::string_view{text}.substr(0, size), where)};
}

const std::string& key_ring::current() const noexcept
{
    return keys_->all.front().id;
}

bool key_ring::has(std::string_view id) const noexcept
{
    return keys_->find(id) != nullptr;
}

} // namespace coworker
