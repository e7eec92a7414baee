#include "redis/tls.hpp"

#include <boost/asio/ssl/host_name_verification.hpp>

namespace coworker::detail {

asio::ssl::context make_tls(const client_options& options, const address& where)
{
    asio::ssl::context tls{asio::ssl::context::tls_client};
    if (where.kind != transport::tls)
        return tls;
    error_code ec;
    const auto check = [&](const char* what, const std::string& file) {
        if (ec)
            throw system_error{errc::invalid_option, std::string{what} + " '" + file + "': " + ec.message()};
    };
    if (options.ca_file.empty())
        tls.set_default_verify_paths(ec);
    else
        tls.load_verify_file(options.ca_file, ec);
    check("ca_file", options.ca_file);
    if (!options.certificate_file.empty())
        tls.use_certificate_chain_file(options.certificate_file, ec);
    check("certificate_file", options.certificate_file);
    if (!options.key_file.empty())
        tls.use_private_key_file(options.key_file, asio::ssl::context::pem, ec);
    check("key_file", options.key_file);
    if (options.verify_certificate) {
        tls.set_verify_mode(asio::ssl::verify_peer);
        tls.set_verify_callback(asio::ssl::host_name_verification{where.host});
    }
    if (const auto& configure = options.configure_tls.get())
        configure(tls);
    return tls;
}

} // namespace coworker::detail
