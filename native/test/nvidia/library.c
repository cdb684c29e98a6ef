#include "library.h"

#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>

#include "../../shim/nvidia_rm.h"
#include "../harness.h"

#define FIRST_COPY_ENGINE 9
#define HOPPER_CHANNEL 0xc86f
#define VASPACE 0x90f1
#define HOPPER_COMPUTE 0xcbc0
#define HOPPER_DOORBELLS 0xc661
#define SYSTEM_MEMORY 0x3e

uint32_t library_alloc(const struct library *library, uint32_t parent, uint32_t handle,
                       uint32_t class, void *parameters, uint32_t size)
{
    union {
        NVOS21_PARAMETERS small;
        NVOS64_PARAMETERS large;
        char room[128];
    } call;
    memset(&call, 0, sizeof call);
    call.small = (NVOS21_PARAMETERS){.hRoot = library->client,
                                     .hObjectParent = parent,
                                     .hObjectNew = handle,
                                     .hClass = class,
                                     .pAllocParms = (uintptr_t)parameters};
    uint32_t given = library->no_size ? 0 : size;
    if (library->longer) {
        call.large.paramsSize = given;
    } else {
        call.small.paramsSize = given;
    }
    size_t bytes = (library->longer ? sizeof call.large : sizeof call.small) + library->extra;
    CHECK(ioctl(library->fd,
                _IOC(_IOC_READ | _IOC_WRITE, NV_IOCTL_MAGIC, NV_ESC_RM_ALLOC, bytes), &call) == 0);
    CHECK((library->longer ? call.large.status : call.small.status) == NV_OK);
    return call.small.hObjectNew;
}

void library_free(const struct library *library, uint32_t handle)
{
    NVOS00_PARAMETERS call = {.hRoot = library->client, .hObjectOld = handle};
    CHECK(ioctl(library->fd, NV_IOCTL_FREE, &call) == 0 && call.status == NV_OK);
}

void library_open(struct library *library, uint32_t instance)
{
    NV0080_ALLOC_PARAMETERS device = {.deviceId = instance};
    NV2080_ALLOC_PARAMETERS subdevice = {0};
    NvBool doorbells[2] = {1, 0}; /* NV_HOPPER_USERMODE_A_PARAMS */
    if (library->client == 0) {
        library->fd = open("/dev/nvidiactl", O_RDWR | O_CLOEXEC);
        CHECK(library->fd >= 0);
        library->client = library_alloc(library, 0, 0, 0, NULL, 0);
    }
    library->device =
        library_alloc(library, library->client, 0, NV01_DEVICE_0, &device, sizeof device);
    library->subdevice =
        library_alloc(library, library->device, 0, NV20_SUBDEVICE_0, &subdevice, sizeof subdevice);
    if (!library->no_doorbells) {
        library_alloc(library, library->subdevice, 0, HOPPER_DOORBELLS, doorbells, sizeof doorbells);
    }
}

void library_make_context(struct library *library)
{
    union {
        NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS parameters;
        char room[64];
    } group;
    char memory[128] = {0}, channel[368] = {0};
    uint32_t made = 0;
    library->vaspace = library_alloc(library, library->device, 0, VASPACE, memory, 40);
    for (uint32_t i = 0; i < GROUPS; i++) {
        memset(&group, 0, sizeof group);
        group.parameters.engineType =
            i == 0 ? NV2080_ENGINE_TYPE_GRAPHICS : FIRST_COPY_ENGINE + i;
        library->groups[i] =
            library_alloc(library, library->device, 0, KEPLER_CHANNEL_GROUP_A, &group,
                          (uint32_t)sizeof group.parameters + library->group_extra);
        uint32_t count = i == 0 ? COMPUTE_CHANNELS : (CHANNELS - COMPUTE_CHANNELS) / (GROUPS - 1);
        for (uint32_t j = 0; j < count; j++) {
            uint32_t scratch = library_alloc(library, library->device, 0, SYSTEM_MEMORY, memory,
                                             sizeof memory);
            library->channels[made] = library_alloc(library, library->groups[i], 0,
                                                    HOPPER_CHANNEL, channel, sizeof channel);
            library_alloc(library, library->channels[made++], 0, HOPPER_COMPUTE, memory, 16);
            library_free(library, scratch);
        }
    }
    CHECK(made == CHANNELS);
}

void library_destroy_context(struct library *library)
{
    for (uint32_t i = 0; i < GROUPS; i++) {
        library_free(library, library->groups[i]);
    }
    library_free(library, library->vaspace);
}

void library_start(struct library *library)
{
    library_open(library, 0);
    library_make_context(library);
}
