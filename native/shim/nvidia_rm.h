/*
 * How programs talk to NVIDIA's resource manager (RM): the few numbers and structures of it that we
 * use, under the names of NVIDIA's public headers (open-gpu-kernel-modules, from 515 on): nvos.h,
 * nv_escape.h, nv-ioctl-numbers.h, nv-unix-nvos-params-wrappers.h, class/cl0080.h, cl2080.h, cla06c.h,
 * clc361.h, clc637.h, cl900e.h and ctrl/ctrl2080gpu.h, ctrl2080fifo.h, ctrla06c.h, ctrlc36f.h. All of it
 * little-endian and of 64 bits.
 */
#ifndef XSCHED_NVIDIA_RM_H
#define XSCHED_NVIDIA_RM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>

/* /dev/nvidiactl */
#define NV_MAJOR_DEVICE_NUMBER 195
#define NV_CONTROL_DEVICE_MINOR 255

#define NV_IOCTL_MAGIC 'F'
#define NV_ESC_RM_FREE 0x29
#define NV_ESC_RM_CONTROL 0x2A
#define NV_ESC_RM_ALLOC 0x2B
#define NV_ESC_RM_MAP_MEMORY 0x4E
#define NV_ESC_REGISTER_FD 201 /* on a GPU's file */

#define NV_OK 0x00000000u

typedef uint8_t NvBool;
typedef uint32_t NvHandle;
typedef uint64_t NvP64;

/* NV_ESC_REGISTER_FD */
typedef struct {
    int ctl_fd;
} nv_ioctl_register_fd_t;

/* NV_ESC_RM_FREE */
typedef struct {
    NvHandle hRoot;
    NvHandle hObjectParent;
    NvHandle hObjectOld;
    uint32_t status;
} NVOS00_PARAMETERS;

/* NV_ESC_RM_ALLOC, in the size of either; paramsSize 0 lets the RM take the class's own. */
typedef struct {
    NvHandle hRoot;
    NvHandle hObjectParent;
    NvHandle hObjectNew; /* 0: the RM makes one, and tells it */
    uint32_t hClass;
    NvP64 pAllocParms;
    uint32_t paramsSize;
    uint32_t status;
} NVOS21_PARAMETERS;

typedef struct {
    NvHandle hRoot;
    NvHandle hObjectParent;
    NvHandle hObjectNew;
    uint32_t hClass;
    NvP64 pAllocParms;
    NvP64 pRightsRequested;
    uint32_t paramsSize;
    uint32_t flags;
    uint32_t status;
} NVOS64_PARAMETERS;

/* NV_ESC_RM_CONTROL */
typedef struct {
    NvHandle hClient;
    NvHandle hObject;
    uint32_t cmd;
    uint32_t flags;
    NvP64 params;
    uint32_t paramsSize;
    uint32_t status;
} NVOS54_PARAMETERS;

/*
 * NV_ESC_RM_MAP_MEMORY, on the control device: what is mapped by the next mmap of fd, a GPU's file that
 * is used for nothing else, at offset 0.
 */
typedef struct {
    NvHandle hClient;
    NvHandle hDevice;
    NvHandle hMemory;
    uint32_t padding;
    uint64_t offset;
    uint64_t length;
    NvP64 pLinearAddress;
    uint32_t status;
    uint32_t flags;
} NVOS33_PARAMETERS;

#define NVOS33_FLAGS_ACCESS_WRITE_ONLY 0x00000002u

typedef struct {
    NVOS33_PARAMETERS params;
    int fd;
} nv_ioctl_nvos33_parameters_with_fd;

#define NV_IOCTL_MAP_MEMORY                                                                        \
    _IOWR(NV_IOCTL_MAGIC, NV_ESC_RM_MAP_MEMORY, nv_ioctl_nvos33_parameters_with_fd)
#define NV_IOCTL_ALLOC _IOWR(NV_IOCTL_MAGIC, NV_ESC_RM_ALLOC, NVOS21_PARAMETERS)
#define NV_IOCTL_REGISTER_FD _IOWR(NV_IOCTL_MAGIC, NV_ESC_REGISTER_FD, nv_ioctl_register_fd_t)
#define NV_IOCTL_FREE _IOWR(NV_IOCTL_MAGIC, NV_ESC_RM_FREE, NVOS00_PARAMETERS)
#define NV_IOCTL_CONTROL _IOWR(NV_IOCTL_MAGIC, NV_ESC_RM_CONTROL, NVOS54_PARAMETERS)

