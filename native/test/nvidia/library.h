/* What libcuda does when a context is made and destroyed, as far as the kernel sees it. */
#ifndef XSCHED_TEST_NVIDIA_LIBRARY_H
#define XSCHED_TEST_NVIDIA_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

#define GROUPS 4
#define CHANNELS 20
#define COMPUTE_CHANNELS 8

struct library {
    int fd;
    uint32_t client;
    uint32_t device;
    uint32_t subdevice;
    uint32_t vaspace;
    uint32_t groups[GROUPS]; /* the first is that of compute */
    uint32_t channels[CHANNELS]; /* its are the first eight */
    bool longer;  /* NVOS64, else NVOS21 */
    bool no_size; /* of parameters: the driver knows it */
    bool no_doorbells;
    uint32_t extra; /* bytes that another driver has more, at the end of each call */
    uint32_t group_extra;
};

/* Returns the new handle; fails the test if the driver does not give one. */
uint32_t library_alloc(const struct library *library, uint32_t parent, uint32_t handle,
                       uint32_t class, void *parameters, uint32_t size);
void library_free(const struct library *library, uint32_t handle);

void library_open(struct library *library, uint32_t instance);       /* client, device, subdevice */
void library_make_context(struct library *library);
void library_destroy_context(struct library *library);
void library_start(struct library *library);                         /* both, on GPU 0 */

#endif
