// SPDX-License-Identifier: MIT
#include "browser.hpp"

#include "support/coroutine.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace coworker::test {
namespace {

/// The first of some programs that is on the PATH, or "".
std::string find_program(const std::vector<std::string>& names)
{
    const auto* path = std::getenv("PATH");
    for (const auto& name : names) {
        std::istringstream folders{path ? path : ""};
        for (std::string folder; std::getline(folders, folder, ':');)
            if (const auto file = folder + '/' + name; ::access(file.c_str(), X_OK) == 0)
                return file;
    }
    return {};
}

std::string decode_base64(std::string_view text)
{
    const std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string result;
    unsigned bits = 0, have = 0;
    for (const char c : text) {
        const auto value = letters.find(c);
        if (value == letters.npos)
            continue;
        bits = bits << 6 | static_cast<unsigned>(value);
        have += 6;
        if (have >= 8) {
            have -= 8;
            result += static_cast<char>(bits >> have & 0xff);
        }
    }
    return result;
}

/// The code of a key in WebDriver's private part of Unicode, in UTF-8; letters stand for themselves.
std::string key_code(const std::string& name)
{
    static const std::map<std::string, std::string> codes{
        {"Tab", "\xee\x80\x84"},   {"Enter", "\xee\x80\x87"},     {"Escape", "\xee\x80\x8c"}, {"Space", " "},
        {"Shift", "\xee\x80\x88"}, {"ArrowDown", "\xee\x80\x95"}, {"ArrowUp", "\xee\x80\x93"}};
    const auto found = codes.find(name);
    return found == codes.end() ? name : found->second;
}

} // namespace

browser_programs browser_programs::find()
{
    return {find_program({"chromium", "chromium-browser", "google-chrome"}), find_program({"chromedriver"})};
}

struct browser::connection
{
    asio::io_context io{1};
    asio::ip::tcp::socket socket{io};
    std::string received{};
};

browser::browser()
{
    const auto programs = browser_programs::find();
    driver_ = std::make_unique<piped_program>(std::vector<std::string>{programs.driver, "--port=0"});
    const std::string words = "started successfully on port ";
    std::string line = driver_->read();
    while (!line.empty() && line.find(words) == line.npos)
        line = driver_->read();
    if (line.empty())
        throw std::runtime_error{"chromedriver did not start"};
    const auto port = static_cast<std::uint16_t>(std::stoi(line.substr(line.find(words) + words.size())));
    connection_ = std::make_unique<connection>();
    connection_->socket.connect({asio::ip::address_v4::loopback(), port});

    // The pipe ends with the driver, and the browser with the pipe.
    const json::value options = {
        {"binary", programs.chromium},
        {"args",
         {"--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", "--disable-gpu",
          "--remote-debugging-pipe", "--user-data-dir=" + profile_.path().string()}}};
    const json::object capabilities{{"goog:chromeOptions", options},
                                    {"goog:loggingPrefs", {{"browser", "ALL"}}}};
    const auto session = ask("POST", "/session", {{"capabilities", {{"alwaysMatch", capabilities}}}});
    session_ = "/session/" + std::string{session.at("sessionId").as_string()};
    const auto limit = std::chrono::milliseconds{patience}.count();
    command("POST", "/timeouts", {{"script", limit}, {"pageLoad", limit}});
}

browser::~browser()
{
    try {
        command("DELETE", "", nullptr);
    } catch (const std::exception&) {
    }
}

std::string browser::exchange(const std::string& request)
{
    auto& [io, socket, received] = *connection_;
    asio::write(socket, asio::buffer(request));
    received.clear();
    const auto head = asio::read_until(socket, asio::dynamic_buffer(received), "\r\n\r\n");
    std::string field = "content-length:";
    std::size_t size = 0;
    std::istringstream lines{received.substr(0, head)};
    for (std::string line; std::getline(lines, line);) {
        std::string name = line.substr(0, field.size());
        for (auto& c : name)
            c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (name == field)
            size = std::stoul(line.substr(field.size()));
    }
    const auto missing = head + size - std::min(head + size, received.size());
    asio::read(socket, asio::dynamic_buffer(received), asio::transfer_exactly(missing));
    return received.substr(head);
}

