// The one file that compiles the parts of Boost that are not header-only templates.
// Everything else includes declarations only, which keeps builds short. A program that
// compiles these itself turns COWORKER_BOOST_LIBRARIES off.
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/json/src.hpp>
#include <boost/redis/src.hpp>
