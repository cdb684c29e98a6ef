/*
 * What we ask of the driver ourselves, by the descriptor that the program opened. The first refusal
 * that is not explained by an object that has just gone is remembered: nothing more is offered then.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvidia.h"
#include "nvidia_rm.h"

static _Atomic bool refused;
static char refusal[96]; /* written once, before `refused` */

const char *nvidia_refusal(void)
{
    return atomic_load(&refused) ? refusal : NULL;
}

void nvidia_forget_refusal(void)
{
    atomic_store(&refused, false);
}

static bool is_there(const struct nvidia_object *object, uint32_t handle)
{
    return atomic_load(&object->kind) > NVIDIA_HALF && atomic_load(&object->handle) == handle;
}

/* Returns a status of the driver; one that it does not have stands for a failed call. */
static uint32_t control(const struct nvidia_object *object, uint32_t handle, uint32_t command,
                        void *parameters, uint32_t size)
{
    int fd = atomic_load(&object->fd), error = errno, result;
    NVOS54_PARAMETERS call = {
        .hClient = atomic_load(&object->client),
        .hObject = handle,
        .cmd = command,
        .params = (uintptr_t)parameters,
        .paramsSize = size,
    };
    /* The program may have closed it, and have something else under this number. */
    if (!nvidia_is_control_device(fd)) {
        return UINT32_MAX;
    }
    do {
        result = nvidia_ioctl(fd, NV_IOCTL_CONTROL, &call);
    } while (result != 0 && errno == EINTR);
    errno = error;
    return result != 0 ? UINT32_MAX : call.status;
}

static bool explain(const char *name, uint32_t status, bool still_there)
{
    if (status == NV_OK || !still_there) {
        return true;
    }
    if (!atomic_load(&refused)) {
        if (status == UINT32_MAX) {
            snprintf(refusal, sizeof refusal, "%s could not be called", name);
        } else {
            snprintf(refusal, sizeof refusal, "the driver refuses %s with status 0x%x", name,
                     status);
        }
        atomic_store(&refused, true);
    }
    return false;
}

bool nvidia_set_slice(const struct nvidia_object *group, uint64_t micros)
{
    NVA06C_CTRL_TIMESLICE_PARAMS parameters = {.timesliceUs = micros};
    uint32_t handle = atomic_load(&group->handle);
    uint32_t status = control(group, handle, NVA06C_CTRL_CMD_SET_TIMESLICE, &parameters,
                              sizeof parameters);
    return explain("SET_TIMESLICE", status, is_there(group, handle));
}

bool nvidia_disable(const struct nvidia_object *subdevice, struct nvidia_object *const *channels,
                    uint32_t count, bool disable)
{
    NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS parameters = {.bDisable = disable,
                                                           .numChannels = count};
    for (uint32_t i = 0; i < count; i++) {
        parameters.hClientList[i] = atomic_load(&channels[i]->client);
        parameters.hChannelList[i] = atomic_load(&channels[i]->handle);
    }
    uint32_t handle = atomic_load(&subdevice->handle);
    uint32_t status = control(subdevice, handle, NV2080_CTRL_CMD_FIFO_DISABLE_CHANNELS,
                              &parameters, sizeof parameters);
    bool still_there = is_there(subdevice, handle);
    for (uint32_t i = 0; i < count; i++) {
        still_there &= is_there(channels[i], parameters.hChannelList[i]);
    }
    return explain("DISABLE_CHANNELS", status, still_there) && status == NV_OK;
}

bool nvidia_uuid(const struct nvidia_object *subdevice, unsigned char *uuid)
{
    NV2080_CTRL_GPU_GET_GID_INFO_PARAMS parameters = {
        .flags = NV2080_GPU_CMD_GPU_GET_GID_FLAGS_FORMAT_BINARY};
    if (control(subdevice, atomic_load(&subdevice->handle), NV2080_CTRL_CMD_GPU_GET_GID_INFO,
                &parameters, sizeof parameters) != NV_OK ||
        parameters.length != 16) {
        return false;
    }
    memcpy(uuid, parameters.data, 16);
    return true;
}
