/* The devices of the stand-in. A device is what a context is to CUDA. */
#ifndef XSCHED_TEST_HIP_DEVICE_H
#define XSCHED_TEST_HIP_DEVICE_H

#include "../cuda/machine.h"

/* The first use of the device is told to whoever has more of it. */
void open_device(void);
#undef ENTER_AS
#define ENTER_AS(name, ...)                                                                        \
    do {                                                                                           \
        open_device();                                                                             \
        int refused = enter(name, COUNT(__VA_ARGS__), (const uint64_t[]){__VA_ARGS__});        \
        if (refused != 0) {                                                                        \
            return refused;                                                                        \
        }                                                                                          \
    } while (0)

/* Every thread uses device 0 until it says otherwise. */
void settle(void);

#endif
