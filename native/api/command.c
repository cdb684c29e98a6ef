/* Commands: a callback that puts work on a stream. */
#include <stdlib.h>

#include "api.h"

#define KEPT 65536u

XSCHED_PUBLIC XResult HwCommandCreateCallback(HwCommandHandle *hw_cmd, LaunchCallback launch,
                                              void *data)
{
    if (hw_cmd == NULL || launch == NULL) {
        return kXSchedErrorInvalidValue;
    }
    struct api_command *command = calloc(1, sizeof *command);
    if (command == NULL) {
        return kXSchedErrorUnknown;
    }
    command->launch = launch;
    command->data = data;
    if (api_add(&command->object, API_COMMAND) == 0) {
        free(command);
        return kXSchedErrorUnknown;
    }
    *hw_cmd = command->object.handle;
    return kXSchedSuccess;
}

XSCHED_PUBLIC XResult HwCommandDestroy(HwCommandHandle hw_cmd)
{
    struct api_command *command = api_remove(hw_cmd, API_COMMAND);
    if (command == NULL) {
        return kXSchedErrorNotFound;
    }
    api_release(command);
    return kXSchedSuccess;
}

/* Programs of the original never destroy what they submitted, so old handles go by themselves. */
void api_keep_command(uint64_t handle)
{
    static _Atomic uint64_t kept[KEPT];
    static _Atomic uint32_t next;
    uint64_t oldest = atomic_exchange(&kept[atomic_fetch_add(&next, 1) % KEPT], handle);
    if (oldest != 0) {
        HwCommandDestroy(oldest);
    }
}
