/*
 * Doorbells: a page of the GPU's on which the token of a channel, written to one word, has the GPU look
 * whether that channel has work. The program's own library rings after each launch. We have the page
 * mapped once more, through a client of our own: what the program has mapped goes when it likes.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "nvidia.h"
#include "nvidia_rm.h"
#include "shim.h"

struct page {
    bool tried;
    int control; /* by which our client lives */
    volatile uint32_t *words; /* NULL: it cannot be had */
};

static struct page pages[XSCHED_GPUS]; /* of gpus[], with its lock held */

/* The class of page that the program's own library has for that GPU; 0: none was seen. */
static uint32_t class_for(uint32_t instance)
{
    for (uint32_t i = 0; i < NVIDIA_OBJECTS; i++) {
        const struct nvidia_object *object = &nvidia_objects[i];
        const struct nvidia_object *device;
        if (atomic_load(&object->kind) == NVIDIA_DOORBELLS &&
            (device = nvidia_device_of(object)) != NULL &&
            atomic_load(&device->value) == instance) {
            return atomic_load(&object->value);
        }
    }
    return 0;
}

/* Makes an object of ours; returns its handle, 0 if the driver does not want to. */
static NvHandle allocate(int control, NvHandle client, NvHandle parent, uint32_t class,
                         void *parameters, uint32_t size)
{
    NVOS21_PARAMETERS call = {
        .hRoot = client,
        .hObjectParent = parent,
        .hClass = class,
        .pAllocParms = (uintptr_t)parameters,
        .paramsSize = size,
    };
    return gpu_ioctl(control, NV_IOCTL_ALLOC, &call) == 0 && call.status == NV_OK
               ? call.hObjectNew
               : 0;
}

static void *map(int control, int file, uint32_t instance, uint32_t class)
{
    NV0080_ALLOC_PARAMETERS which = {.deviceId = instance};
    NV2080_ALLOC_PARAMETERS whole = {0};
    nv_ioctl_register_fd_t registration = {.ctl_fd = control};
    NvHandle client, device, subdevice, page;
    if (gpu_ioctl(file, NV_IOCTL_REGISTER_FD, &registration) != 0 ||
        (client = allocate(control, 0, 0, NV01_ROOT, NULL, 0)) == 0 ||
        (device = allocate(control, client, client, NV01_DEVICE_0, &which, sizeof which)) == 0 ||
        (subdevice = allocate(control, client, device, NV20_SUBDEVICE_0, &whole,
                              sizeof whole)) == 0 ||
        (page = allocate(control, client, subdevice, class, NULL, 0)) == 0) {
        return NULL;
    }
    nv_ioctl_nvos33_parameters_with_fd call = {
        .params = {.hClient = client,
                   .hDevice = device,
                   .hMemory = page,
                   .length = NVC361_NV_USERMODE__SIZE,
                   .flags = NVOS33_FLAGS_ACCESS_WRITE_ONLY},
        .fd = file,
    };
    if (gpu_ioctl(control, NV_IOCTL_MAP_MEMORY, &call) != 0 || call.params.status != NV_OK) {
        return NULL;
    }
    void *words = mmap(NULL, NVC361_NV_USERMODE__SIZE, PROT_WRITE, MAP_SHARED, file, 0);
    return words == MAP_FAILED ? NULL : words;
}

static void open_page(struct page *page, const struct gpu *gpu)
{
    char name[32];
    uint32_t class = class_for(gpu->instance);
    int minor = nvidia_minor_of(gpu->device);
    snprintf(name, sizeof name, "/dev/nvidia%d", minor);
    page->control = open("/dev/nvidiactl", O_RDWR | O_CLOEXEC);
    int file = minor < 0 ? -1 : open(name, O_RDWR | O_CLOEXEC);
    if (class != 0 && page->control >= 0 && file >= 0) {
        page->words = map(page->control, file, gpu->instance, class);
    }
    if (file >= 0) {
        close(file); /* what is mapped stays */
    }
    if (page->words == NULL) {
        if (page->control >= 0) {
            close(page->control);
        }
        xsched_say(0, "the doorbells of the GPU cannot be had, so this program's interrupts preempt "
                      "whoever has the GPU");
    }
}

bool nvidia_has_doorbells(const struct gpu *gpu)
{
    struct page *page = &pages[gpu - gpus];
    if (!page->tried) {
        page->tried = true;
        open_page(page, gpu);
    }
    /* Programs close descriptors that are not theirs, and with this one the page may go. */
    return page->words != NULL && nvidia_is_control_device(page->control);
}

void nvidia_ring(const struct gpu *gpu, struct nvidia_object *channel)
{
    uint32_t token;
    if (nvidia_token(channel, &token)) {
        pages[gpu - gpus].words[NVC361_NOTIFY_CHANNEL_PENDING / sizeof token] = token;
    }
}

/* It has no GPU; what its parent has mapped is left alone. */
static void in_child(void)
{
    memset(pages, 0, sizeof pages);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