/* Classes. */
#define NV01_ROOT 0x0000u
#define NV01_DEVICE_0 0x0080u
#define NV20_SUBDEVICE_0 0x2080u
#define MPS_COMPUTE 0x900Eu
#define KEPLER_CHANNEL_GROUP_A 0xA06Cu
#define AMPERE_SMC_PARTITION_REF 0xC637u

/* Every generation has a class of channels of its own; KEPLER_CHANNEL_GPFIFO_A is the first, 0xA06F. */
#define NV_CHANNEL_GPFIFO_LOW_BYTE 0x6Fu
#define KEPLER_CHANNEL_GPFIFO_A 0xA06Fu

/* The same for pages with doorbells: VOLTA_USERMODE_A is the first, 0xC361; Hopper's is 0xC661. */
#define NV_USERMODE_LOW_BYTE 0x61u
#define VOLTA_USERMODE_A 0xC361u

/* In such a page: has the GPU look at the channel whose token is written there. */
#define NVC361_NV_USERMODE__SIZE 65536u
#define NVC361_NOTIFY_CHANNEL_PENDING 0x00000090u

typedef struct {
    uint32_t deviceId; /* the RM's instance, which need not be the minor number */
    NvHandle hClientShare;
    NvHandle hTargetClient;
    NvHandle hTargetDevice;
    uint32_t flags;
    uint32_t padding;
    uint64_t vaSpaceSize;
    uint64_t vaStartInternal;
    uint64_t vaLimitInternal;
    uint32_t vaMode;
} NV0080_ALLOC_PARAMETERS;

typedef struct {
    uint32_t subDeviceId;
} NV2080_ALLOC_PARAMETERS;

#define NV2080_ENGINE_TYPE_GRAPHICS 0x00000001u /* and compute */

typedef struct {
    NvHandle hObjectError;
    NvHandle hObjectEccError;
    NvHandle hVASpace;
    uint32_t engineType;
    NvBool bIsCallingContextVgpuPlugin;
} NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS;

/* On a channel group. */
#define NVA06C_CTRL_CMD_SET_TIMESLICE 0xa06c0103u

typedef struct {
    uint64_t timesliceUs;
} NVA06C_CTRL_TIMESLICE_PARAMS;

/* On a channel. */
#define NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN 0xc36f0108u

typedef struct {
    uint32_t workSubmitToken;
} NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN_PARAMS;

/*
 * On a subdevice. Preempts the channels off the GPU, mid-kernel, and keeps them off. It counts. With
 * bOnlyDisableScheduling nothing is preempted: a channel that runs has the GPU until its time slice is
 * over and another has work, and does not get it back; what it has left by then, or gets meanwhile, may
 * be forgotten until its doorbell rings. Without bDisable the driver ignores that.
 */
#define NV2080_CTRL_CMD_FIFO_DISABLE_CHANNELS 0x2080110bu
#define NV2080_CTRL_FIFO_DISABLE_CHANNELS_MAX_ENTRIES 64u

typedef struct {
    NvBool bDisable;
    uint32_t numChannels;
    NvBool bOnlyDisableScheduling;
    NvBool bRewindGpPut;
    NvP64 pRunlistPreemptEvent;
    NvHandle hClientList[NV2080_CTRL_FIFO_DISABLE_CHANNELS_MAX_ENTRIES];
    NvHandle hChannelList[NV2080_CTRL_FIFO_DISABLE_CHANNELS_MAX_ENTRIES];
} NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS;

/* On a subdevice. */
#define NV2080_CTRL_CMD_GPU_GET_GID_INFO 0x2080014au
#define NV2080_GPU_MAX_GID_LENGTH 0x100u
#define NV2080_GPU_CMD_GPU_GET_GID_FLAGS_FORMAT_BINARY 0x00000002u

typedef struct {
    uint32_t index;
    uint32_t flags;
    uint32_t length;
    uint8_t data[NV2080_GPU_MAX_GID_LENGTH];
} NV2080_CTRL_GPU_GET_GID_INFO_PARAMS;

