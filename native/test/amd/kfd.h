/*
 * A stand-in for AMD's kernel driver for compute: /dev/kfd, and what /sys tells of it. It knows which
 * queues there are, and refuses whatever has not the very form that Linux's header gives: then the test
 * fails. One GPU, all of it in a file, so that processes share it: their queues take turns while
 * several have work, those of a higher priority go first, and one that is off the device does not run.
 */
#ifndef XSCHED_TEST_AMD_KFD_H
#define XSCHED_TEST_AMD_KFD_H

#include <stdbool.h>
#include <stdint.h>

#define KFD_QUEUES 2048
#define KFD_PROCESSES 64
#define KFD_GPU_ID 0x4d21u /* of the first; each further has one more */
#define KFD_UNIQUE_ID 0x5ca1ab1e00000000ull /* as the runtime in test/hip has it */

struct kfd_queue {
    uint32_t used;
    int32_t pid;
    uint32_t id;
    uint32_t gpu_id;
    uint32_t type;
    uint64_t ring;
    uint32_t ring_size;
    uint32_t percentage;
    uint32_t priority;
    uint32_t changes; /* how often its percentage became 0, or ceased to be */
    int64_t away_until;
};

/* One that has work, or had some a moment ago. */
struct kfd_process {
    int32_t pid;
    int64_t asked;
};

struct kfd_state {
    uint32_t lock;
    uint32_t violations;
    char violation[256]; /* the first */
    uint32_t updates;
    uint32_t last_id;
    int64_t away_until; /* all queues are off the device until then */
    int32_t turn;       /* of which process */
    int64_t turn_since;
    struct kfd_process processes[KFD_PROCESSES];

    /* What the test can ask for. */
    uint32_t major_version, minor_version;
    bool has_mes;         /* an update takes only that queue off for a moment, not all of them */
    uint32_t create_size; /* of another driver's AMDKFD_IOC_CREATE_QUEUE; 0: as it should be */
    int32_t refuse;       /* the error of each update; 0: none */
    int32_t refuse_destroy;
    uint32_t update_millis; /* that an update takes */

    struct kfd_queue queues[KFD_QUEUES];
};

/*
 * Begins with no queues and one GPU, in the folder that XSCHED_TEST_KFD names, or in the test's. Where
 * that variable is set when a process starts, the first of these does it, and the others share it; with
 * XSCHED_TEST_KFD_MES there, the device has MES.
 */
struct kfd_state *kfd_start(void);
struct kfd_state *kfd_state(void); /* NULL: there is none */
void kfd_add_gpu(uint32_t location, uint64_t unique_id);
void kfd_set_parameter(const char *name, const char *value); /* of the module */

struct kfd_queue *kfd_find(int pid, uint32_t id); /* NULL: there is none */
uint32_t kfd_off(int pid);                        /* how many of its queues of compute are */
bool kfd_runs(void);                              /* whether the GPU works for this process now */
bool kfd_is_clean(void);                          /* else it says what is wrong */

#endif
