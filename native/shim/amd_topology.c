/*
 * Which GPU of the driver's a device is. The driver shows its GPUs in /sys, each with the number that
 * queues are made with, its place on the PCI bus, and a unique id from which the runtime makes the UUID:
 * "GPU-" and 16 digits, of which HIP hands out 16 bytes (ROCr: HSA_AMD_AGENT_INFO_UUID; HIP:
 * hipDeviceGetUuid). Whether these begin before or after "GPU-" differs between versions.
 */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "amd.h"
#include "platforms.h"

#define NODES "/sys/class/kfd/kfd/topology/nodes"
#define MOST_GPUS 64u

struct node {
    uint32_t gpu_id;
    uint32_t domain;
    uint32_t location; /* bus, device and function */
    uint64_t unique_id;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct node nodes[MOST_GPUS];
static uint32_t count;

static bool read_text(const char *node, const char *name, char *text, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, NODES "/%.32s/%s", node, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0) {
        close(fd);
    }
    text[length > 0 ? length : 0] = 0;
    return length > 0;
}

/* "name value" on a line of its own. */
static uint64_t property(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0 && line[length] == ' ') {
            return strtoull(line + length, NULL, 10);
        }
    }
    return 0;
}

static void read_node(const char *name)
{
    char text[8192];
    uint32_t gpu_id = read_text(name, "gpu_id", text, sizeof text) ? (uint32_t)atol(text) : 0;
    if (gpu_id == 0 || count == MOST_GPUS || !read_text(name, "properties", text, sizeof text)) {
        return; /* a CPU, or a GPU that this container may not use */
    }
    nodes[count++] = (struct node){
        .gpu_id = gpu_id,
        .domain = (uint32_t)property(text, "domain"),
        .location = (uint32_t)property(text, "location_id"),
        .unique_id = property(text, "unique_id"),
    };
}

static void read_nodes(void)
{
    DIR *folder = opendir(NODES);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] != '.') {
            read_node(entry->d_name);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

static bool is_named(const struct node *node, const char *device)
{
    char text[32], name[64];
    snprintf(name, sizeof name, "hip:%04x:%02x:%02x.%x", node->domain, node->location >> 8 & 0xff,
             node->location >> 3 & 0x1f, node->location & 7);
    if (strcmp(name, device) == 0) {
        return true;
    }
    snprintf(text, sizeof text, "GPU-%016" PRIx64, node->unique_id);
    for (int start = 0; node->unique_id != 0 && start <= 4; start += 4) {
        xshim_name_after_uuid(name, sizeof name, (const unsigned char *)text + start);
        if (strcmp(name, device) == 0) {
            return true;
        }
    }
    return false;
}

/* Parts of a divided GPU may all have the same UUID. */
uint32_t amd_gpu_named(const char *device)
{
    uint32_t gpu_id = 0;
    pthread_once(&once, read_nodes);
    for (uint32_t i = 0; i < count; i++) {
        if (is_named(&nodes[i], device)) {
            if (gpu_id != 0) {
                return 0;
            }
            gpu_id = nodes[i].gpu_id;
        }
    }
    return gpu_id;
}

uint32_t amd_only_gpu(void)
{
    pthread_once(&once, read_nodes);
    return count == 1 ? nodes[0].gpu_id : 0;
}

uint32_t amd_gpus_of_machine(void)
{
    pthread_once(&once, read_nodes);
    return count;
}
