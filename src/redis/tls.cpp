// SPDX-License-Identifier: MIT
#include "redis/tls.hpp"

#include "redis/sentinels.hpp"
#include "use_file.hpp"

#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

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
        throw explained_error{errc::invalid_option, "no certificate can be made out to '" + host + "'"};
}

using host_list = std::vector<std::string>;

/// The place of the accepted names and addresses in a TLS context, which owns them.
int place_of_hosts()
{
    static const int place = SSL_CTX_get_ex_new_index(
        0, nullptr, nullptr, nullptr,
        [](void*, void* hosts, CRYPTO_EX_DATA*, int, long, void*) { delete static_cast<host_list*>(hosts); });
    return place;
}

/// Called by OpenSSL for each certificate of a chain. The peer's own has depth 0.
int check_hosts(int passes, X509_STORE_CTX* chain)
{
    if (passes != 1 || X509_STORE_CTX_get_error_depth(chain) != 0)
        return passes;
    auto* const tls =
        static_cast<SSL*>(X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx()));
    const auto* const hosts =
        static_cast<const host_list*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(tls), place_of_hosts()));
    auto* const shown = X509_STORE_CTX_get_current_cert(chain);
    if (hosts != nullptr && std::any_of(hosts->begin(), hosts->end(), [shown](const std::string& host) {
            return X509_check_ip_asc(shown, host.c_str(), 0) == 1 ||
                   X509_check_host(shown, host.data(), host.size(), 0, nullptr) == 1;
        }))
        return 1;
    X509_STORE_CTX_set_error(chain, X509_V_ERR_HOSTNAME_MISMATCH);
    return 0;
}

/// The certificate has to be made out to one of these names or addresses.
void require_one_name(asio::ssl::context& tls, host_list hosts)
{
    std::erase(hosts, ""); // OpenSSL would take it for none
    auto kept = std::make_unique<host_list>(std::move(hosts));
    auto* const handle = tls.native_handle();
    if (SSL_CTX_set_ex_data(handle, place_of_hosts(), kept.get()) != 1)
        throw std::bad_alloc{};
    (void)kept.release();
    SSL_CTX_set_verify(handle, SSL_VERIFY_PEER, check_hosts);
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
        if (options.sentinels.empty()) {
            require_name(tls, where.host);
        } else {
            // Which of them, or which server, is at the other end is not known here.
            host_list hosts{where.host};
            for (const auto& sentinel : options.sentinels)
                hosts.push_back(parse_sentinel(sentinel).host);
            require_one_name(tls, std::move(hosts));
        }
    }
    if (const auto& configure = options.configure_tls.get())
        configure(tls);
    return tls;
}

} // namespace coworker::detail
