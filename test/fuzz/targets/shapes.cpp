// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"
#include "support/scripted_connection.hpp"

#include "coworker/error.hpp"
#include "managed/batch_words.hpp"
#include "managed/managed_client/qless_command.hpp"
#include "redis/cluster/read_slot_map.hpp"
#include "redis/reply.hpp"
#include "redis/sentinels.hpp"
#include "redis/server_time.hpp"

namespace coworker::fuzz {

using namespace detail;
using namespace test;

namespace {

/// Reads an answer in each way there is: with places within it and beyond, and as what clusters, Sentinels and scripts answer.
template<class Read>
void quietly(Read read)
{
    try {
        read();
    } catch (const system_error& refused) {
        claim(refused.code() == errc::unexpected_answer || refused.code() == errc::not_decodable);
        claim_sentence(refused.what());
    }
}

void read_places(const reply::answer& answer)
{
    quietly([&] { (void)answer.text(); });
    quietly([&] { (void)answer.integer(); });
    claim((answer.error() != nullptr) == answer.is_error());
    claim(!answer.says_script_is_missing() || answer.is_error());
    for (const auto i : {std::size_t{0}, std::size_t{1}, std::size_t{4}, SIZE_MAX}) {
        quietly([&] { (void)answer[i]; });
        quietly([&] { (void)answer.integer(i); });
        quietly([&] { claim(answer.nodes(i).size() <= answer.size()); });
        quietly([&] { claim(answer.position(i, 3) < 3); });
        quietly([&] { (void)reply::part(answer, i).size(); });
    }
    std::size_t nodes = 0;
    for (const auto& part : reply::parts(answer))
        nodes += part.size() + 1;
    claim(nodes == answer.size());
}

void read_as_cluster(const reply::answer& answer)
{
    const node_address asked{"host", "6379"};
    quietly([&] {
        const auto map = read_shards(answer, asked, false);
        claim(map.served() <= slot_count && map.primaries().size() <= map.served());
        for (const auto& node : map.primaries())
            claim(!node.host.empty());
    });
    quietly([&] { (void)read_shards(answer, asked, true).owner(0); });
    quietly([&] { claim(read_slots(answer, asked).served() <= slot_count); });
    quietly([&] {
        if (const auto primary = read_primary(answer))
            claim(!primary->where.host.empty() && !primary->where.port.empty());
    });
}

void read_as_answer_of_script(const reply::answer& answer)
{
    quietly([&] { (void)read_time(answer); });
    quietly([&] { (void)read_qless_reply(answer); });
    quietly([&] { (void)read_batch(answer, 0); });
    batch_counts sum;
    quietly([&] { (void)add_counts(answer, sum); });
}

} // namespace

/// Answers of any shape, to all that reads one by itself.
FUZZ_TARGET(shapes)
{
    reply answers;
    std::size_t count = 0;
    while (count != 8 && read_answer(bytes, answers))
        ++count;
    for (std::size_t i = 0; i != count; ++i) {
        const auto answer = answers[i];
        read_places(answer);
        read_as_cluster(answer);
        read_as_answer_of_script(answer);
    }
    quietly([&] { (void)answers[count]; });
    try {
        answers.throw_if_error();
    } catch (const system_error& refused) { // of what Redis itself says, which may be anything
        claim(static_cast<bool>(refused.code()));
    }
    claim(!answers.is_refused_as_read_only() || !answers.read_only_refusal().empty());
}

} // namespace coworker::fuzz
