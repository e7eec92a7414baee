// SPDX-License-Identifier: MIT
#include "schedule/time_zone.hpp"
#include "text/plain_text.hpp"

#include "coworker/error.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace coworker::detail {
namespace {

/// Where systems keep the database.
constexpr std::array folders = {"/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo",
                                "/etc/zoneinfo"};

constexpr std::size_t largest_file = 1024 * 1024;

/// From 1970. RFC 9636 asks nobody to go further, and what is computed of it is still a time.
constexpr std::chrono::seconds farthest_change{std::int64_t{1} << 59};

/// Reads big-endian numbers from the front of a file.
class file_reader
{
public:
    explicit file_reader(std::string_view file) : rest_{file} {}

    bool fails() const noexcept { return fails_; }
    std::string_view rest() const noexcept { return rest_; }

    std::string_view take(std::size_t bytes)
    {
        if (bytes > rest_.size()) {
            fails_ = true;
            bytes = rest_.size();
        }
        const auto taken = rest_.substr(0, bytes);
        rest_.remove_prefix(bytes);
        return taken;
    }

    std::int64_t number(std::size_t bytes)
    {
        std::uint64_t value = 0;
        for (const char byte : take(bytes))
            value = value << 8 | static_cast<unsigned char>(byte);
        return bytes == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
    }

private:
    std::string_view rest_;
    bool fails_ = false;
};

/// How much of what stands behind a header.
struct counts
{
    char version = 0;
    std::size_t utc = 0, standard = 0, leaps = 0, times = 0, types = 0, letters = 0;

    std::size_t size(std::size_t time) const
    {
        return times * (time + 1) + types * 6 + letters + leaps * (time + 4) + standard + utc;
    }
};

std::optional<counts> read_header(file_reader& file)
{
    if (file.take(4) != "TZif")
        return std::nullopt;
    counts result;
    const auto version = file.take(1);
    result.version = version.empty() ? '\0' : version[0];
    file.take(15);
    for (auto* count :
         {&result.utc, &result.standard, &result.leaps, &result.times, &result.types, &result.letters})
        *count = static_cast<std::size_t>(file.number(4));
    for (const auto count :
         {result.utc, result.standard, result.leaps, result.times, result.types, result.letters})
        if (count > largest_file)
            return std::nullopt;
    if (file.fails() || result.types == 0 || result.leaps != 0)
        return std::nullopt;
    return result;
}

bool is_zone_name(std::string_view name)
{
    const auto is_allowed = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
               c == '-' || c == '+' || c == '/';
    };
    return !name.empty() && name.size() < 100 && name[0] != '/' &&
           std::all_of(name.begin(), name.end(), is_allowed);
}

std::optional<std::string> read_file(const std::filesystem::path& path)
{
    std::error_code ec;
    if (!std::filesystem::is_regular_file(path, ec) || std::filesystem::file_size(path, ec) > largest_file)
        return std::nullopt;
    std::ifstream file{path, std::ios::binary};
    return std::string{std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

time_zone time_zone::load(const std::string& name)
{
    if (name == "UTC")
        return {};
    bool is_there = false;
    std::error_code ec;
    for (const auto* folder : folders) {
        is_there = is_there || std::filesystem::is_directory(folder, ec);
        const auto file = is_zone_name(name) ? read_file(std::filesystem::path{folder} / name) : std::nullopt;
        if (auto zone = file ? parse(*file) : std::nullopt)
            return *std::move(zone);
    }
    throw explained_error{errc::invalid_option,
                          is_there
                              ? "zone: there is no time zone " + in_quotes(name) +
                                    "; allowed are UTC and the names of the system's database, such as "
                                    "Europe/Berlin"
                              : std::string{"zone: only UTC can be used, since this system has no time zone "
                                            "database; install the package tzdata"}};
}

std::optional<time_zone> time_zone::parse(std::string_view text)
{
    file_reader file{text};
    auto header = read_header(file);
    std::size_t time_size = 4;
    if (header && header->version >= '2') { // the same again, with larger times
        file.take(header->size(time_size));
        header = read_header(file);
        time_size = 8;
    }
    if (!header || header->size(time_size) > file.rest().size())
        return std::nullopt;

    time_zone zone;
    zone.changes_.resize(header->times);
    for (auto& each : zone.changes_) {
        each.when = std::chrono::sys_seconds{std::chrono::seconds{file.number(time_size)}};
        const auto since = each.when.time_since_epoch();
        if (since < -farthest_change || since > farthest_change)
            return std::nullopt;
    }
    const auto types = file.take(header->times);
    file_reader descriptions{file.take(header->types * 6)};
    std::vector<std::chrono::seconds> offsets(header->types);
    for (auto& offset : offsets) {
        offset = std::chrono::seconds{descriptions.number(4)};
        descriptions.take(2); // whether it is daylight saving, and how it is abbreviated
        if (std::chrono::abs(offset) > std::chrono::hours{26})
            return std::nullopt;
    }
    for (std::size_t i = 0; i != types.size(); ++i) {
        const auto type = static_cast<unsigned char>(types[i]);
        if (type >= offsets.size() || (i != 0 && zone.changes_[i].when <= zone.changes_[i - 1].when))
            return std::nullopt;
        zone.changes_[i].offset = offsets[type];
    }
    zone.offset_ = offsets[0];
    file.take(header->letters + header->leaps * (time_size + 4) + header->standard + header->utc);
    if (time_size == 8 && file.take(1) == "\n") {
        const auto footer = file.rest().substr(0, file.rest().find('\n'));
        if (!footer.empty() && !(zone.rule_ = posix_rule::parse(footer)))
            return std::nullopt;
    }
    return zone;
}

zone_period time_zone::at(std::chrono::sys_seconds when) const
{
    const auto next = std::upper_bound(changes_.begin(), changes_.end(), when,
                                       [](auto time, const auto& each) { return time < each.when; });
    const auto begin = next == changes_.begin() ? beginning_of_time : std::prev(next)->when;
    if (next != changes_.end() || !rule_) {
        const auto offset = next == changes_.begin() ? offset_ : std::prev(next)->offset;
        return {begin, next == changes_.end() ? end_of_time : next->when, offset};
    }
    auto period = rule_->at(when);
    period.begin = std::max(period.begin, begin);
    return period;
}

} // namespace coworker::detail
