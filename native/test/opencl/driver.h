/* What tests can ask of the OpenCL library in driver.c, beside what any such library does. */
#ifndef XSCHED_TEST_DRIVER_H
#define XSCHED_TEST_DRIVER_H

#include <stdbool.h>

/* Whether the device executes anything; it does at first. */
void driver_run(bool running);

/* How many of the next commands the library refuses. */
void driver_refuse(int commands);

/* Commands, without markers, that were enqueued and not completed: now, and the most there were. */
int driver_in_flight(void);
int driver_most_in_flight(void);

#endif
