// SPDX-License-Identifier: MIT
#include "operation.hpp"

#include <string>
#include <vector>

namespace coworker::detail {

error_code code_of(const std::exception_ptr& exception) noexcept
{
    try {
        std::rethrow_exception(exception);
    } catch (const system_error& error) {
        return error.code();
    } catch (const std::bad_alloc&) {
        return make_error_code(boost::system::errc::not_enough_memory);
    } catch (...) {
        return errc::unexpected_exception;
    }
}

template struct operation<void>;
template struct operation<bool>;
template struct operation<std::size_t>;
template struct operation<std::string>;
template struct operation<std::vector<std::string>>;
template struct operation<result<void>>;

} // namespace coworker::detail
