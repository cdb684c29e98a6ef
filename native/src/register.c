/*
 * Finds the daemon, looks after it, and finds the next one. All of it happens on threads that came
 * for something else, so nothing here waits, but for the first answer.
 *
 *     no daemon -> connect, hello -> no answer yet -> welcome -> registered
 *         ^                               |                          |
 *         +------------- the socket ends -+--------------------------+
 *
 * A daemon that turns us away is not asked again.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client.h"

static void close_socket(void)
{
    pthread_mutex_lock(&xsched_client.table);
    xsched_file_close(&xsched_client.socket);
    pthread_mutex_unlock(&xsched_client.table);
}

static void give_up(void)
{
    close_socket();
    atomic_store(&xsched_client.next_check, XSCHED_NEVER);
}

/*
 * Orders of a daemon that is gone must not bind those who wait for the next one's. To be called
 * when one is lost, and before the next hello: a daemon may have died before it welcomed us.
 */
static void forget_orders(void)
{
    struct xsched_client *client = &xsched_client;
    __atomic_store_n(&client->block->heartbeat, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&client->block->scheduled, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&client->block->ignore_ceilings, 0, __ATOMIC_SEQ_CST);
    pthread_mutex_lock(&client->table);
    for (uint32_t i = 0; i < XSCHED_SLOTS; i++) {
        if (client->queues[i] != NULL) {
            struct xsched_slot *slot = &client->block->slot[i];
            __atomic_store_n(&slot->gate, 0, __ATOMIC_SEQ_CST);
            __atomic_store_n(&slot->ceiling, XSCHED_NO_CEILING, __ATOMIC_SEQ_CST);
            __atomic_store_n(&slot->others, 0, __ATOMIC_SEQ_CST);
            atomic_store(&client->queues[i]->ignored, XSCHED_NONE_IGNORED);
        }
    }
    pthread_mutex_unlock(&client->table);
    for (uint32_t i = 0; i < XSCHED_GPUS; i++) {
        struct xsched_gpu *gpu = &client->block->gpu[i];
        __atomic_store_n(&gpu->slice_order, 0, __ATOMIC_SEQ_CST);
        __atomic_store_n(&gpu->priority_order, 0, __ATOMIC_SEQ_CST);
        uint32_t order = __atomic_exchange_n(&gpu->interrupt_order, XSCHED_INTERRUPT_NONE,
                                             __ATOMIC_SEQ_CST);
        if (order == XSCHED_INTERRUPT_BY_DAEMON) {
            atomic_fetch_or(&client->left_interrupted, 1u << i); /* nobody may have seen it yet */
        }
    }
    xsched_wake_gpu_watchers();
}

static void say_hello(void)
{
    struct xsched_client *client = &xsched_client;
    char where[512];
    if (!xsched_file_is_ours(&client->block_file)) {
        xsched_say(XSCHED_SAID_NO_MEMORY,
                   "the program closed our descriptors; running unscheduled");
        give_up();
    } else if (!xsched_connect(where, sizeof where)) {
        xsched_say(XSCHED_SAID_NO_DAEMON, "no daemon at %s; running unscheduled", where);
    } else {
        forget_orders();
        if (!xsched_send_hello(client->socket.fd, client->block_file.fd)) {
            close_socket();
        }
    }
}

static enum xsched_answer read_answer(struct xsched_link *link, char *why, size_t size)
{
    /* The board's descriptor must not get into a child, see client.h. */
    pthread_mutex_lock(&xsched_client.table);
    enum xsched_answer answer = xsched_read_welcome(xsched_client.socket.fd, link, why, size);
    pthread_mutex_unlock(&xsched_client.table);
    return answer;
}

static void hear_answer(void)
{
    struct xsched_link answered = {0};
    struct xsched_link *link;
    char why[300];
    switch (read_answer(&answered, why, sizeof why)) {
    case XSCHED_WELCOME:
        link = malloc(sizeof *link);
        if (link == NULL) {
            give_up();
            return;
        }
        *link = answered;
        link->previous = xsched_client.links;
        xsched_client.links = link;
        xsched_client.heartbeat_lost = false;
        atomic_store(&xsched_client.link, link);
        atomic_fetch_add(&xsched_client.registrations, 1);
        xsched_tell_all();
        break;
    case XSCHED_TURNED_AWAY:
        xsched_say(XSCHED_SAID_REFUSED, "%s; running unscheduled", why);
        give_up();
        break;
    case XSCHED_ENDED:
        close_socket();
        break;
    case XSCHED_NO_ANSWER_YET:
        break;
    }
}

