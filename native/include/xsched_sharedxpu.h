/*
 * A virtual accelerator that several processes share, without a server: it exists only as a mapped
 * file. It executes one command at a time, in the order of launching, whoever launches; so programs
 * really contend for it, and the file says afterwards who ran when. For tests and experiments
 * between processes. The Java side is dev.xsched.sim.shared; a test compares the two.
 *
 *   +------------------------------+ 0
 *   | who     magic last           |  written once, before the file gets its name
 *   +------------------------------+ 64
 *   | free_at                      |  when all that was launched will have been executed
 *   +------------------------------+ 128
 *   | busy_nanos                   |  time of all commands so far
 *   +------------------------------+ 192
 *   | launches                     |  commands so far; each takes the next number
 *   +------------------------------+ 4096
 *   | run 0 ... 65535              |  a ring: command N is in run N mod 65536
 *   +------------------------------+ 4198400
 *
 * To launch a command of T nanoseconds: start = max(now, free_at), and free_at = start + T, by
 * compare-and-set. It ends at that time; to wait for it is to sleep until then. A free_at further
 * ahead than XSCHED_SHAREDXPU_AHEAD_NANOS is from before a restart of the machine, whose clock
 * began anew, and counts as 0.
 *
 * A run's number is set to 0 before it is overwritten, and to the command's number plus 1 after, so
 * that a reader knows a whole one. All times are CLOCK_MONOTONIC in nanoseconds; little-endian.
 */
#ifndef XSCHED_SHAREDXPU_H
#define XSCHED_SHAREDXPU_H

#include <stddef.h>
#include <stdint.h>

#define XSCHED_SHAREDXPU_MAGIC 0x55505853u /* "SXPU" */
#define XSCHED_SHAREDXPU_VERSION 1u
#define XSCHED_SHAREDXPU_RUNS 65536u
#define XSCHED_SHAREDXPU_AHEAD_NANOS 3600000000000ll

/* Ground truth: which command the device executed, and when. */
struct xsched_sharedxpu_run {
    uint64_t number; /* of the command, plus 1; stored last */
    uint32_t pid;
    uint32_t queue;    /* as the program counts its queues */
    uint64_t sequence; /* of the command in its queue */
    int64_t start;
    int64_t end;
    uint8_t pad[24];
};

struct xsched_sharedxpu {
    uint32_t magic;
    uint32_t version;
    uint32_t size;
    uint32_t runs;
    uint8_t pad_who[48];

    int64_t free_at;
    uint8_t pad_free_at[56];

    uint64_t busy_nanos;
    uint8_t pad_busy[56];

    uint64_t launches;
    uint8_t pad_launches[56];

    uint8_t pad_header[3840];
    struct xsched_sharedxpu_run run[XSCHED_SHAREDXPU_RUNS];
};

_Static_assert(sizeof(struct xsched_sharedxpu_run) == 64, "a cache line");
_Static_assert(sizeof(struct xsched_sharedxpu) == 4096 + 64 * XSCHED_SHAREDXPU_RUNS, "as drawn");

/*
 * Opens the device at a path, making it if nobody has. Its name, the same in all programs, is
 * "shared:" and the file's real path; it must fit into a slot of the control block.
 * NULL with a reason in error if that does not work.
 */
struct xsched_sharedxpu *xsched_sharedxpu_open(const char *path, char name[64], char *error,
                                               size_t error_size);

void xsched_sharedxpu_close(struct xsched_sharedxpu *device);

/* Launches a command and returns when it will end. */
int64_t xsched_sharedxpu_launch(struct xsched_sharedxpu *device, uint32_t queue, uint64_t sequence,
                                int64_t nanos);

/* Waits until that time. */
void xsched_sharedxpu_sync(int64_t end);

#endif
