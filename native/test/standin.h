/* As much of a daemon as a test needs: it does what it is told and decides nothing. */
#ifndef XSCHED_STANDIN_H
#define XSCHED_STANDIN_H

#include <pthread.h>
#include <stdatomic.h>

#include "xsched_control.h"

/* A program as the daemon sees it. */
struct guest {
    int connection;
    struct xsched_hello hello;
    struct xsched_block *block;
    uint64_t block_inode;
    pid_t pid;
};

struct standin {
    int listener;
    struct xsched_board *board;
    int board_fd;
    pthread_t heart;
    pthread_t host;
    struct guest *_Atomic beating; /* whose heartbeat is kept fresh */
    atomic_bool stopped;
};

/* Listens in the test's folder. */
void standin_start(struct standin *daemon);

/* As if it died: nobody listens, no heart beats, and that guest's connection ends. */
void standin_die(struct standin *daemon, struct guest *guest);

/* Takes the next hello; fails the test if none comes. */
void standin_accept(struct standin *daemon, struct guest *guest);

void standin_welcome(struct standin *daemon, struct guest *guest, uint32_t version,
                     uint32_t status, const char *message);

/* Accepts and welcomes one program on a thread, while this one registers. */
void standin_host(struct standin *daemon, struct guest *guest);
void standin_hosted(struct standin *daemon);

void standin_set_gate(struct xsched_slot *slot, uint32_t gate);
void standin_set_ceiling(struct standin *daemon, uint32_t index, int32_t rank);
int32_t ceiling_rank(struct standin *daemon, uint32_t index);
uint32_t ceiling_epoch(struct standin *daemon, uint32_t index);

#endif
