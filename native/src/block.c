/*
 * Makes the block, and makes it anew in a forked child: there it takes the place of the parent's,
 * at the same address, so that no pointer into it goes stale and none reaches the parent's facts.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "client.h"

#define SIZE sizeof(struct xsched_block)

/* A file in memory whose size can no longer change, so that the daemon can map it without fear. */
static int make_file(void)
{
    int fd = xsched_file_may_have(SIZE)
                 ? memfd_create("xsched-block", MFD_CLOEXEC | MFD_ALLOW_SEALING)
                 : -1;
    if (fd >= 0 && (ftruncate(fd, SIZE) != 0 ||
                    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static void fill_in(struct xsched_block *block)
{
    block->version = XSCHED_PROTOCOL;
    block->size = SIZE;
    block->slots = XSCHED_SLOTS;
    __atomic_store_n(&block->magic, XSCHED_BLOCK_MAGIC, __ATOMIC_RELEASE);
}

/* Maps a new block at that address, or anywhere; without a file if there is none to be had. */
static struct xsched_block *map_block(struct xsched_block *at)
{
    int fixed = at == NULL ? 0 : MAP_FIXED;
    struct xsched_file *file = &xsched_client.block_file;
    xsched_file_keep(file, make_file());
    if (file->fd >= 0) {
        void *memory =
            mmap(at, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | fixed, file->fd, 0);
        if (memory != MAP_FAILED) {
            return memory;
        }
        xsched_file_close(file);
    }
    xsched_say(XSCHED_SAID_NO_MEMORY, "no memory to share with the daemon; running unscheduled");
    atomic_store(&xsched_client.next_check, XSCHED_NEVER);
    void *memory =
        mmap(at, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* All but the counts of commands, which a thread that comes late may be raising. */
void xsched_slot_identify(struct xsched_slot *slot, const char *device, const char *name,
                          uint32_t buffered)
{
    uint32_t generation = slot->generation;
    memset(slot, 0, offsetof(struct xsched_slot, submitted));
    memset(&slot->command_nanos, 0, sizeof *slot - offsetof(struct xsched_slot, command_nanos));
    slot->levels = 1;
    slot->buffered = buffered;
    snprintf(slot->device, sizeof slot->device, "%s", device);
    snprintf(slot->name, sizeof slot->name, "%s", name);
    slot->ceiling = XSCHED_NO_CEILING; /* fresh memory would name the first one */
    __atomic_store_n(&slot->generation, generation + 1, __ATOMIC_RELEASE);
}

/* What of a queue outlives a fork. It shows itself to the daemon once the child uses it. */
struct kept {
    char name[sizeof((struct xsched_slot *)0)->name];
    char device[sizeof((struct xsched_slot *)0)->device];
    struct xsched_asks asks;
    uint32_t buffered;
};

static void keep(struct kept *kept, const struct xsched_slot *slot)
{
    memcpy(kept->name, slot->name, sizeof kept->name);
    memcpy(kept->device, slot->device, sizeof kept->device);
    memcpy(&kept->asks, &slot->asks, sizeof kept->asks);
    kept->buffered = slot->buffered;
    kept->name[sizeof kept->name - 1] = 0;
    kept->device[sizeof kept->device - 1] = 0;
}

static void lock_before_fork(void)
{
    pthread_mutex_lock(&xsched_client.table);
}

static void unlock_in_parent(void)
{
    pthread_mutex_unlock(&xsched_client.table);
}

/*
 * The child has one thread, and other locks than `table` may be held by threads that it does not
 * have. What these were about is gone: the child begins with no work in flight and no daemon.
 */
static void start_over_in_child(void)
{
    static struct kept kept[XSCHED_SLOTS]; /* static, because malloc may be in use by nobody */
    struct xsched_client *client = &xsched_client;
    struct xsched_asks asks = client->block->asks;
    for (uint32_t i = 0; i < XSCHED_SLOTS; i++) {
        if (client->queues[i] != NULL) {
            keep(&kept[i], &client->block->slot[i]);
        }
    }
    atomic_store(&client->link, NULL);
    atomic_store(&client->registrations, 0);
    if (atomic_load(&client->next_check) != XSCHED_NEVER) {
        atomic_store(&client->next_check, 0);
    }
    xsched_file_close(&client->socket);
    xsched_file_close(&client->block_file);
    struct xsched_block *block = map_block(client->block);
    if (block == NULL) {
        /* Replacing memory needs none, so this is for form's sake: wrong facts before no child. */
        block = client->block;
    }
    fill_in(block);
    block->asks = asks;
    for (uint32_t i = 0; i < XSCHED_SLOTS; i++) {
        struct xsched_queue *queue = client->queues[i];
        if (queue != NULL) {
            pthread_mutex_init(&queue->lock, NULL);
            atomic_store(&queue->ready, 0);
            atomic_store(&queue->ignored, XSCHED_NONE_IGNORED);
            xsched_slot_identify(&block->slot[i], kept[i].device, kept[i].name,
                                 kept[i].buffered);
            block->slot[i].asks = kept[i].asks;
        }
    }
    client->heartbeat_lost = false;
    pthread_mutex_init(&client->registering, NULL);
    pthread_mutex_unlock(&client->table);
}

/* With `table` held. False if there is not even memory of our own. */
bool xsched_block_make(void)
{
    struct xsched_client *client = &xsched_client;
    if (client->block != NULL) {
        return true;
    }
    int cancel = xsched_forbid_cancel();
    client->block = map_block(NULL);
    if (client->block != NULL) {
        xsched_read_environment(client);
        fill_in(client->block);
        pthread_atfork(lock_before_fork, unlock_in_parent, start_over_in_child);
    }
    xsched_allow_cancel(cancel);
    return client->block != NULL;
}
