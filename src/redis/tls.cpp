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

/// How certificates are checked beyond what OpenSSL does by itself.
struct verifier
{
    host_list hosts; ///< the certificate has to be made out to one of them; empty: OpenSSL checks the name
    std::shared_ptr<tls_trouble> trouble; ///< where to note why one is refused; null: nowhere
};

/// The place of the verifier in a TLS context, which owns it.
int place_of_verifier()
{
    static const int place = SSL_CTX_get_ex_new_index(
        0, nullptr, nullptr, nullptr,
        [](void*, void* own, CRYPTO_EX_DATA*, int, long, void*) { delete static_cast<verifier*>(own); });
    return place;
}

bool is_made_out_to(X509* shown, const host_list& hosts)
{
    return std::any_of(hosts.begin(), hosts.end(), [shown](const std::string& host) {
        return X509_check_ip_asc(shown, host.c_str(), 0) == 1 ||
               X509_check_host(shown, host.data(), host.size(), 0, nullptr) == 1;
    });
}

/// Called by OpenSSL for each certificate of a chain. The peer's own has depth 0.
int check_certificate(int passes, X509_STORE_CTX* chain)
{
    auto* const tls =
        static_cast<SSL*>(X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx()));
    const auto* const own =
        static_cast<const verifier*>(SSL_CTX_get_ex_data(SSL_get_SSL_CTX(tls), place_of_verifier()));
    if (own == nullptr)
        return 0;
    if (passes == 1 && X509_STORE_CTX_get_error_depth(chain) == 0 && !own->hosts.empty() &&
        !is_made_out_to(X509_STORE_CTX_get_current_cert(chain), own->hosts)) {
        X509_STORE_CTX_set_error(chain, X509_V_ERR_HOSTNAME_MISMATCH);
        passes = 0;
    }
    if (passes != 1 && own->trouble)
        own->trouble->text = X509_verify_cert_error_string(X509_STORE_CTX_get_error(chain));
    return passes;
}

void use_verifier(asio::ssl::context& tls, verifier own)
{
    auto kept = std::make_unique<verifier>(std::move(own));
    auto* const handle = tls.native_handle();
    if (SSL_CTX_set_ex_data(handle, place_of_verifier(), kept.get()) != 1)
        throw std::bad_alloc{};
    (void)kept.release();
    SSL_CTX_set_verify(handle, SSL_VERIFY_PEER, check_certificate);
}

} // namespace

asio::ssl::context make_tls(const client_options& options, const address& where,
                            std::shared_ptr<tls_trouble> trouble)
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
        host_list
            hosts; // with Sentinels: which of them, or which server, is at the other end is not known here
        if (options.sentinels.empty()) {
            require_name(tls, where.host);
        } else {
            hosts.push_back(where.host);
            for (const auto& sentinel : options.sentinels)
                hosts.push_back(parse_sentinel(sentinel).host);
            std::erase(hosts, ""); // OpenSSL would take it for none
        }
        use_verifier(tls, {std::move(hosts), std::move(trouble)});
    }
    if (const auto& configure = options.configure_tls.get())
        configure(tls);
    return tls;
}

} // namespace coworker::detail
