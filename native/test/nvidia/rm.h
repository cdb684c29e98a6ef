/*
 * A stand-in for the kernel's side of NVIDIA's driver: /dev/nvidiactl, /dev/nvidia0 and what /proc
 * tells of it. It knows which objects there are, and refuses whatever has not the very form that
 * NVIDIA's headers give: then the test fails. Channels that are disabled stay so when the caller
 * ends, and a second process sees the same and may disable and enable them, because all of it is in
 * a file.
 */
#ifndef XSCHED_TEST_NVIDIA_RM_H
#define XSCHED_TEST_NVIDIA_RM_H

#include <stdbool.h>
#include <stdint.h>

#define RM_OBJECTS 2048
#define RM_REGISTERED 64

struct rm_object {
    uint32_t class; /* UINT32_MAX: none */
    uint32_t client;
    uint32_t handle;
    uint32_t parent;
    uint32_t value;    /* of a device: its instance; of a group: its engine */
    int32_t pid;
    uint64_t slice;    /* of a group, in microseconds */
    uint32_t disabled; /* of a channel: how often */
    bool only_scheduling; /* and that nothing was preempted for it */
    bool forgotten;       /* its work, since then, until it is enabled and something reminds the GPU */
    uint32_t token;       /* of a channel: rings its doorbell */
};

struct rm_state {
    uint32_t lock;
    uint32_t last_handle;
    uint32_t violations;
    char violation[256]; /* the first */
    uint32_t calls;      /* of whichever kind */
    uint32_t controls;
    uint32_t most_in_a_list;
    uint32_t rings;
    int32_t registered[RM_REGISTERED]; /* who told which GPU they mean */

    /* What the test can ask for. */
    uint32_t alloc_size;     /* of another driver's NV_ESC_RM_ALLOC; 0: as it should be */
    uint32_t group_size;     /* the same for the parameters of a channel group */
    uint32_t refused;        /* a control, and how */
    uint32_t refused_status;
    bool no_mapping;         /* of doorbells */

    struct rm_object objects[RM_OBJECTS];
};

/* Begins with no objects and one GPU, in the folder that XSCHED_TEST_RM names, or in the test's. */
struct rm_state *rm_start(void);
struct rm_state *rm_state(void); /* also in a process that was started by the test */
void rm_set_version(const char *text); /* of the kernel driver; NULL: none is loaded */
void rm_add_gpu(void);
void rm_list_no_uuids(void);

/* Closes control devices; returns how many. A sanitizer of threads does not hear of it. */
uint32_t rm_close_all_but(int kept);

uint64_t rm_slice(uint32_t client, uint32_t group);
uint32_t rm_disabled(uint32_t client, uint32_t channel);
uint32_t rm_disabled_of(uint32_t client); /* how many of its channels are */
uint32_t rm_only_scheduling_of(uint32_t client); /* of these, without a preemption */
uint32_t rm_forgotten_of(uint32_t client); /* how many are enabled, and their work is forgotten */
bool rm_runs(uint32_t client, uint32_t channel); /* it is enabled, and not forgotten */
bool rm_is_clean(void); /* else it says what is wrong */

#endif
