/*
 * For programs that measure what a driver's controls do: exports ioctl, so that it sees what libcuda asks
 * of the driver, and learns this process's channel group for kernels, its channels and the subdevice.
 * It can also ring their doorbells. To be included by a program of one file, which is linked with
 * --export-dynamic.
 */
#ifndef XSCHED_OWN_CHANNELS_H
#define XSCHED_OWN_CHANNELS_H

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <vector>

#define _Static_assert static_assert /* the header is C */
#include "../../native/shim/nvidia_rm.h"

#define MOST_CHANNELS 64
#define HOPPER_USERMODE_A 0xC661u
#define CYCLES_PER_MS 1.9e6

static int control_fd = -1;
static NvHandle client, group, subdevice_client, subdevice;
static NvHandle channel_clients[MOST_CHANNELS], channel_handles[MOST_CHANNELS];
static uint32_t channels;

static double now_ms()
{
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static double percentile(std::vector<double> values, double percent)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[std::min(values.size() - 1, (size_t)(values.size() * percent / 100))];
}

static void learn(int fd, unsigned long request, const void *argument)
{
    auto *call = (const NVOS21_PARAMETERS *)argument;
    auto *longer = (const NVOS64_PARAMETERS *)argument;
    bool is_short = _IOC_SIZE(request) == sizeof *call;
    if ((is_short ? call->status : longer->status) != NV_OK) {
        return;
    }
    if (call->hClass == NV20_SUBDEVICE_0) {
        subdevice = call->hObjectNew;
        subdevice_client = call->hRoot;
        control_fd = fd;
    } else if (call->hClass == KEPLER_CHANNEL_GROUP_A && call->pAllocParms != 0 &&
               ((NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS *)call->pAllocParms)->engineType ==
                   NV2080_ENGINE_TYPE_GRAPHICS) {
        group = call->hObjectNew;
        client = call->hRoot;
    } else if ((call->hClass & 0xff) == NV_CHANNEL_GPFIFO_LOW_BYTE && channels < MOST_CHANNELS &&
               call->hClass >= KEPLER_CHANNEL_GPFIFO_A && call->hObjectParent == group) {
        channel_clients[channels] = call->hRoot;
        channel_handles[channels++] = call->hObjectNew;
    }
}

extern "C" int ioctl(int fd, unsigned long request, ...) noexcept
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    int result = (int)syscall(SYS_ioctl, fd, request, argument);
    if (result == 0 && _IOC_TYPE(request) == NV_IOCTL_MAGIC && _IOC_NR(request) == NV_ESC_RM_ALLOC) {
        learn(fd, request, argument);
    }
    return result;
}

static uint32_t control(NvHandle of, NvHandle object, uint32_t command, void *parameters, uint32_t size)
{
    NVOS54_PARAMETERS call = {};
    call.hClient = of;
    call.hObject = object;
    call.cmd = command;
    call.params = (NvP64)parameters;
    call.paramsSize = size;
    return syscall(SYS_ioctl, control_fd, NV_IOCTL_CONTROL, &call) != 0 ? UINT32_MAX : call.status;
}

/* What another process is told of its parent's or child's, in memory that both have. */
struct Channels {
    volatile uint32_t count, clients[MOST_CHANNELS], handles[MOST_CHANNELS];
};

static void show_channels(Channels *shown)
{
    shown->count = channels;
    for (uint32_t i = 0; i < channels; i++) {
        shown->clients[i] = channel_clients[i];
        shown->handles[i] = channel_handles[i];
    }
}

static uint32_t turn(const Channels &which, bool disable, bool only_scheduling)
{
    NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS parameters = {};
    parameters.bDisable = disable;
    parameters.bOnlyDisableScheduling = only_scheduling;
    parameters.numChannels = which.count;
    for (uint32_t i = 0; i < which.count; i++) {
        parameters.hClientList[i] = which.clients[i];
        parameters.hChannelList[i] = which.handles[i];
    }
    return control(subdevice_client, subdevice, NV2080_CTRL_CMD_FIFO_DISABLE_CHANNELS, &parameters,
                   sizeof parameters);
}

static uint32_t set_slice(uint64_t micros)
{
    NVA06C_CTRL_TIMESLICE_PARAMS parameters = {micros};
    return control(client, group, NVA06C_CTRL_CMD_SET_TIMESLICE, &parameters, sizeof parameters);
}

/* Makes an object of a client of our own; 0: the driver does not want to. */
static NvHandle allocate(int fd, NvHandle root, NvHandle parent, uint32_t kind, void *parameters,
                         uint32_t size)
{
    NVOS21_PARAMETERS call = {};
    call.hRoot = root;
    call.hObjectParent = parent;
    call.hClass = kind;
    call.pAllocParms = (NvP64)parameters;
    call.paramsSize = size;
    return syscall(SYS_ioctl, fd, NV_IOCTL_ALLOC, &call) == 0 && call.status == NV_OK
               ? call.hObjectNew
               : 0;
}

static volatile uint32_t *doorbells;
static NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN_PARAMS tokens[MOST_CHANNELS];

/* Of GPU 0, by a client of our own. */
static bool open_doorbells()
{
    int fd = open("/dev/nvidiactl", O_RDWR | O_CLOEXEC), gpu = open("/dev/nvidia0", O_RDWR | O_CLOEXEC);
    nv_ioctl_register_fd_t registration = {fd};
    NV0080_ALLOC_PARAMETERS which = {};
    NV2080_ALLOC_PARAMETERS whole = {};
    syscall(SYS_ioctl, gpu, NV_IOCTL_REGISTER_FD, &registration);
    NvHandle root = allocate(fd, 0, 0, NV01_ROOT, nullptr, 0);
    NvHandle device = allocate(fd, root, root, NV01_DEVICE_0, &which, sizeof which);
    NvHandle whole_gpu = allocate(fd, root, device, NV20_SUBDEVICE_0, &whole, sizeof whole);
    nv_ioctl_nvos33_parameters_with_fd call = {};
    call.params.hClient = root;
    call.params.hDevice = device;
    call.params.hMemory = allocate(fd, root, whole_gpu, HOPPER_USERMODE_A, nullptr, 0);
    call.params.length = NVC361_NV_USERMODE__SIZE;
    call.params.flags = NVOS33_FLAGS_ACCESS_WRITE_ONLY;
    call.fd = gpu;
    if (syscall(SYS_ioctl, fd, NV_IOCTL_MAP_MEMORY, &call) != 0 || call.params.status != NV_OK) {
        return false;
    }
    void *page = mmap(nullptr, NVC361_NV_USERMODE__SIZE, PROT_WRITE, MAP_SHARED, gpu, 0);
    doorbells = page == MAP_FAILED ? nullptr : (volatile uint32_t *)page;
    bool known = doorbells != nullptr;
    for (uint32_t i = 0; i < channels; i++) {
        known &= control(channel_clients[i], channel_handles[i],
                         NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN, &tokens[i],
                         sizeof tokens[i]) == NV_OK;
    }
    return known;
}

static void ring()
{
    for (uint32_t i = 0; i < channels; i++) {
        doorbells[NVC361_NOTIFY_CHANNEL_PENDING / sizeof *doorbells] = tokens[i].workSubmitToken;
    }
}

/* Sleeps, then spins for the last moments. */
static void pause_ms(double milliseconds)
{
    double until = now_ms() + milliseconds;
    if (milliseconds > 0.2) {
        usleep((useconds_t)((milliseconds - 0.15) * 1e3));
    }
    while (now_ms() < until) {
    }
}

#endif
