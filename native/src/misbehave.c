/*
 * What a broken or hostile program can do to the daemon and to its neighbours, for tests that show
 * how little that is. It reaches into the client on purpose; nothing else does.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "client.h"
#include "load.h"

struct villain {
    enum misbehave way;
    uint64_t random;
    const atomic_bool *stop;
    int kept[64]; /* connections; 0: none */
    size_t kept_count;
};

/* xorshift64*: the same seed does the same harm. */
static uint64_t next_random(struct villain *villain)
{
    uint64_t x = villain->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    villain->random = x;
    return x * 0x2545f4914f6cdd1dull;
}

static void ring_for_everybody(void)
{
    const struct xsched_link *link = atomic_load(&xsched_client.link);
    memset(xsched_client.block->changed, 0xff, sizeof xsched_client.block->changed);
    if (link != NULL) {
        xsched_tell((uint32_t)link->bit % XSCHED_SLOTS);
    }
}

/* Anything anywhere; every other word where it hurts most: in the slots that are in use. */
static void spoil_block(struct villain *villain)
{
    uint64_t *words = (uint64_t *)(void *)xsched_client.block;
    size_t count = sizeof(struct xsched_block) / sizeof *words;
    for (int i = 0; i < 64; i++) {
        uint64_t place = next_random(villain);
        size_t index = i % 2 == 0 ? place % count : 512 + place % 256;
        __atomic_store_n(&words[index], next_random(villain), __ATOMIC_SEQ_CST);
    }
    ring_for_everybody();
}

static void spoil(struct villain *villain, int fd)
{
    uint64_t packet[64];
    for (size_t i = 0; i < sizeof packet / sizeof *packet; i++) {
        packet[i] = next_random(villain);
    }
    if (next_random(villain) % 2 == 0) {
        /* Every other packet looks like a second hello. */
        uint32_t head[3] = {XSCHED_HELLO_MAGIC, XSCHED_PROTOCOL, (uint32_t)(packet[0] % 4)};
        memcpy(packet, head, sizeof head);
    }
    send(fd, packet, next_random(villain) % sizeof packet, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* With the lock, because the client may be closing the socket for what comes back. */
static void spoil_socket(struct villain *villain)
{
    pthread_mutex_lock(&xsched_client.table);
    if (xsched_client.socket.fd >= 0) {
        spoil(villain, xsched_client.socket.fd);
    }
    pthread_mutex_unlock(&xsched_client.table);
}

static void spoil_board(struct villain *villain)
{
    const struct xsched_link *link = atomic_load(&xsched_client.link);
    if (link == NULL) {
        return;
    }
    for (uint32_t i = 0; i < XSCHED_CEILINGS; i++) {
        __atomic_store_n(&link->board->ceiling[i].word, next_random(villain), __ATOMIC_SEQ_CST);
    }
    __atomic_fetch_add(&link->board->bell, (uint32_t)next_random(villain), __ATOMIC_SEQ_CST);
    /* Nobody is woken, or everybody for nothing; news is lost, or invented. */
    __atomic_store_n(&link->board->asleep, (uint32_t)next_random(villain) % 2, __ATOMIC_SEQ_CST);
    __atomic_store_n(&link->board->rung[next_random(villain) % (XSCHED_BOARD_PROGRAMS / 64)],
                     next_random(villain) % 2 == 0 ? 0 : next_random(villain), __ATOMIC_SEQ_CST);
}

/* A stranger: connects anew each time, says anything or nothing, brings any descriptor or none. */
static void spoil_hello(struct villain *villain)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *folder = getenv("XSCHED_DIR");
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder == NULL ? "" : folder);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return;
    }
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) {
        switch (next_random(villain) % 4) {
        case 0: xsched_send_hello(fd, fd); break;
        case 1: xsched_send_hello(fd, STDIN_FILENO); break;
        case 2: spoil(villain, fd); break;
        default: break;
        }
    }
    villain->kept_count %= sizeof villain->kept / sizeof *villain->kept;
    int *kept = &villain->kept[villain->kept_count++];
    if (*kept > 0) {
        close(*kept);
    }
    *kept = fd; /* for a while: a silent guest holds a place */
}

static void *do_harm(void *argument)
{
    struct villain *villain = argument;
    const struct timespec pause = {.tv_nsec = 200000};
    while (!atomic_load(villain->stop)) {
        switch (villain->way) {
        case GARBAGE_BLOCK: spoil_block(villain); break;
        case GARBAGE_SOCKET: spoil_socket(villain); break;
        case GARBAGE_BOARD: spoil_board(villain); break;
        case GARBAGE_HELLO: spoil_hello(villain); break;
        case BEHAVE: break;
        }
        nanosleep(&pause, NULL);
    }
    free(villain);
    return NULL;
}

void misbehave_start(const struct options *options, const atomic_bool *stop, pthread_t *thread)
{
    struct villain *villain = malloc(sizeof *villain);
    if (villain == NULL) {
        abort();
    }
    *villain = (struct villain){.way = options->misbehave,
                                .random = (uint64_t)options->seed * 0x9e3779b97f4a7c15ull + 1,
                                .stop = stop};
    if (pthread_create(thread, NULL, do_harm, villain) != 0) {
        abort();
    }
}
