// CHECK is for our own mistakes only: it prints where and aborts. Input never reaches one.
#pragma once

#include <cstdio>
#include <cstdlib>

#define TIMBRE_CHECK(condition)                                                          \
  do {                                                                                   \
    if (!(condition)) [[unlikely]] {                                                     \
      std::fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                      \
    }                                                                                    \
  } while (false)
