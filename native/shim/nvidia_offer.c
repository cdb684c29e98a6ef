/*
 * Whether this machine's driver is one that we know how to ask. Only the open kernel modules were
 * tried (H200, 580.159); the structures are the same in all of their versions.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "nvidia.h"

#define FIRST_VERSION 515 /* of the open modules */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *objection;
static uint32_t machine_gpus;

bool nvidia_read(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0) {
        close(fd);
    }
    text[length > 0 ? length : 0] = 0;
    return length > 0;
}

/* "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build ..." */
static const char *judge_driver(void)
{
    char text[512];
    if (!nvidia_read(NVIDIA_PROC "/version", text, sizeof text)) {
        return "there is no " NVIDIA_PROC "/version";
    }
    text[strcspn(text, "\n")] = 0;
    const char *module = strstr(text, "Open Kernel Module for ");
    if (module == NULL) {
        return "the kernel driver is not NVIDIA's open one";
    }
    const char *version = strstr(module, "  ");
    return version != NULL && atoi(version) >= FIRST_VERSION
               ? NULL
               : "the version of the kernel driver is not known";
}

/* Who runs under it has no channels of its own. A daemon that died leaves its files behind. */
static bool is_under_mps(void)
{
    char path[512], text[32];
    const char *folder = getenv("CUDA_MPS_PIPE_DIRECTORY");
    snprintf(path, sizeof path, "%s/nvidia-cuda-mps-control.pid",
             folder != NULL && *folder != 0 ? folder : "/tmp/nvidia-mps");
    int pid = nvidia_read(path, text, sizeof text) ? atoi(text) : 0;
    return pid > 0 && (kill(pid, 0) == 0 || errno == EPERM);
}

static uint32_t count_gpus(void)
{
    uint32_t count = 0;
    DIR *folder = opendir(NVIDIA_PROC "/gpus");
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return count;
}

static const char *value_of(const char *text, const char *key)
{
    const char *line = strstr(text, key);
    return line == NULL ? "" : line + strlen(key) + strspn(line + strlen(key), " \t");
}

int nvidia_minor_of(const char *device)
{
    char path[512], text[1024];
    int minor = NVIDIA_NOT_LISTED;
    bool any = false;
    const char *uuid = strchr(device, ':');
    DIR *folder = opendir(NVIDIA_PROC "/gpus");
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        snprintf(path, sizeof path, NVIDIA_PROC "/gpus/%s/information", entry->d_name);
        if (uuid == NULL || entry->d_name[0] == '.' || !nvidia_read(path, text, sizeof text)) {
            continue;
        }
        const char *theirs = value_of(text, "GPU UUID:");
        any |= strncmp(theirs, "GPU-", 4) == 0 && theirs[4] != '?';
        if (strncmp(theirs, "GPU-", 4) == 0 &&
            strncasecmp(theirs + 4, uuid + 1, strlen(uuid + 1)) == 0) {
            minor = atoi(value_of(text, "Device Minor:"));
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return any ? minor : NVIDIA_NO_LIST;
}

static void judge(void)
{
    machine_gpus = count_gpus();
    objection = judge_driver();
    if (objection == NULL && is_under_mps()) {
        objection = "MPS is running, which merges programs before the driver sees them";
    }
}

static bool has(uint32_t kind)
{
    for (uint32_t i = 0; i < NVIDIA_OBJECTS; i++) {
        if (atomic_load(&nvidia_objects[i].kind) == kind) {
            return true;
        }
    }
    return false;
}

const char *nvidia_objection(void)
{
    const char *strange = atomic_load(&nvidia_strange);
    pthread_once(&once, judge);
    if (objection != NULL) {
        return objection;
    }
    if (strange != NULL) {
        return strange;
    }
    if (has(NVIDIA_PARTITION)) {
        return "the GPU is divided (MIG)";
    }
    return has(NVIDIA_SHARED)   ? "the program runs under MPS"
           : has(NVIDIA_GROUP) ? NULL
                               : "the driver's calls were not seen";
}

uint32_t nvidia_gpus_of_machine(void)
{
    pthread_once(&once, judge);
    return machine_gpus;
}
