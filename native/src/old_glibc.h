/*
 * The library is loaded into programs on systems older than the one it was built on, from glibc 2.31
 * on. Since then, functions moved from libpthread and libdl into libc, under new versions; the old
 * ones are still there. So these are asked for in their first version, wherever they are. Included
 * into every file of the library by the Makefile; test/symbols.sh tells what is missing here.
 */
#ifndef XSCHED_OLD_GLIBC_H
#define XSCHED_OLD_GLIBC_H

#include <sys/stat.h>

#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__aarch64__))
#if defined(__x86_64__)
#define XSCHED_FIRST_GLIBC "GLIBC_2.2.5"
#define XSCHED_CANCEL_GLIBC "GLIBC_2.3.3"
#define XSCHED_STAT_VERSION 1
#else
#define XSCHED_FIRST_GLIBC "GLIBC_2.17"
#define XSCHED_CANCEL_GLIBC "GLIBC_2.17"
#define XSCHED_STAT_VERSION 0
#endif

#define XSCHED_FIRST(function)                                                                     \
    __asm__(".symver " #function "," #function "@" XSCHED_FIRST_GLIBC)
XSCHED_FIRST(dladdr);
XSCHED_FIRST(dlclose);
XSCHED_FIRST(dlvsym);
XSCHED_FIRST(pthread_create);
XSCHED_FIRST(pthread_join);
XSCHED_FIRST(pthread_key_create);
XSCHED_FIRST(pthread_mutex_timedlock);
XSCHED_FIRST(pthread_mutex_trylock);
XSCHED_FIRST(pthread_once);
XSCHED_FIRST(pthread_setspecific);
XSCHED_FIRST(pthread_sigmask);

/* What pthread_cleanup_push is made of. */
#define XSCHED_FIRST_OF_CANCEL(function)                                                           \
    __asm__(".symver " #function "," #function "@" XSCHED_CANCEL_GLIBC)
XSCHED_FIRST_OF_CANCEL(__pthread_register_cancel);
XSCHED_FIRST_OF_CANCEL(__pthread_unregister_cancel);
XSCHED_FIRST_OF_CANCEL(__pthread_unwind_next);

/* Until 2.32, these were all that programs called, with the version of the struct. */
XSCHED_FIRST(__fxstat);
XSCHED_FIRST(__lxstat);
XSCHED_FIRST(__xstat);
int __fxstat(int version, int fd, struct stat *status);
int __lxstat(int version, const char *path, struct stat *status);
int __xstat(int version, const char *path, struct stat *status);
#define fstat(fd, status) __fxstat(XSCHED_STAT_VERSION, fd, status)
#define lstat(path, status) __lxstat(XSCHED_STAT_VERSION, path, status)
#define stat(path, status) __xstat(XSCHED_STAT_VERSION, path, status)
#endif

#endif