/* Whether the daemon's end of the socket is closed. What it should not have sent is thrown away. */
static bool has_ended(void)
{
    char unexpected;
    ssize_t received;
    if (!xsched_file_is_ours(&xsched_client.socket)) {
        return true;
    }
    do {
        received = recv(xsched_client.socket.fd, &unexpected, 1, MSG_DONTWAIT);
    } while (received > 0 || (received < 0 && errno == EINTR));
    return received == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
}

static void look_after(void)
{
    if (has_ended()) {
        atomic_store(&xsched_client.link, NULL);
        close_socket();
        forget_orders();
        xsched_say(XSCHED_SAID_LOST, "the daemon is gone; running unscheduled until it is back");
        atomic_fetch_or(&xsched_client.said, XSCHED_SAID_NO_DAEMON); /* by the same line */
        say_hello();
        return;
    }
    bool fresh = xsched_heartbeat_is_fresh(xsched_now());
    if (fresh && xsched_client.heartbeat_lost) {
        xsched_tell_all(); /* what was told meanwhile may have found nobody */
    } else if (!fresh && atomic_load(&xsched_client.registrations) > 0 &&
               __atomic_load_n(&xsched_client.block->heartbeat, __ATOMIC_ACQUIRE) != 0) {
        xsched_say(XSCHED_SAID_LOST, "the daemon is silent; running unscheduled until it is back");
    }
    xsched_client.heartbeat_lost = !fresh;
}

/* The very first registration is worth a wait: the first launch is then scheduled already. */
static void wait_for_answer(void)
{
    struct pollfd wanted = {.fd = xsched_client.socket.fd, .events = POLLIN};
    int64_t end = xsched_now() + XSCHED_WELCOME_MILLIS * 1000000ll;
    int ready;
    do {
        int64_t left = (end - xsched_now() + 999999) / 1000000;
        ready = poll(&wanted, 1, left > 0 ? (int)left : 0);
    } while (ready < 0 && errno == EINTR);
    hear_answer();
    if (atomic_load(&xsched_client.link) == NULL && xsched_client.socket.fd >= 0) {
        xsched_say(XSCHED_SAID_NO_ANSWER, "the daemon does not answer; running unscheduled");
    }
}

static void check(int64_t now)
{
    struct xsched_client *client = &xsched_client;
    bool first = atomic_load(&client->next_check) == 0;
    atomic_store(&client->next_check, now + XSCHED_CHECK_NANOS);
    if (atomic_load(&client->link) != NULL) {
        look_after();
    } else if (client->socket.fd < 0) {
        say_hello();
        if (first && client->socket.fd >= 0) {
            wait_for_answer();
        }
    }
    if (atomic_load(&client->link) == NULL && client->socket.fd >= 0) {
        if (xsched_file_is_ours(&client->socket)) {
            hear_answer();
        } else {
            close_socket();
        }
    }
}

/* At once: for who waits at a gate and cannot go on before the daemon is known to be gone. */
void xsched_check(bool at_once)
{
    struct xsched_client *client = &xsched_client;
    int error = errno, cancel = xsched_forbid_cancel();
    if (client->block != NULL && pthread_mutex_trylock(&client->registering) == 0) {
        int64_t now = xsched_now_coarse();
        int64_t due = atomic_load(&client->next_check);
        if (due != XSCHED_NEVER && (at_once || now >= due)) {
            check(now);
        }
        pthread_mutex_unlock(&client->registering);
    }
    xsched_allow_cancel(cancel);
    errno = error;
}

/* Who waits at a gate looks who closed it. */
static void wake_waiters(void)
{
    struct xsched_client *client = &xsched_client;
    pthread_mutex_lock(&client->table);
    for (uint32_t i = 0; i < XSCHED_SLOTS; i++) {
        if (client->queues[i] != NULL) {
            xsched_wake(&client->queues[i]->slot->gate, INT32_MAX);
        }
    }
    pthread_mutex_unlock(&client->table);
}

void xsched_leave(void)
{
    xsched_follow(NULL);
}

void xsched_follow(const char *folder)
{
    struct xsched_client *client = &xsched_client;
    pthread_mutex_lock(&client->registering);
    atomic_store(&client->link, NULL);
    give_up();
    if (client->block != NULL) {
        forget_orders();
    }
    if (folder != NULL) {
        snprintf(client->folder, sizeof client->folder, "%s", folder);
        atomic_fetch_and(&client->said, ~(uint32_t)(XSCHED_SAID_NO_DAEMON | XSCHED_SAID_NO_ANSWER));
        atomic_store(&client->next_check, 0);
    }
    pthread_mutex_unlock(&client->registering);
    wake_waiters();
    if (folder != NULL && client->block != NULL) {
        xsched_check(true);
    }
}
