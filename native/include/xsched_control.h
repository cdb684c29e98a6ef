/*
 * The contract between programs and the daemon: the memory in which they meet, and the two messages
 * by which they get acquainted. Little-endian, x86-64 and arm64 alike. The Java side is
 * dev.xsched.link (Block, Board, Hello, Welcome); a test compiles this file and compares them.
 *
 *   block: one per program, made by the program, shared with the daemon alone
 *   +------------------------------+ 0
 *   | who     magic last           |  program writes once
 *   | asks    hints from the       |  program writes
 *   |         environment          |
 *   | changed one bit per slot     |  program sets, daemon clears
 *   | daemon  heartbeat, orders    |  daemon writes
 *   +------------------------------+ 4096
 *   | queue slot 0                 |
 *   |   identity                   |  program writes, state last
 *   |   facts                      |  program writes
 *   |   asks                       |  program writes
 *   |   orders                     |  daemon writes
 *   +------------------------------+ 4096 + 512
 *   | queue slot 1 ... 255         |
 *   +------------------------------+ 135168
 *   | GPU 0                        |
 *   |   what was learned           |  program writes, state last
 *   |   what was done              |  program writes
 *   |   orders                     |  daemon writes
 *   |   what was seen              |  program writes
 *   +------------------------------+ 135168 + 1024
 *   | GPU 1 ... 7                  |
 *   +------------------------------+ 143360
 *
 *   board: one per user, made by the daemon, shared by all programs of that user
 *   +------------------------------+ 0
 *   | who, bell, rung              |
 *   +------------------------------+ 4096
 *   | ceiling 0 ... 63             |  a cache line each
 *   +------------------------------+ 8192
 *
 * A block belongs to its program: garbage in it harms nobody else, the daemon takes nothing in it
 * for granted. A board belongs to one user, whose programs could harm each other anyway; users
 * share no memory, and preemption between them goes through the daemon.
 *
 * To tell a fact: store it, set the slot's bit in block.changed, set the program's bit in
 * board.rung, add 1 to board.bell, and if board.asleep is not 0 wake one waiter of board.bell.
 * Each of these steps is sequentially consistent; the daemon looks in the opposite order.
 *
 * To launch: if gate is not 0 wait for it; if rank is below the ceiling wait for that. Waiting is a
 * short spin, then FUTEX_WAIT on gate with waiters raised, for at most XSCHED_WAIT_NANOS, because
 * nothing wakes a waiter when the daemon dies. A ceiling that the daemon has not confirmed by
 * closing the gate within XSCHED_CONFIRM_NANOS is ignored until it changes.
 *
 * To turn ready: store ready_since, then, if the slot has a ceiling and rank is at or above it,
 * raise it (also where it stands at rank already: the new epoch tells the daemon that its picture
 * is old) and wake whoever watches it, then tell the fact. So lower ranks stop at their next launch,
 * and the daemon confirms.
 *
 * A GPU here is one that the program reaches through NVIDIA's resource manager, whose names for things
 * these are, or through AMD's KFD: that has no clients, subdevices and groups, its queues are shown as
 * channels, and only the program itself can interrupt them. To read what was learned: read changes
 * until it is even, read the rest, and read changes again; if it is another one, begin anew. Orders for
 * a GPU are standing ones: store them, add 1 to block.gpu_orders, and if block.gpu_watchers is not 0
 * wake the waiters of block.gpu_orders. An interrupt that is to last is confirmed by raising
 * interrupt_order_seq now and then: without that, the program goes on by itself after
 * XSCHED_INTERRUPT_LIMIT seconds.
 *
 * Where the daemon disables channels itself, the order XSCHED_INTERRUPT_BY_DAEMON stands from before
 * the first is disabled until after the last is enabled, and the first such order must be answered
 * before anything is disabled: who else would enable them if the daemon dies? Work may be forgotten
 * where channels are disabled without a preemption: that is only for programs that show `reminds`. An
 * order to go on that follows another one says that the daemon doubts whether the program does.
 *
 * Where a GPU turns by itself from other programs' work to this one's, that takes it a moment: other
 * programs' work has to be saved first. If requests come evenly, a program may be ordered to have the
 * GPU turn before they come. A request begins with what is launched after the program has waited for all
 * before it. That order is no more than an expectation; early_until bounds it, whatever becomes of the
 * daemon.
 *
 * Gates are open (0) in fresh memory, and a program regards them as open when the heartbeat is
 * older than XSCHED_HEARTBEAT_LOST_NANOS or its socket has ended. All times are CLOCK_MONOTONIC in
 * nanoseconds.
 */
