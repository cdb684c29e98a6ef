/*
 * What the files of the C interface share: objects behind handles.
 *
 * An object is counted: the handle is one user of it, and every call that is under way another, so
 * that a handle can be destroyed while a thread is inside of a call for it.
 *
 * Locks, in this order: hardware_queues (which stream has which HwQueue and XQueue), an XQueue's
 * own, the handle table's. Drivers, callbacks and gates are called with none of them held.
 */
#ifndef XSCHED_API_H
#define XSCHED_API_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "shim.h"
#include "xsched.h"

#define XSCHED_PUBLIC __attribute__((visibility("default")))

enum api_kind { API_HWQUEUE = 1, API_XQUEUE = 2, API_COMMAND = 3 };

struct api_object {
    enum api_kind kind;
    _Atomic uint32_t users;
    uint64_t handle;
};

/* handles.c: a handle is kind, generation and place, so that an old or invented one is noticed. */
uint64_t api_add(struct api_object *object, enum api_kind kind); /* 0: no memory; the first user */
void *api_use(uint64_t handle, enum api_kind kind);              /* NULL: none; else release it */
void *api_remove(uint64_t handle, enum api_kind kind);           /* the same; the handle is gone */
void api_release(void *object);                                  /* frees it with its last user */

struct api_hwqueue {
    struct api_object object;
    struct xshim_key key;
    struct api_xqueue *xqueue; /* with hardware_queues locked */
    struct api_hwqueue *next;  /* the same */
};

enum api_state { COMMAND_NEW, COMMAND_PENDING, COMMAND_LAUNCHED, COMMAND_DROPPED };

struct api_command {
    struct api_object object;
    LaunchCallback launch;
    void *data;
    _Atomic uint64_t queue; /* the XQueue's handle; 0: not submitted */

    /* with the queue locked */
    enum api_state state;
    XResult result;
    uint64_t number; /* on its stream, once launched */
    struct api_command *next;
};

struct api_xqueue {
    struct api_object object;
    struct api_hwqueue *hwqueue;
    struct xshim_stream *stream; /* of its own unit; valid memory for ever */
    bool blocking_submit;
    _Atomic bool gave_stream_back; /* destroyed, so all in it has completed */
    _Atomic int level;
    uint64_t launched_before;    /* by the unit, for an earlier XQueue */
    _Atomic uint64_t launched_submitted; /* the same, of what was submitted to this one */

    pthread_mutex_t lock;
    pthread_cond_t changed; /* anything below */
    struct api_command *first;
    struct api_command *last;
    uint64_t pending;
    uint64_t submitted; /* in all */
    uint64_t settled;   /* of these, launched or dropped */
    uint64_t counted;  /* of these, told the daemon as submitted */
    bool suspended;
    bool closed;
    bool has_worker;
    pthread_t worker;
};

/* hwqueue.c */
extern pthread_mutex_t api_hardware_queues;
struct xshim_stream *api_stream_of(const struct api_hwqueue *hwqueue); /* NULL: destroyed */
XResult api_sync(struct xshim_stream *stream);

/* command.c */
void api_keep_command(uint64_t handle); /* that was launched or dropped */

/* worker.c */
bool api_is_worker_of(struct api_xqueue *xqueue);
bool api_start_worker(struct api_xqueue *xqueue); /* with its lock held */
void api_end_worker(struct api_xqueue *xqueue);

/* wait.c */
void api_await_change(struct api_xqueue *xqueue); /* with its lock held */
XResult api_wait_all(struct api_xqueue *xqueue);
bool api_is_idle(struct api_xqueue *xqueue);

/* pause.c */
void api_release_queue(struct api_xqueue *xqueue, bool drop);

/* submit.c; all with the queue locked */
struct api_command *api_take_first(struct api_xqueue *xqueue);
void api_drop(struct api_xqueue *xqueue, struct api_command *command);
void api_drop_all(struct api_xqueue *xqueue);

/* interposed.c: says once that launches by the driver's functions are not seen, if so */
void api_check_interposed(const struct xshim_platform *platform);

/* private.c: a daemon for this program alone; where: its folder. False: one line was said */
bool api_start_private_daemon(const char *policy, char *where, size_t size);
void api_end_private_daemon(void);

/* folder.c */
bool api_make_folder(char *path, size_t size);
void api_remove_folder(const char *path);
void api_sweep_folders(void);

#endif
