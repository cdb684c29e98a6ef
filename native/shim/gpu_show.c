/* The GPUs of this program, as the daemon sees them: what was learned of them, and what is offered. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gpu.h"
#include "shim.h"

struct gpu gpus[XSCHED_GPUS];
uint32_t gpu_count;
_Atomic uint32_t gpu_changes;
static _Atomic bool refused;
static char refusal[96]; /* written once, before `refused` */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t shown_changes;

void gpu_lock(void)
{
    pthread_mutex_lock(&lock);
}

void gpu_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* By agents and watchers, of whom the first to come writes it. */
void gpu_refuse(const char *format, ...)
{
    static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&writing);
    if (!atomic_load(&refused)) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(refusal, sizeof refusal, format, arguments);
        va_end(arguments);
        atomic_store(&refused, true);
    }
    pthread_mutex_unlock(&writing);
}

const char *gpu_refusal(void)
{
    return atomic_load(&refused) ? refusal : NULL;
}

static const char *why_not(struct gpu *gpu)
{
    const char *reason = xsched_asked_level() == 1 || xsched_asked_level() == 2
                             ? "another level was asked for"
                             : gpu->maker->objection();
    if (reason == NULL) {
        gpu->maker->recognize(gpu);
        reason = gpu_refusal();
    }
    if (reason == NULL && !gpu->is_known) {
        reason = "which of the driver's GPUs this is cannot be told";
    }
    return reason;
}

/* The level of the queue that stands for all streams; XQueues are the program's own business. */
static void set_level(const char *device, bool offered)
{
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        if (unit->queue != NULL && !unit->is_xqueue && strcmp(unit->device, device) == 0) {
            uint32_t *levels = &unit->queue->slot->levels;
            uint32_t higher = xsched_asked_level() == 3 ? 4u : 1u | 4u;
            __atomic_store_n(levels, offered ? higher : 1u, __ATOMIC_SEQ_CST);
        }
    }
}

bool gpu_offers(uint32_t gpu)
{
    return __atomic_load_n(&xsched_client.block->gpu[gpu].offers, __ATOMIC_RELAXED) != 0;
}

void gpu_tell(uint32_t gpu)
{
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        if (unit->queue != NULL && !unit->is_xqueue &&
            strcmp(unit->device, gpus[gpu].device) == 0) {
            xsched_tell(unit->queue->index);
        }
    }
}

static void show(uint32_t index)
{
    struct gpu *gpu = &gpus[index];
    struct xsched_gpu *shown = &xsched_client.block->gpu[index];
    const char *reason = why_not(gpu);
    uint32_t offers = reason == NULL ? gpu->maker->offers : 0;
    __atomic_fetch_add(&shown->changes, 1, __ATOMIC_SEQ_CST);
    memcpy(shown->device, gpu->device, sizeof shown->device);
    snprintf(shown->reason, sizeof shown->reason, "%s", reason == NULL ? "" : reason);
    if (gpu->is_known) {
        gpu->maker->fill_in(shown, gpu);
    }
    __atomic_store_n(&shown->offers, offers, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&shown->changes, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&shown->state, XSCHED_SLOT_USED, __ATOMIC_SEQ_CST);
    set_level(gpu->device, offers != 0);
    gpu_tell(index);
}

void gpu_show(bool anyway)
{
    uint32_t changes = atomic_load(&gpu_changes);
    if (changes != shown_changes || anyway) {
        shown_changes = changes;
        for (uint32_t i = 0; i < gpu_count; i++) {
            show(i);
        }
    }
}

/* From 1 on; 0: it is not there yet. */
static uint32_t place_of(const char *device)
{
    for (uint32_t i = 0; i < gpu_count; i++) {
        if (strcmp(gpus[i].device, device) == 0) {
            return i + 1;
        }
    }
    return 0;
}

/*
 * A name after a UUID does not say whose it is. What no driver here has to do with is not mentioned:
 * it has no more than gates.
 */
static const struct gpu_maker *maker_of(const char *device)
{
    if (strncmp(device, "gpu:", 4) != 0 && strncmp(device, "hip:", 4) != 0) {
        return NULL;
    }
    return amd_knows(device)  ? &amd_maker
           : nvidia_is_here() ? &nvidia_maker
           : amd_is_here()    ? &amd_maker
                              : NULL;
}

uint32_t gpu_opened(const char *device)
{
    const struct gpu_maker *maker;
    if (xsched_client.block == NULL || (maker = maker_of(device)) == NULL) {
        return 0;
    }
    gpu_lock();
    uint32_t place = place_of(device);
    if (place == 0 && gpu_count < XSCHED_GPUS) {
        struct gpu *gpu = &gpus[gpu_count];
        memset(gpu, 0, sizeof *gpu);
        gpu->maker = maker;
        snprintf(gpu->device, sizeof gpu->device, "%s", device);
        place = ++gpu_count;
    }
    gpu_show(true);
    gpu_unlock();
    return place;
}

static void in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    gpu_count = 0;
    atomic_store(&refused, false);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
