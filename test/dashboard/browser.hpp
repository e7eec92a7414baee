// SPDX-License-Identifier: MIT
#pragma once

#include "piped_program.hpp"
#include "support/temporary_folder.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace coworker::test {

namespace json = boost::json;

/// Where chromium and chromedriver are; says what is missing.
struct browser_programs
{
    std::string chromium, driver;

    static browser_programs find();
    bool are_there() const { return !chromium.empty() && !driver.empty(); }
};

/// A headless Chromium with a profile of its own, driven through the W3C WebDriver protocol. It ends together with
/// this object, or with the test program.
class browser
{
public:
    browser();
    ~browser();
    browser(const browser&) = delete;
    browser& operator=(const browser&) = delete;

    void go(const std::string& url);
    /// Runs the body of a function in the page, and returns what that returns.
    json::value run(const std::string& script, const json::array& arguments = {});
    /// The same again and again until it returns something that counts as true. Throws when it does not.
    json::value until(const std::string& what, const std::string& script, const json::array& arguments = {});

    /// What a person does. An element is named by an XPath; there has to be one, visible, and not covered.
    void click(const std::string& path);
    void type(const std::string& path, const std::string& text);
    /// Presses keys one after another, wherever the focus is: letters, or names such as "Tab" and "Enter".
    void press(const std::vector<std::string>& keys);
    /// The name that assistive technology is told of an element.
    std::string label(const std::string& path);

    /// Where the page's first frame is.
    std::string frame_address();

    /// Errors on the console, and requests that failed, since the last call.
    std::vector<std::string> errors();

    void set_size(int width, int height);
    /// "light" or "dark", as the system prefers it.
    void set_colours(const std::string& scheme);
    /// A PNG of what is seen.
    void save_screenshot(const std::string& file);

private:
    json::value ask(const std::string& method, const std::string& path, const json::value& body = nullptr);
    json::value command(const std::string& method, const std::string& path,
                        const json::value& body = json::object{});
    json::value developer(const std::string& name, const json::object& parameters);
    std::string element(const std::string& path);
    std::string exchange(const std::string& request);

    struct connection;
    temporary_folder profile_;
    std::unique_ptr<piped_program> driver_;
    std::unique_ptr<connection> connection_;
    std::string session_;
};

} // namespace coworker::test
