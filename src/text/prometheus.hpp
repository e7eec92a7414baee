// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace coworker::detail {

/// Whether a text can be the value of a label: UTF-8 without the byte 0.
bool is_label_value(std::string_view text) noexcept;

/// Writes metrics in Prometheus' text format, version 0.0.4.
class prometheus_text
{
public:
    using labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

    /// Begins a metric; its samples follow.
    void begin(std::string_view name, std::string_view type, std::string_view help);
    /// @param names  with values of any bytes; what cannot be in one is replaced by U+FFFD
    /// @param suffix  behind the metric's name, such as "_sum" of a histogram
    void add(labels names, double value, std::string_view suffix = {});

    const std::string& text() const noexcept { return text_; }

private:
    std::string name_;
    std::string text_;
};

} // namespace coworker::detail
