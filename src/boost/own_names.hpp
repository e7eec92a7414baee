// SPDX-License-Identifier: MIT

// The build includes this first in every file of coworker's libraries.
//
// What some of Asio's functions return depends on BOOST_ASIO_NO_DEPRECATED, but their symbols do not tell. A program
// that differs in this definition would call the library's copies of such functions wrongly, or the library the
// program's. So the library's copies have symbols of their own here: one for each form, since Boost's parts are
// compiled in Asio's default form. Those that Asio compiles once, members of `ssl::context` and `serial_port_base` with
// an `error_code&`, do not exist under these names: a call of one does not link. Use those that throw.
#pragma once

#include <boost/asio/detail/config.hpp>

#undef BOOST_ASIO_SYNC_OP_VOID
#ifdef BOOST_ASIO_NO_DEPRECATED
#define BOOST_ASIO_SYNC_OP_VOID __attribute__((abi_tag("coworker_void"))) void
#else
#define BOOST_ASIO_SYNC_OP_VOID __attribute__((abi_tag("coworker_code"))) boost::system::error_code
#endif