#ifndef XSCHED_CONTROL_H
#define XSCHED_CONTROL_H

#include <stdint.h>

#define XSCHED_PROTOCOL 2u

#define XSCHED_BLOCK_MAGIC 0x4b4c4258u /* "XBLK" */
#define XSCHED_BOARD_MAGIC 0x44524258u /* "XBRD" */
#define XSCHED_HELLO_MAGIC 0x4f4c4858u /* "XHLO" */
#define XSCHED_WELCOME_MAGIC 0x434c5758u /* "XWLC" */

#define XSCHED_SLOTS 256u        /* queues of one program */
#define XSCHED_CEILINGS 64u      /* devices */
#define XSCHED_GPUS 8u           /* of one program, with more to them than a gate */
#define XSCHED_GPU_GROUPS 8u     /* as many as are shown */
#define XSCHED_GPU_CHANNELS 64u
#define XSCHED_BEGUN 15u         /* requests of which it is known when they began */
#define XSCHED_BOARD_PROGRAMS 1024u /* programs of one user */
#define XSCHED_HINTS 12u         /* room; the order is that of dev.xsched.policy.Hint */

#define XSCHED_HEARTBEAT_NANOS 100000000ll      /* the daemon renews it this often */
#define XSCHED_HEARTBEAT_LOST_NANOS 500000000ll /* older than this: no daemon, gates are open */
#define XSCHED_WAIT_NANOS 50000000ll            /* the longest single wait at a gate */
#define XSCHED_CONFIRM_NANOS 5000000ll          /* an unconfirmed ceiling holds this long */

#define XSCHED_NO_CEILING 0xffffffffu
#define XSCHED_NO_RANK INT32_MIN

enum xsched_slot_state { XSCHED_SLOT_FREE = 0, XSCHED_SLOT_USED = 1 };

/*
 * Who else is registered on the device of a queue. While nobody is, a program need not keep a window
 * and may tell late that it turned idle, which makes a launch as cheap as a few loads.
 */
enum xsched_others {
    XSCHED_OTHERS_ABOVE = 1, /* work may come that goes before this queue's: keep a window */
    XSCHED_OTHERS_BELOW = 2, /* others run when this queue is idle: tell it at once */
    XSCHED_OTHERS_STOPPED = 4, /* the same, but a pause of a millisecond or two does not count */
    XSCHED_OTHERS_YIELD = 8, /* others stop while the program waits for the device: tell it at once */
    XSCHED_OTHERS_BRIEFLY = 16, /* who is above needs the device at once for a moment now and then */
    XSCHED_OTHERS_APART = 32, /* beside BELOW: the device itself turns from them, so launch, then tell */
    XSCHED_OTHERS_EARLY = 64 /* it could turn from them before work comes: note when requests begin */
};

/* Hints that somebody asks for. Values count where the bit of their index is set in mask. */
struct xsched_asks {
    uint32_t seq;  /* raised after each change; 0: never asked */
    uint32_t mask;
    int64_t values[XSCHED_HINTS];
    uint8_t pad[24];
};

struct xsched_slot {
    /* identity */
    uint32_t state;      /* xsched_slot_state; stored last, so the rest is there when it is USED */
    uint32_t generation; /* raised each time the slot is used anew */
    uint32_t levels;     /* bit 0: block, bit 1: deactivate, bit 2: interrupt */
    uint32_t buffered;   /* 1: an XQueue the program made; 0: a gate in front of the driver */
    char name[48];       /* UTF-8, ends with 0 */
    char device[64];     /* the same text for the same device in all programs, ends with 0 */

    /* facts */
    int64_t ready_since;       /* 0 while idle */
    uint64_t changes;          /* how often it turned ready or idle */
    uint64_t submitted;        /* commands; submitted >= launched >= completed */
    uint64_t launched;
    uint64_t completed;
    uint64_t command_nanos;    /* recent time of one command on the device */
    uint64_t busy_nanos;       /* device time of all commands, as far as known */
    uint64_t gate_waits;       /* launches that found the gate or the ceiling closed */
    uint64_t gate_wait_nanos;  /* how long these waited */
    int64_t stopped;           /* when the last command in flight ended after the gate closed */
    uint32_t waiters;          /* threads in FUTEX_WAIT on gate */
    uint32_t awaited;          /* 1: a thread waits for the device now, or will so in a moment */
    uint64_t syncs;            /* how often the program waited for the device, where that is known */
    uint64_t sync_nanos;       /* how long its threads waited for it, while others are below */
    uint8_t pad_facts[24];

