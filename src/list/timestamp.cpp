#include "list/timestamp.hpp"

#include <charconv>
#include <cstdio>

namespace coworker::detail {
namespace {

/// Reads a text from left to right; once something does not fit, `ok` stays false.
class scanner
{
public:
    explicit scanner(std::string_view text) : rest_{text} {}

    bool ok() const noexcept { return ok_; }
    bool at(char c) const noexcept { return !rest_.empty() && rest_.front() == c; }
    bool at_digit() const noexcept { return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9'; }

    bool accept(char c)
    {
        if (!at(c))
            return false;
        rest_.remove_prefix(1);
        return true;
    }

    void expect(char c) { ok_ = accept(c) && ok_; }

    int number(std::size_t digits)
    {
        int value = 0;
        for (std::size_t i = 0; i != digits; ++i) {
            if (!at_digit()) {
                ok_ = false;
                return 0;
            }
            value = value * 10 + (rest_.front() - '0');
            rest_.remove_prefix(1);
        }
        return value;
    }

    std::string_view digits()
    {
        std::size_t count = 0;
        while (count != rest_.size() && rest_[count] >= '0' && rest_[count] <= '9')
            ++count;
        const auto found = rest_.substr(0, count);
        rest_.remove_prefix(count);
        ok_ = ok_ && count != 0;
        return found;
    }

    void fail() noexcept { ok_ = false; }

private:
    std::string_view rest_;
    bool ok_ = true;
};

int to_int(std::string_view digits)
{
    int value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

/// `Z`, or an offset: +01:00, +0100.
std::chrono::minutes parse_zone(scanner& text)
{
    if (text.accept('Z'))
        return {};
    const int sign = text.at('-') ? -1 : 1;
    if (!text.accept('+') && !text.accept('-'))
        text.fail();
    const int hours = text.number(2);
    text.accept(':');
    return std::chrono::minutes{sign * (hours * 60 + text.number(2))};
}

} // namespace

std::optional<start_time> parse_start_time(std::string_view stored)
{
    using namespace std::chrono;
    scanner text{stored};
    text.expect('"');
    const year_month_day date = [&] {
        const year y{text.number(4)};
        text.expect('-');
        const month m{static_cast<unsigned>(text.number(2))};
        text.expect('-');
        return y / m / day{static_cast<unsigned>(text.number(2))};
    }();
    if (!text.accept('T'))
        text.expect(' ');
    const int hour = text.number(2);
    text.expect(':');
    const int minute = text.number(2);
    const int second = text.accept(':') ? text.number(2) : 0;
    std::string_view fraction;
    if (text.accept('.'))
        fraction = text.digits();
    const minutes offset = parse_zone(text);
    text.expect('"');
    if (!text.ok() || !date.ok() || hour > 23 || minute > 59 || second > 60)
        return std::nullopt;

    std::string micros{fraction.substr(0, 6)};
    micros.resize(6, '0');
    start_time result;
    result.started = sys_days{date} + hours{hour} + minutes{minute} + seconds{second} +
                     microseconds{to_int(micros)} - offset;
    if (fraction.size() == 12)
        result.worker = static_cast<std::uint32_t>(to_int(fraction.substr(6)));
    return result;
}

std::string format_start_time(timestamp when, std::uint32_t worker)
{
    using namespace std::chrono;
    const auto day = floor<days>(when);
    const year_month_day date{day};
    const hh_mm_ss time{when - day};
    char text[64];
    const int size =
        std::snprintf(text, sizeof text, "\"%04d-%02u-%02uT%02d:%02d:%02d.%06d%06uZ\"",
                      static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                      static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
                      static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()),
                      static_cast<int>(time.subseconds().count()), static_cast<unsigned>(worker));
    return {text, static_cast<std::size_t>(size)};
}

} // namespace coworker::detail