_Static_assert(sizeof(nv_ioctl_register_fd_t) == 4, "as the driver has it");
_Static_assert(sizeof(NVOS00_PARAMETERS) == 16, "as the driver has it");
_Static_assert(sizeof(NVOS21_PARAMETERS) == 32, "as the driver has it");
_Static_assert(offsetof(NVOS21_PARAMETERS, pAllocParms) == 16, "as the driver has it");
_Static_assert(offsetof(NVOS21_PARAMETERS, paramsSize) == 24, "as the driver has it");
_Static_assert(offsetof(NVOS21_PARAMETERS, status) == 28, "as the driver has it");
_Static_assert(sizeof(NVOS64_PARAMETERS) == 48, "as the driver has it");
_Static_assert(offsetof(NVOS64_PARAMETERS, pAllocParms) == 16, "as the driver has it");
_Static_assert(offsetof(NVOS64_PARAMETERS, paramsSize) == 32, "as the driver has it");
_Static_assert(offsetof(NVOS64_PARAMETERS, status) == 40, "as the driver has it");
_Static_assert(sizeof(NVOS54_PARAMETERS) == 32, "as the driver has it");
_Static_assert(offsetof(NVOS54_PARAMETERS, params) == 16, "as the driver has it");
_Static_assert(offsetof(NVOS54_PARAMETERS, status) == 28, "as the driver has it");
_Static_assert(sizeof(NVOS33_PARAMETERS) == 48, "as the driver has it");
_Static_assert(offsetof(NVOS33_PARAMETERS, offset) == 16, "as the driver has it");
_Static_assert(offsetof(NVOS33_PARAMETERS, status) == 40, "as the driver has it");
_Static_assert(sizeof(nv_ioctl_nvos33_parameters_with_fd) == 56, "as the driver has it");
_Static_assert(offsetof(nv_ioctl_nvos33_parameters_with_fd, fd) == 48, "as the driver has it");
_Static_assert(NV_IOCTL_MAP_MEMORY == 0xC038464Eu, "as the driver has it");
_Static_assert(NV_IOCTL_ALLOC == 0xC020462Bu, "as the driver has it");
_Static_assert(NV_IOCTL_REGISTER_FD == 0xC00446C9u, "as the driver has it");
_Static_assert(NV_IOCTL_FREE == 0xC0104629u, "as the driver has it");
_Static_assert(NV_IOCTL_CONTROL == 0xC020462Au, "as the driver has it");
_Static_assert(sizeof(NV0080_ALLOC_PARAMETERS) == 56, "as the driver has it");
_Static_assert(offsetof(NV0080_ALLOC_PARAMETERS, vaSpaceSize) == 24, "as the driver has it");
_Static_assert(sizeof(NV2080_ALLOC_PARAMETERS) == 4, "as the driver has it");
_Static_assert(sizeof(NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS) == 20, "as the driver has it");
_Static_assert(offsetof(NV_CHANNEL_GROUP_ALLOCATION_PARAMETERS, engineType) == 12,
               "as the driver has it");
_Static_assert(sizeof(NVA06C_CTRL_TIMESLICE_PARAMS) == 8, "as the driver has it");
_Static_assert(sizeof(NVC36F_CTRL_CMD_GPFIFO_GET_WORK_SUBMIT_TOKEN_PARAMS) == 4,
               "as the driver has it");
_Static_assert(sizeof(NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS) == 536, "as the driver has it");
_Static_assert(offsetof(NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS, numChannels) == 4,
               "as the driver has it");
_Static_assert(offsetof(NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS, bOnlyDisableScheduling) == 8,
               "as the driver has it");
_Static_assert(offsetof(NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS, bRewindGpPut) == 9,
               "as the driver has it");
_Static_assert(offsetof(NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS, pRunlistPreemptEvent) == 16,
               "as the driver has it");
_Static_assert(offsetof(NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS, hClientList) == 24,
               "as the driver has it");
_Static_assert(offsetof(NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS, hChannelList) == 280,
               "as the driver has it");
_Static_assert(sizeof(NV2080_CTRL_GPU_GET_GID_INFO_PARAMS) == 268, "as the driver has it");

#endif
