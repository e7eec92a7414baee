// SPDX-License-Identifier: MIT

// libc++ counts the owners of a promise's state inside its library, which is not compiled with the thread sanitizer. So the
// sanitizer does not see that the last owner destroys it after all others have let go. Values go through its mutex, which the
// sanitizer sees. The same holds for its count of those who hold an exception.
extern "C" const char* __tsan_default_suppressions(); // the name that the sanitizer asks for

extern "C" const char* __tsan_default_suppressions()
{
    return "race:std::__1::__assoc_sub_state_alloc*__on_zero_shared\nrace:std::__1::__assoc_state*__on_zero_"
           "shared\nrace:__cxa_decrement_exception_refcount\n";
}
