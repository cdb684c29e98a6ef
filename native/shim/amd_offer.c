/*
 * Whether this machine's driver saves waves when a queue goes off the device. Without that it waits for
 * the running kernel, and resets the GPU if that takes too long: then nothing is offered.
 *
 * Read from Linux's sources (drivers/gpu/drm/amd/amdkfd), not tried on a device.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "amd.h"
#include "amd_kfd.h"

#define PARAMETERS "/sys/module/amdgpu/parameters/"
#define FIRST_MINOR_VERSION 1 /* 1.0 is that of Kaveri, which saves nothing */

static bool parameter_is(const char *path, int value)
{
    char text[16] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) {
        close(fd);
    }
    return length > 0 && atoi(text) == value;
}

/* With the lock held. */
static const char *judge_version(int fd)
{
    static char text[64]; /* the same each time */
    uint32_t major, minor;
    if (!amd_version(fd, &major, &minor)) {
        return "the kernel driver does not tell its version";
    }
    if (major == KFD_IOCTL_MAJOR_VERSION && minor >= FIRST_MINOR_VERSION) {
        return NULL;
    }
    snprintf(text, sizeof text, "the kernel driver has another interface (KFD %u.%u)", major, minor);
    return text;
}

static const char *judge_queues(void)
{
    static bool version_is_known;
    bool any = false;
    for (uint32_t i = 0; i < AMD_QUEUES; i++) {
        if (!amd_queues[i].used) {
            continue;
        }
        any = true;
        if (!amd_queues[i].saves_waves) {
            return "the program's queues have no room to save waves in (CWSR)";
        }
        const char *reason = version_is_known ? NULL : judge_version(amd_queues[i].fd);
        if (reason != NULL) {
            return reason;
        }
        version_is_known = true;
    }
    return any ? NULL : "the driver's calls were not seen";
}

const char *amd_objection(void)
{
    const char *strange = atomic_load(&amd_strange);
    if (strange != NULL) {
        return strange;
    }
    if (parameter_is(PARAMETERS "cwsr_enable", 0)) {
        return "CWSR is off; load amdgpu with cwsr_enable=1";
    }
    if (parameter_is(PARAMETERS "sched_policy", 2)) {
        return "the kernel driver schedules by itself; load amdgpu with sched_policy=0";
    }
    if (!amd_lock()) {
        return "the kernel driver is busy with a queue";
    }
    const char *reason = judge_queues();
    amd_unlock();
    return reason;
}
