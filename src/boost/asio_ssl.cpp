// SPDX-License-Identifier: MIT
#include <boost/asio/ssl/impl/src.hpp>