    /* asks: by the program, for this queue */
    struct xsched_asks asks;

    /* orders: a line of their own */
    uint32_t gate;            /* futex; 0 open, else closed */
    int32_t rank;
    uint32_t ceiling;         /* index in the board, or XSCHED_NO_CEILING */
    uint32_t level;           /* 0: best available */
    uint64_t window_nanos;    /* work in flight; 0: the program's own default */
    uint32_t window_commands; /* most commands in flight; 0: no such bound */
    uint32_t window_batch;    /* commands per synchronisation point; 0: the default */
    uint32_t others;          /* xsched_others; 0: nobody else's work depends on this queue's */
    uint8_t pad_orders[92];
};

/* What a program can do on a GPU beside holding back its launches. */
enum xsched_gpu_offers {
    XSCHED_OFFERS_SLICE = 1,     /* set how long the GPU stays with it when others have work, too */
    XSCHED_OFFERS_INTERRUPT = 2, /* have its running work saved, and restored */
    XSCHED_OFFERS_PRIORITY = 4   /* set the priority that its queues have for the GPU itself */
};

enum xsched_gpu_interrupt {
    XSCHED_INTERRUPT_NONE = 0,
    XSCHED_INTERRUPT_HERE = 1,     /* the program disables its own channels */
    XSCHED_INTERRUPT_BY_DAEMON = 2 /* the daemon does it; the program only looks after it */
};

struct xsched_gpu_object {
    uint32_t client;
    uint32_t handle;
};

struct xsched_gpu {
    /* what was learned */
    uint32_t state;         /* xsched_slot_state; stored last */
    uint32_t changes;       /* odd while it is being written */
    uint32_t offers;        /* xsched_gpu_offers */
    uint32_t instance;      /* the driver's number for it */
    uint32_t client;        /* the subdevice's */
    uint32_t subdevice;     /* 0: the daemon cannot interrupt by itself */
    uint32_t group_count;   /* of compute; there may be more than are shown */
    uint32_t channel_count; /* of these groups; the same */
    char device[64];        /* as in the slots */
    char reason[96];        /* why nothing is offered, ends with 0; empty: it is */
    struct xsched_gpu_object groups[XSCHED_GPU_GROUPS];
    struct xsched_gpu_object channels[XSCHED_GPU_CHANNELS];

    /* what was done */
    uint64_t slice_micros;  /* 0: as the driver has it */
    uint32_t interrupted;   /* 1: its channels were disabled here */
    uint32_t interrupt_seq; /* of the last order that was carried out */
    uint32_t priority;      /* the order that is in force */
    uint32_t reminds;       /* 1: has the GPU look at all channels when they are enabled again */
    uint64_t early_turns;   /* how often it had the GPU turn early */
    uint64_t early_in_vain; /* of these, how often no request came */
    uint8_t pad_done[24];

    /* orders */
    uint64_t slice_order;         /* microseconds; 0: as the driver has it */
    uint32_t interrupt_order;     /* xsched_gpu_interrupt */
    uint32_t interrupt_order_seq; /* raised with each order, and to confirm the last */
    uint32_t priority_order;      /* 0: as the program has it; else 1 + 0 to 15, about there */
    uint8_t pad_orders[4];
    int64_t early_at;    /* when a request is expected */
    int64_t early_every; /* and then again and again; 0: nothing is to be done */
    int64_t early_lead;  /* so long before, the GPU is to turn to the program */
    int64_t early_slack; /* and to stay, if the request is late */
    int64_t early_until; /* not after that */

    /* what was seen: since when XSCHED_OTHERS_EARLY holds, by the program */
    uint64_t begins;             /* how many requests began; raised after the time was stored */
    int64_t begun[XSCHED_BEGUN]; /* when the last did; number n is at n % XSCHED_BEGUN */
};

