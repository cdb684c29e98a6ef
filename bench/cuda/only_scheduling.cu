/*
 * Is "disable scheduling only" (NVIDIA's FIFO_DISABLE_CHANNELS with bOnlyDisableScheduling) worth a level
 * of its own? A low process runs one long kernel after another; a high one launches bursts of 100 tiny
 * kernels, each waited for, under several controls of the low one's channels.
 *
 *     nvcc -O2 -arch=sm_90 -o /tmp/only bench/cuda/only_scheduling.cu -Xlinker --export-dynamic
 *     /tmp/only 50          # the low one's kernels take about 50 ms
 *
 * The program exports ioctl, so that it sees what libcuda asks of the driver and learns the channels.
 */
#include <cuda_runtime.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define _Static_assert static_assert /* the header is C */
#include "../../native/shim/nvidia_rm.h"

#define BURST 100
#define CYCLES_PER_MS 1.9e6
#define DRIVERS_SLICE 2048
#define MOST 64

/* Between the two processes. */
struct Shared {
    volatile int ready, quit;
    volatile uint32_t channels, clients[MOST], handles[MOST];
    volatile uint32_t order, done, status; /* to set the low one's slice */
    volatile uint64_t slice;
    volatile unsigned long kernels;
};

static Shared *shared;
static int control_fd = -1;
static NvHandle client, group, subdevice_client, subdevice;
static NvHandle channel_clients[MOST], channel_handles[MOST];
static uint32_t channels;

static double now_ms()
{
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
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
    } else if ((call->hClass & 0xff) == NV_CHANNEL_GPFIFO_LOW_BYTE && channels < MOST &&
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

static uint32_t set_slice(uint64_t micros)
{
    NVA06C_CTRL_TIMESLICE_PARAMS parameters = {micros};
    return control(client, group, NVA06C_CTRL_CMD_SET_TIMESLICE, &parameters, sizeof parameters);
}

static uint32_t turn_low(bool disable, bool only_scheduling)
{
    NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS parameters = {};
    parameters.bDisable = disable;
    parameters.bOnlyDisableScheduling = only_scheduling;
    parameters.numChannels = shared->channels;
    for (uint32_t i = 0; i < shared->channels; i++) {
        parameters.hClientList[i] = shared->clients[i];
        parameters.hChannelList[i] = shared->handles[i];
    }
    return control(subdevice_client, subdevice, NV2080_CTRL_CMD_FIFO_DISABLE_CHANNELS, &parameters,
                   sizeof parameters);
}

__global__ void spin(long long cycles)
{
    for (long long begin = clock64(); clock64() - begin < cycles;) {
    }
}

__global__ void tiny(int *sum)
{
    *sum += 1;
}

static void be_low(double milliseconds)
{
    cudaStream_t stream;
    cudaEvent_t events[2];
    cudaFree(nullptr);
    shared->channels = channels;
    for (uint32_t i = 0; i < channels; i++) {
        shared->clients[i] = channel_clients[i];
        shared->handles[i] = channel_handles[i];
    }
    cudaStreamCreate(&stream);
    for (auto &event : events) {
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    }
    shared->ready = 1;
    uint32_t seen = 0;
    for (unsigned long k = 0; !shared->quit; k++) {
        spin<<<132 * 4, 256, 0, stream>>>((long long)(milliseconds * CYCLES_PER_MS));
        cudaEventRecord(events[k % 2], stream);
        while (k > 0 && cudaEventQuery(events[(k + 1) % 2]) == cudaErrorNotReady && !shared->quit) {
            if (shared->order != seen) {
                seen = shared->order;
                shared->status = set_slice(shared->slice);
                shared->done = seen;
            }
        }
        shared->kernels = k;
    }
    _exit(0);
}

static void set_low_slice(uint64_t micros)
{
    shared->slice = micros;
    shared->order = shared->order + 1;
    while (shared->done != shared->order) {
        usleep(50);
    }
    if (shared->status != NV_OK) {
        printf("SET_TIMESLICE is refused: 0x%x\n", shared->status);
    }
}

static double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

static double most(const std::vector<double> &values)
{
    return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

struct Control {
    const char *name;
    bool slices, disables, only_scheduling;
    int bursts;
};

static void measure(const Control &how, int *sum)
{
    std::vector<double> first, rest, disabling, restoring;
    uint32_t status = NV_OK;
    set_low_slice(how.slices ? 1 : DRIVERS_SLICE);
    set_slice(how.slices ? 1000000 : DRIVERS_SLICE);
    unsigned long kernels = shared->kernels;
    double begin = now_ms();
    for (int i = 0; i < how.bursts; i++) {
        usleep(20000);
        double burst = now_ms();
        if (how.disables) {
            status |= turn_low(true, how.only_scheduling);
            disabling.push_back(now_ms() - burst);
        }
        for (int k = 0; k < BURST; k++) {
            tiny<<<1, 1>>>(sum);
            cudaDeviceSynchronize();
            if (k == 0) {
                first.push_back(now_ms() - burst);
            }
        }
        double end = now_ms();
        rest.push_back(end - burst - first.back());
        if (how.disables) {
            status |= turn_low(false, how.only_scheduling);
            restoring.push_back(now_ms() - end);
        }
    }
    printf("%-28s first %.2f ms (most %.2f), the others %.2f (most %.2f), disable %.2f (most %.2f), "
           "restore %.2f, status 0x%x, low kernels %.1f/s\n",
           how.name, median(first), most(first), median(rest), most(rest), median(disabling),
           most(disabling), median(restoring), status,
           (shared->kernels - kernels) / (now_ms() - begin) * 1e3);
    fflush(stdout);
}

int main(int count, char **arguments)
{
    double milliseconds = count > 1 ? atof(arguments[1]) : 50;
    shared = (Shared *)mmap(nullptr, sizeof *shared, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    pid_t low = fork();
    if (low == 0) {
        be_low(milliseconds);
    }
    int *sum;
    cudaMalloc(&sum, sizeof *sum);
    while (!shared->ready) {
        usleep(1000);
    }
    const Control controls[] = {
        {"nothing", false, false, false, 4},
        {"slices of 1 us and 1 s", true, false, false, 12},
        {"disabled, and slices", true, true, false, 12},
        {"disabled", false, true, false, 12},
        {"only scheduling disabled", false, true, true, 12},
    };
    printf("uid %d, kernels of %.0f ms\n", (int)getuid(), milliseconds);
    for (const Control &how : controls) {
        measure(how, sum);
    }
    shared->quit = 1;
    usleep(200000);
    kill(low, SIGKILL);
    waitpid(low, nullptr, 0);
}
