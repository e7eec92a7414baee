// SPDX-License-Identifier: MIT
#include <coworker/error.hpp>
#include <coworker/notices.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(webhook_signatures)

using namespace coworker;
using namespace std::chrono_literals;
using strings = std::vector<std::string>;

namespace {

// The example of Standard Webhooks' libraries.
const strings secrets{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"};
const std::string body = R"({"test": 2432232314})";
const webhook_headers published{"msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330",
                                "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="};
const std::chrono::system_clock::time_point sent{1614265330s};
const std::string other_secret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

bool verifies(const webhook_headers& headers)
{
    return verify_webhook(headers, body, secrets, 5min, sent);
}

webhook_headers with_signature(const std::string& signature)
{
    auto headers = published;
    headers.signature = signature;
    return headers;
}

} // namespace

BOOST_AUTO_TEST_CASE(are_those_that_are_published)
{
    const auto headers = sign_webhook(published.id.str(), body, secrets, sent);
    BOOST_TEST(headers.timestamp.str() == published.timestamp.str());
    BOOST_TEST(headers.signature.str() == published.signature.str());
    BOOST_TEST(verifies(published));
    const strings without_prefix{secrets[0].substr(6)};
    BOOST_TEST(verify_webhook(published, body, without_prefix, 5min, sent));
}

BOOST_AUTO_TEST_CASE(cover_id_time_and_body)
{
    auto headers = published;
    headers.id = "msg_another";
    BOOST_TEST(!verifies(headers));
    headers = published;
    headers.timestamp = "1614265331";
    BOOST_TEST(!verifies(headers));
    BOOST_TEST(!verify_webhook(published, body + " ", secrets, 5min, sent));
}

BOOST_AUTO_TEST_CASE(are_accepted_among_others)
{
    const auto right = published.signature.str();
    BOOST_TEST(verifies(with_signature("v1,AAAA v1a,BBBB " + right + " v2,x")));
    BOOST_TEST(verifies(with_signature(" " + right + " ")));
}

BOOST_AUTO_TEST_CASE(are_refused_that_are_none)
{
    const auto right = published.signature.str();
    for (const auto& wrong : {std::string{}, std::string{" "}, right.substr(3), "v2" + right.substr(2),
                              right.substr(0, right.size() - 1), right + "=", right + "\n",
                              right + "," + right, std::string{"v1,"}, std::string(100'000, ' ')})
        BOOST_TEST(!verifies(with_signature(wrong)), wrong);
}

BOOST_AUTO_TEST_CASE(are_of_one_secret_while_it_is_replaced)
{
    const strings both{other_secret, secrets[0]};
    BOOST_TEST(verify_webhook(published, body, both, 5min, sent));
    const strings other{other_secret};
    BOOST_TEST(!verify_webhook(published, body, other, 5min, sent));
    BOOST_TEST(!verify_webhook(published, body, {}, 5min, sent));
    const auto signed_by_both = sign_webhook("a", body, both, sent);
    for (const auto& each : both) {
        const strings one{each};
        BOOST_TEST(verify_webhook(signed_by_both, body, one, 5min, sent));
    }
}

BOOST_AUTO_TEST_CASE(are_refused_that_are_old_or_ahead)
{
    BOOST_TEST(verify_webhook(published, body, secrets, 5min, sent + 5min));
    BOOST_TEST(!verify_webhook(published, body, secrets, 5min, sent + 5min + 1ms));
    BOOST_TEST(verify_webhook(published, body, secrets, 5min, sent - 5min));
    BOOST_TEST(!verify_webhook(published, body, secrets, 5min, sent - 5min - 1ms));
    for (const auto* time : {"", "x", "-1", "1614265330.5", "99999999999999999999", "9223372036854775807"}) {
        webhook_headers headers{"a", time, {}};
        BOOST_TEST(!verify_webhook(headers, body, secrets, 5min, sent));
    }
}

BOOST_AUTO_TEST_CASE(need_a_secret_that_is_one)
{
    const auto is_refused = [](const system_error& error) { return error.code() == errc::invalid_option; };
    BOOST_CHECK_EXCEPTION((void)sign_webhook("a", body, {}, sent), system_error, is_refused);
    for (const auto* wrong :
         {"", "whsec_", "whsec_c2hvcnQ=", "whsec_!!!!", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS"}) {
        const strings one{wrong};
        BOOST_CHECK_EXCEPTION((void)sign_webhook("a", body, one, sent), system_error, is_refused);
        BOOST_CHECK_EXCEPTION((void)verify_webhook(published, body, one, 5min, sent), system_error,
                              is_refused);
    }
}

BOOST_AUTO_TEST_SUITE_END()
