/*
 * What we ask of the driver ourselves, by the descriptor that the program opened. The first refusal
 * that is not explained by an object that has just gone is remembered: nothing more is offered then.
 */
#include <errno.h>
#include <string.h>

#include "client.h"
#include "nvidia.h"
#include "nvidia_rm.h"

#define TRIES 20
#define NEWS_NANOS 1000000

static bool is_there(const struct nvidia_object *object, uint32_t handle)
{
    return atomic_load(&object->kind) > NVIDIA_HALF && atomic_load(&object->handle) == handle;
}

/* An object as it was at one moment: its place may be another's at the next. */
struct named {
    uint32_t client;
    uint32_t handle;
    int fd;
};

static bool name(struct named *named, const struct nvidia_object *object, uint32_t kind)
{
    if (atomic_load(&object->kind) != kind) {
        return false;
    }
    named->client = atomic_load(&object->client);
    named->handle = atomic_load(&object->handle);
    named->fd = atomic_load(&object->fd);
    return atomic_load(&object->kind) == kind && atomic_load(&object->handle) == named->handle;
}

/* Returns a status of the driver; one that it does not have stands for a failed call. */
static uint32_t control(const struct named *object, uint32_t command, void *parameters,
                        uint32_t size)
{
    int error = errno, result;
    NVOS54_PARAMETERS call = {
        .hClient = object->client,
        .hObject = object->handle,
        .cmd = command,
        .params = (uintptr_t)parameters,
        .paramsSize = size,
    };
    /* The program may have closed it, and have something else under this number. */
    if (!nvidia_is_control_device(object->fd)) {
        return UINT32_MAX;
    }
    do {
        result = gpu_ioctl(object->fd, NV_IOCTL_CONTROL, &call);
    } while (result != 0 && errno == EINTR);
    errno = error;
    return result != 0 ? UINT32_MAX : call.status;
}

static bool explain(const char *name, uint32_t status, bool still_there)
{
    if (status == NV_OK || !still_there) {
        return true;
    }
    if (status == UINT32_MAX) {
        gpu_refuse("%s could not be called", name);
    } else {
        gpu_refuse("the driver refuses %s with status 0x%x", name, status);
    }
    return false;
}

/* We hear of what the program frees a moment after the driver does. */
static void wait_for_news(void)
{
    xsched_sleep(NEWS_NANOS);
}

bool nvidia_set_slice(const struct nvidia_object *group, uint64_t micros)
{
    NVA06C_CTRL_TIMESLICE_PARAMS parameters = {.timesliceUs = micros};
    struct named named;
    if (!name(&named, group, NVIDIA_GROUP)) {
        return true;
    }
    uint32_t status = control(&named, NVA06C_CTRL_CMD_SET_TIMESLICE, &parameters,
                              sizeof parameters);
    for (int i = 0; status != NV_OK && is_there(group, named.handle) && i < TRIES; i++) {
        wait_for_news();
    }
    return explain("SET_TIMESLICE", status, is_there(group, named.handle));
}

static bool are_there(const NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS *parameters)
{
    for (uint32_t i = 0; i < parameters->numChannels; i++) {
        if (nvidia_find(parameters->hClientList[i], parameters->hChannelList[i]) == NULL) {
            return false;
        }
    }
    return true;
}

bool nvidia_turn_channels(const struct nvidia_object *subdevice,
                          struct nvidia_object *const *channels, uint32_t count,
                          enum nvidia_turn turn)
{
    NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS parameters = {
        .bDisable = turn != NVIDIA_ON,
        .bOnlyDisableScheduling = turn == NVIDIA_OFF_AFTER_SLICE,
    };
    struct named by, channel;
    bool still_there = name(&by, subdevice, NVIDIA_SUBDEVICE);
    if (!still_there) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (name(&channel, channels[i], NVIDIA_CHANNEL)) {
            parameters.hClientList[parameters.numChannels] = channel.client;
            parameters.hChannelList[parameters.numChannels++] = channel.handle;
        }
    }
    if (parameters.numChannels == 0) {
        return true;
    }
    uint32_t status = control(&by, NV2080_CTRL_CMD_FIFO_DISABLE_CHANNELS, &parameters,
                              sizeof parameters);
    for (int i = 0; status != NV_OK && still_there && i < TRIES; i++) {
        still_there = is_there(subdevice, by.handle) && are_there(&parameters);
        if (still_there) {
            wait_for_news();
        }
    }
    return explain("DISABLE_CHANNELS", status, still_there) && status == NV_OK;
}

/* It is the channel's for good, so it is asked for once. */
bool nvidia_token(struct nvidia_object *channel, uint32_t *token)
{
    NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN_PARAMS parameters = {0};
    struct named named;
    uint64_t known = atomic_load(&channel->token);
    if (known != 0) {
        *token = (uint32_t)known;
        return true;
    }
    if (!name(&named, channel, NVIDIA_CHANNEL)) {
        return false;
    }
    uint32_t status = control(&named, NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN, &parameters,
                              sizeof parameters);
    for (int i = 0; status != NV_OK && is_there(channel, named.handle) && i < TRIES; i++) {
        wait_for_news();
    }
    explain("GET_WORK_SUBMIT_TOKEN", status, is_there(channel, named.handle));
    *token = parameters.workSubmitToken;
    atomic_store(&channel->token, UINT64_C(1) << 32 | *token);
    if (status != NV_OK || !is_there(channel, named.handle)) {
        atomic_store(&channel->token, 0);
        return false;
    }
    return true;
}

bool nvidia_uuid(const struct nvidia_object *subdevice, unsigned char *uuid)
{
    NV2080_CTRL_GPU_GET_GID_INFO_PARAMS parameters = {
        .flags = NV2080_GPU_CMD_GPU_GET_GID_FLAGS_FORMAT_BINARY};
    struct named by;
    if (!name(&by, subdevice, NVIDIA_SUBDEVICE) ||
        control(&by, NV2080_CTRL_CMD_GPU_GET_GID_INFO, &parameters, sizeof parameters) != NV_OK ||
        parameters.length != 16) {
        return false;
    }
    memcpy(uuid, parameters.data, 16);
    return true;
}
