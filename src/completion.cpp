#include "coworker/completion.hpp"

namespace coworker {

void diagnostics::clear() noexcept
{
    message_.clear();
    exception_ = nullptr;
}

error_code diagnostics::assign(std::exception_ptr exception)
{
    exception_ = std::move(exception);
    try {
        std::rethrow_exception(exception_);
    } catch (const system_error& error) {
        message_ = error.what();
        return error.code();
    } catch (const std::bad_alloc& error) {
        message_ = error.what();
        return make_error_code(boost::system::errc::not_enough_memory);
    } catch (const std::exception& error) {
        message_ = error.what();
    } catch (...) {
        message_ = "an exception of a type that is not known";
    }
    return errc::unexpected_exception;
}

} // namespace coworker
