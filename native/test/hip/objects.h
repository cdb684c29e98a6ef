/* Streams, events and graphs of the stand-in. */
#ifndef XSCHED_TEST_HIP_OBJECTS_H
#define XSCHED_TEST_HIP_OBJECTS_H

#include "../cuda/machine.h"

/* 0, or why the stream cannot be used now. */
int use_stream(void *handle, void *no_stream, struct stream **found);
void check_event(const struct event *event); /* that it is still there */

#endif
