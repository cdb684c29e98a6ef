/* A program that knows nothing of XSched, and the daemon that it does not know of. */
#ifndef XSCHED_TEST_CUDA_PROGRAM_H
#define XSCHED_TEST_CUDA_PROGRAM_H

#include "../harness.h"
#include "../standin.h"
#include "cuda.h"
#include "standin.h"

/* Of a function of the driver, as a text, also where these tests run on HIP. */
#define NAME(function) NAME_AS_IT_IS(function)
#define NAME_AS_IT_IS(function) #function

extern struct standin standin;
extern struct guest guest;
extern struct xsched_slot *slot; /* of device 0 */
extern void *context;            /* its primary one, current */

/* Runs the tests with our library in front of the driver, in processes of their own. */
int run_preloaded(int count, char **arguments, const struct test *tests, size_t test_count);

/* Starts the test again with that variable, unless it contains this. */
void run_again_with(const char *variable, const char *value, const char *containing);

/* The test's own file, and one that was built beside it. */
const char *program_path(void);
const char *built(const char *file);

/* linked.c: the first launch of the program, on the legacy stream; the daemon then has it */
void start_scheduled(uint32_t others);
void launch(void *stream);
void *new_stream(void);

/* Until nothing is in flight for the device, and we know it. */
void finish(void);
bool is_idle(void);

uint64_t launched(void);
uint64_t completed(void);

#endif
