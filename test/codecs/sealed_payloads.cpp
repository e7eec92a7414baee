// SPDX-License-Identifier: MIT
#include "coworker/sodium.hpp"

#include "support/expect.hpp"
#include "text/base64.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>
#include <vector>

using namespace coworker;
using namespace coworker::test;

namespace {

constexpr payload_facts letters{"mail", "Letter"}, listed{"mail", ""};
const std::string new_key = "2026-11:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
                  old_key = "2026-05://///////////////////////////////////////w8=",
                  job = R"({"to":"Ada","text":"käse"})";

payload_codecs with_keys(const std::string& keys, sodium_options options = {})
{
    return {sodium_codec(key_ring{keys}, std::move(options))};
}

std::string why_refused(const payload_codecs& codecs, std::string_view stored, payload_facts facts = letters,
                        payload_error::hope chance = payload_error::hope::none)
{
    try {
        (void)codecs.decode(stored, facts);
    } catch (const payload_error& error) {
        BOOST_TEST((error.chance() == chance));
        return error.what();
    }
    return "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(sealed_payloads)

BOOST_AUTO_TEST_CASE(jobs_come_back_as_they_were)
{
    const auto codecs = with_keys(new_key);
    for (const auto& text : {std::string{"1"}, job, "\"" + std::string(1'000'000, 'a') + "\""}) {
        const auto stored = codecs.encode(text, letters);
        BOOST_TEST(stored.starts_with(R"({"coworker:sealed:1":"2026-11:)"));
        BOOST_TEST(stored.find("käse") == std::string::npos);
        BOOST_TEST(codecs.decode(stored, letters) == text);
    }
}

BOOST_AUTO_TEST_CASE(equal_jobs_do_not_look_equal)
{
    const auto codecs = with_keys(new_key);
    std::set<std::string> seen;
    for (int i = 0; i != 100; ++i)
        seen.insert(codecs.encode(job, letters));
    BOOST_TEST(seen.size() == 100u);
}

// Made with these keys by another implementation, from docs/payload-codecs.md.
BOOST_AUTO_TEST_CASE(the_form_is_the_documented_one)
{
    const auto codecs = with_keys(new_key, {.context = "shop"});
    BOOST_TEST(
        codecs.decode(
            R"({"coworker:sealed:1":"2026-11:QEFCQ0RFRkdISUpLTE1OT1BRUlNUVVZXrxtxH/LaW1frlaWSjegA6uaYl+Z4mvfpDxOACpAW0ZjBEJ1DQaJTMpSHAQ=="})",
            letters) == job);
    BOOST_TEST(
        codecs.decode(
            R"({"coworker:sealed:1":"2026-11:ZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXp7B1GN390Uq8PjUb8ThBvYsS+ZaFOP727D6XcZMqzoxirxyFhLSkoqBvElHw=="})",
            listed) == job);
}

BOOST_AUTO_TEST_CASE(keys_are_replaced_readers_first)
{
    const auto before = with_keys(old_key), both = with_keys(old_key + "," + new_key),
               after = with_keys(new_key + "," + old_key), end = with_keys(new_key);
    const auto old_job = before.encode(job, letters), new_job = after.encode(job, letters);
    BOOST_TEST(both.encode(job, letters).find("2026-05:") != std::string::npos);
    BOOST_TEST(new_job.find("2026-11:") != std::string::npos);
    for (const auto& codecs : {both, after}) {
        BOOST_TEST(codecs.decode(old_job, letters) == job);
        BOOST_TEST(codecs.decode(new_job, letters) == job);
    }
    BOOST_TEST(why_refused(before, new_job, letters, payload_error::hope::elsewhere) ==
               "the job is encrypted with the key '2026-11', which this program does not have");
    BOOST_TEST(!why_refused(end, old_job, letters, payload_error::hope::elsewhere).empty());
}

BOOST_AUTO_TEST_CASE(another_key_of_the_same_id_is_noticed)
{
    const auto stored = with_keys("k:" + old_key.substr(8)).encode(job, letters);
    BOOST_TEST(
        why_refused(with_keys("k:" + new_key.substr(8)), stored).find("its key 'k' is another one here") !=
        std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_changed_character_is_noticed)
{
    const auto codecs = with_keys(new_key + "," + old_key);
    const auto stored = codecs.encode(job, letters);
    const auto begin = stored.find(':', 21) + 1, end = stored.size() - 2; // of the base64
    for (std::size_t i = begin; i != end; ++i)
        for (const char c : {'A', 'B', 'Q', 'g', '7', '/', '='}) {
            auto changed = stored;
            changed[i] = c;
            if (changed != stored)
                BOOST_TEST(!why_refused(codecs, changed).empty(), changed);
        }
    for (std::size_t size = begin; size != end; ++size)
        BOOST_TEST(!why_refused(codecs, stored.substr(0, size) + "\"}").empty(), size);
    // Another id that there is, too.
    auto renamed = stored;
    renamed.replace(renamed.find("2026-11"), 7, "2026-05");
    BOOST_TEST(!why_refused(codecs, renamed).empty());
}

BOOST_AUTO_TEST_CASE(every_changed_bit_is_noticed)
{
    const auto codecs = with_keys(new_key);
    const auto stored = codecs.encode("[1]", letters);
    const auto begin = stored.find(':', 21) + 1;
    const auto bytes = detail::base64_decode(stored.substr(begin, stored.size() - begin - 2)).value();
    BOOST_TEST(bytes.size() == 24u + 3 + 16);
    for (std::size_t i = 0; i != 8 * bytes.size(); ++i) {
        auto changed = bytes;
        changed[i / 8] = static_cast<char>(changed[i / 8] ^ (1 << i % 8));
        BOOST_TEST(
            !why_refused(codecs, stored.substr(0, begin) + detail::base64_encode(changed) + "\"}").empty(),
            i);
    }
}

BOOST_AUTO_TEST_CASE(jobs_are_bound_to_their_kind_or_list_queue)
{
    const auto codecs = with_keys(new_key);
    const auto managed = codecs.encode(job, letters), list = codecs.encode(job, listed);
    BOOST_TEST(codecs.decode(managed, {"elsewhere", "Letter"}) == job); // it was forwarded
    BOOST_TEST(codecs.decode(list, listed) == job);
    BOOST_TEST(!why_refused(codecs, managed, {"mail", "Bill"}).empty());
    BOOST_TEST(!why_refused(codecs, managed, {"Letter", ""}).empty());
    BOOST_TEST(!why_refused(codecs, list, {"other", ""}).empty());
    BOOST_TEST(!why_refused(codecs, list, {"mail", "mail"}).empty());
}

BOOST_AUTO_TEST_CASE(jobs_are_bound_to_a_context)
{
    const auto shop = with_keys(new_key, {.context = "shop"}), none = with_keys(new_key);
    const auto stored = shop.encode(job, letters);
    BOOST_TEST(shop.decode(stored, letters) == job);
    BOOST_TEST(!why_refused(none, stored).empty());
    // What is bound cannot be cut in another place.
    BOOST_TEST(!why_refused(with_keys(new_key, {.context = "hop"}), stored, {"mail", "Letters"}).empty());
}

BOOST_AUTO_TEST_CASE(what_is_not_of_the_form_is_broken)
{
    const auto codecs = with_keys(new_key);
    for (const auto& body :
         std::vector<std::string>{"2026-11:", "2026-11:AAAA", "2026-11:%", "2026-11:" + std::string(52, 'A')})
        BOOST_TEST(!why_refused(codecs, R"({"coworker:sealed:1":")" + body + R"("})").empty(), body);
    BOOST_TEST(why_refused(codecs, R"({"coworker:sealed:1":""})") ==
               "the encrypted job does not name its key");
}

BOOST_AUTO_TEST_CASE(plain_jobs_may_be_refused)
{
    BOOST_TEST(with_keys(new_key).decode(job, letters) == job);
    const auto strict = with_keys(new_key, {.refuse_plain = true});
    BOOST_TEST(why_refused(strict, job) ==
               "the job is not encoded as 'sealed:1', and other jobs are refused here");
    BOOST_TEST(strict.decode(strict.encode(job, letters), letters) == job);
}

BOOST_AUTO_TEST_SUITE_END()