struct xsched_block {
    /* who */
    uint32_t magic;   /* stored last */
    uint32_t version; /* XSCHED_PROTOCOL */
    uint32_t size;    /* sizeof(struct xsched_block) */
    uint32_t slots;   /* XSCHED_SLOTS */
    uint8_t pad_who[48];

    /* asks: from the environment, for every queue of the program */
    struct xsched_asks asks;

    uint64_t changed[XSCHED_SLOTS / 64]; /* one bit per slot with news */
    uint8_t pad_changed[32];

    /* orders */
    int64_t heartbeat;  /* when the daemon was last seen alive */
    uint32_t orders;    /* futex; raised after any order changed, or by a program to wake itself */
    uint32_t watchers;  /* program: threads in FUTEX_WAIT on orders */
    uint32_t scheduled; /* 1 while the daemon schedules this program */
    uint32_t ignore_ceilings; /* 1: the board cannot be trusted, obey the gates alone */
    uint32_t gpu_orders;   /* futex; raised after an order for a GPU, or by a program to wake itself */
    uint32_t gpu_watchers; /* program: threads in FUTEX_WAIT on gpu_orders */
    uint8_t pad_daemon[32];

    uint8_t pad_header[3776];
    struct xsched_slot slot[XSCHED_SLOTS];
    struct xsched_gpu gpu[XSCHED_GPUS];
};

/* rank in the low half as int32_t, epoch in the high half: a raise is never mistaken for none. */
struct xsched_ceiling {
    uint64_t word;
    uint32_t watched; /* 1: somebody is in FUTEX_WAIT on the low half; who raises it sets 0 and wakes */
    uint8_t pad[52];
};

struct xsched_board {
    uint32_t magic; /* stored last */
    uint32_t version;
    uint32_t size;
    uint32_t ceilings;
    uint8_t pad_who[48];

    uint32_t bell; /* futex; the daemon waits here */
    uint8_t pad_bell[60];

    uint32_t asleep; /* daemon: not 0 while it waits at the bell */
    uint8_t pad_asleep[60];

    uint64_t rung[XSCHED_BOARD_PROGRAMS / 64]; /* one bit per program with news */
    uint8_t pad_header[3776];

    struct xsched_ceiling ceiling[XSCHED_CEILINGS];
};

/*
 * Registration: the program connects to the socket (SOCK_SEQPACKET, "socket" in the directory),
 * sends one hello and gets one welcome. Then nothing is sent in either direction; the connection
 * stands for the program's life, and its end for the daemon's. magic and version stay where they
 * are in all versions, so that any two can tell each other what is wrong.
 */
enum xsched_hello_kind {
    XSCHED_HELLO_PROGRAM = 1, /* carries the block as a descriptor, sealed in size */
    XSCHED_HELLO_TOKEN = 2    /* asks for "ADDRESS TOKEN" of the REST interface; then the end */
};

enum xsched_welcome_status {
    XSCHED_WELCOME_OK = 0,      /* carries the board as a descriptor */
    XSCHED_WELCOME_VERSION = 1, /* another protocol; run unscheduled */
    XSCHED_WELCOME_REFUSED = 2  /* message says why; run unscheduled */
};

struct xsched_hello {
    uint32_t magic;
    uint32_t version;
    uint32_t kind;
    uint32_t reserved;
    char name[64]; /* what `list` shows, ends with 0; empty: the daemon takes the executable's */
};

struct xsched_welcome {
    uint32_t magic;
    uint32_t version; /* the daemon's */
    uint32_t status;
    uint32_t board_index; /* the program's bit in board.rung */
    uint64_t program;     /* the daemon's name for this registration */
    char message[232];    /* one line for the user, ends with 0 */
};

_Static_assert(sizeof(struct xsched_asks) == 128, "two cache lines");
_Static_assert(sizeof(struct xsched_slot) == 512, "eight cache lines");
_Static_assert(sizeof(struct xsched_gpu) == 1024, "sixteen cache lines");
_Static_assert(sizeof(struct xsched_block) == 4096 + 512 * XSCHED_SLOTS + 1024 * XSCHED_GPUS,
               "header, slots and GPUs");
_Static_assert(sizeof(struct xsched_board) == 8192, "two pages");
_Static_assert(sizeof(struct xsched_hello) == 80, "as in version 1");
_Static_assert(sizeof(struct xsched_welcome) == 256, "as in version 1");

#endif
