// SPDX-License-Identifier: MIT
#include "redis/tls.hpp"

#include "use_file.hpp"

#include <openssl/ssl.h>

namespace coworker::detail {
namespace {

/// The certificate has to be made out to this name or address.
void require_name(asio::ssl::context& tls, const std::string& host)
{
    auto* const parameters = SSL_CTX_get0_param(tls.native_handle());
    if (X509_VERIFY_PARAM_set1_ip_asc(parameters, host.c_str()) == 1)
        return;
    // OpenSSL would take an empty name for none.
    if (host.empty() || X509_VERIFY_PARAM_set1_host(parameters, host.data(), host.size()) != 1)
        throw system_error{errc::invalid_option, "no certificate can be made out to '" + host + "'"};
}

} // namespace

asio::ssl::context make_tls(const client_options& options, const address& where)
{
    asio::ssl::context tls{asio::ssl::context::tls_client};
    if (where.kind != transport::tls)
        return tls;
    if (options.ca_file.empty())
        tls.set_default_verify_paths();
    else
        use_file("ca_file", options.ca_file, [&](auto& file) { tls.load_verify_file(file); });
    if (!options.certificate_file.empty())
        use_file("certificate_file", options.certificate_file,
                 [&](auto& file) { tls.use_certificate_chain_file(file); });
    if (!options.key_file.empty())
        use_file("key_file", options.key_file,
                 [&](auto& file) { tls.use_private_key_file(file, asio::ssl::context::pem); });
    if (options.verify_certificate) {
        tls.set_verify_mode(asio::ssl::verify_peer);
        require_name(tls, where.host);
    }
    if (const auto& configure = options.configure_tls.get())
        configure(tls);
    return tls;
}

} // namespace coworker::detail
