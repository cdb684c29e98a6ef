/*
 * The worker comes with the archive, and so runs where the library does. It calls what the library
 * does not, or defines itself.
 */
#ifndef XSCHED_WORKER_OLD_GLIBC_H
#define XSCHED_WORKER_OLD_GLIBC_H

#include "../../src/old_glibc.h"

#ifdef XSCHED_FIRST
XSCHED_FIRST(dlopen);
XSCHED_FIRST(dlsym);
#endif

#endif