json::value browser::ask(const std::string& method, const std::string& path, const json::value& body)
{
    const auto text = body.is_null() ? std::string{} : json::serialize(body);
    const auto answer =
        exchange(method + ' ' + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
                 "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text);
    const auto value = json::parse(answer).at("value");
    if (value.is_object() && value.as_object().contains("error"))
        throw std::runtime_error{std::string{value.at("error").as_string()} + ": " +
                                 std::string{value.at("message").as_string()}};
    return value;
}

json::value browser::command(const std::string& method, const std::string& path, const json::value& body)
{
    return ask(method, session_ + path, body);
}

json::value browser::developer(const std::string& name, const json::object& parameters)
{
    return command("POST", "/goog/cdp/execute", {{"cmd", name}, {"params", parameters}});
}

void browser::go(const std::string& url)
{
    command("POST", "/url", {{"url", url}});
}

json::value browser::run(const std::string& script, const json::array& arguments)
{
    return command("POST", "/execute/sync", {{"script", script}, {"args", arguments}});
}

json::value browser::until(const std::string& what, const std::string& script, const json::array& arguments)
{
    const auto again = "const words = [...arguments], done = words.pop();"
                       "const look = () => { let found = null;"
                       "  try { found = (function () { " +
                       script +
                       " }).apply(null, words); } catch { }"
                       "  if (found) done(found); else setTimeout(look, 10); };"
                       "look();";
    try {
        return command("POST", "/execute/async", {{"script", again}, {"args", arguments}});
    } catch (const std::runtime_error& error) {
        const auto shown = run("return location.href + '\\n' + document.body.innerText");
        throw std::runtime_error{"waited in vain until " + what + ": " + error.what() + "\nThe page says:\n" +
                                 std::string{shown.as_string()}};
    }
}

std::string browser::element(const std::string& path)
{
    const auto found = command("POST", "/element", {{"using", "xpath"}, {"value", path}});
    return "/element/" + std::string{found.as_object().begin()->value().as_string()};
}

void browser::click(const std::string& path)
{
    const auto give_up = std::chrono::steady_clock::now() + patience;
    for (;;) {
        try {
            command("POST", element(path) + "/click");
            return;
        } catch (const std::runtime_error& error) {
            // The page was drawing something else there: nothing has been clicked.
            const std::string_view why{error.what()};
            const bool has_moved = why.find("click intercepted") != why.npos || why.find("stale") != why.npos;
            if (!has_moved || std::chrono::steady_clock::now() > give_up)
                throw;
        }
    }
}

void browser::type(const std::string& path, const std::string& text)
{
    command("POST", element(path) + "/value", {{"text", text}});
}

std::string browser::label(const std::string& path)
{
    return std::string{command("GET", element(path) + "/computedlabel", nullptr).as_string()};
}

void browser::press(const std::vector<std::string>& keys)
{
    json::array actions;
    for (const auto& name : keys)
        for (const auto* type : {"keyDown", "keyUp"})
            actions.push_back({{"type", type}, {"value", key_code(name)}});
    json::object keyboard{{"type", "key"}, {"id", "keyboard"}};
    keyboard["actions"] = actions;
    json::array all;
    all.push_back(keyboard);
    json::object body;
    body["actions"] = all;
    command("POST", "/actions", body);
}

std::string browser::frame_address()
{
    command("POST", "/frame", {{"id", 0}});
    const auto address =
        until("the frame has loaded", "return location.href !== 'about:blank' &&"
                                      "  document.readyState === 'complete' && location.href");
    command("POST", "/frame", {{"id", nullptr}});
    return std::string{address.as_string()};
}

std::vector<std::string> browser::errors()
{
    std::vector<std::string> result;
    const auto log = command("POST", "/se/log", {{"type", "browser"}});
    for (const auto& entry : log.as_array())
        if (entry.at("level").as_string() == "SEVERE" || entry.at("level").as_string() == "WARNING")
            result.emplace_back(entry.at("message").as_string());
    return result;
}

void browser::set_size(int width, int height)
{
    developer("Emulation.setDeviceMetricsOverride",
              {{"width", width}, {"height", height}, {"deviceScaleFactor", 1}, {"mobile", false}});
}

void browser::set_colours(const std::string& scheme)
{
    json::array features;
    features.push_back({{"name", "prefers-color-scheme"}, {"value", scheme}});
    json::object parameters;
    parameters["features"] = features;
    developer("Emulation.setEmulatedMedia", parameters);
}

void browser::save_screenshot(const std::string& file)
{
    const auto picture = command("GET", "/screenshot", nullptr);
    std::ofstream{file, std::ios::binary} << decode_base64(picture.as_string());
}

} // namespace coworker::test
