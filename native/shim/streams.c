/* The table of all streams. */
#include <stdlib.h>
#include <string.h>

#include "shim.h"

#define BUCKETS 256u

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static struct xshim_stream *buckets[BUCKETS];
_Atomic uint64_t xshim_generation = 1;

_Thread_local struct xshim_memory xshim_remembered[XSHIM_REMEMBERED];

static char no_context; /* stands for one that is no more */

static size_t hash(const struct xshim_key *key)
{
    uint64_t mixed = (uintptr_t)key->handle ^ (uintptr_t)key->context >> 3 ^ key->thread << 20 ^
                     (uintptr_t)key->platform;
    return (size_t)((mixed * 0x9e3779b97f4a7c15ull) >> 40);
}

static struct xshim_stream *find_in_table(const struct xshim_key *key)
{
    struct xshim_stream *stream = buckets[hash(key) % BUCKETS];
    while (stream != NULL && !xshim_is_same(&stream->key, key)) {
        stream = stream->chain;
    }
    return stream;
}

struct xshim_stream *xshim_find(const struct xshim_key *key)
{
    uint64_t now = atomic_load(&xshim_generation);
    struct xshim_stream *stream = xshim_recall(key);
    if (stream != NULL) {
        return stream;
    }
    pthread_mutex_lock(&table);
    stream = find_in_table(key);
    pthread_mutex_unlock(&table);
    if (stream != NULL) {
        *xshim_memory_of(key) =
            (struct xshim_memory){.key = *key, .stream = stream, .generation = now};
    }
    return stream;
}

/* One that is gone and that no mark on its way can write to any more. */
static struct xshim_stream *used_stream(struct xshim_unit *unit, const struct xshim_key *key,
                                        void *context)
{
    for (struct xshim_stream *stream = atomic_load(&unit->streams); stream != NULL;
         stream = atomic_load(&stream->next)) {
        uint64_t reached = atomic_load(&stream->progress);
        if (atomic_load(&stream->gone) &&
            (stream->context == context || stream->context == &no_context) &&
            stream->key.platform == key->platform && reached >= atomic_load(&stream->marked)) {
            return stream;
        }
    }
    return NULL;
}

/* With the table locked. Counts go on where the last user of the memory left them. */
static struct xshim_stream *add(const struct xshim_key *key, void *context,
                                struct xshim_unit *unit, bool ordered)
{
    if (unit == NULL) {
        return NULL;
    }
    struct xshim_stream *stream = used_stream(unit, key, context);
    bool is_new = stream == NULL;
    if (is_new) {
        stream = xshim_allocate(sizeof *stream);
        if (stream == NULL) {
            return NULL;
        }
        /* Says so if its owner takes it again. */
        stream->marking = (pthread_mutex_t)PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
        stream->unit = unit;
        stream->key.platform = key->platform; /* which others read at any time, so it stays */
    }
    pthread_mutex_lock(&stream->marking);
    stream->key.context = key->context;
    stream->key.handle = key->handle;
    stream->key.thread = key->thread;
    stream->context = context;
    stream->ordered = ordered;
    atomic_store(&stream->private_to_thread, key->thread != 0);
    atomic_store(&stream->references, 0);
    atomic_store(&stream->gone, false);
    pthread_mutex_unlock(&stream->marking);
    if (is_new) {
        atomic_store(&unit->is_called_back, key->platform->poll == NULL);
        atomic_store(&stream->next, atomic_load(&unit->streams));
        atomic_store(&unit->streams, stream);
    }
    stream->chain = buckets[hash(key) % BUCKETS];
    buckets[hash(key) % BUCKETS] = stream;
    return stream;
}

/* With the table locked. */
static void remove_from_table(struct xshim_stream *stream)
{
    struct xshim_stream **link = &buckets[hash(&stream->key) % BUCKETS];
    while (*link != NULL && *link != stream) {
        link = &(*link)->chain;
    }
    if (*link == stream) {
        *link = stream->chain;
    }
    atomic_store(&stream->gone, true);
    atomic_fetch_add(&xshim_generation, 1);
}

struct xshim_stream *xshim_enter(const struct xshim_key *key, void *context, const char *device,
                                 bool ordered)
{
    int cancel = xsched_forbid_cancel();
    pthread_mutex_lock(&table);
    struct xshim_stream *stream = find_in_table(key);
    if (stream == NULL) {
        stream = add(key, context, xshim_unit_of_device(device), ordered);
    }
    pthread_mutex_unlock(&table);
    xsched_allow_cancel(cancel);
    return stream;
}

/*
 * Whoever asks the driver about a stream holds `marking`, and does so only if it is not gone: after
 * this, nobody does, and the program may destroy it.
 */
static void wait_for_askers(struct xshim_stream *gone)
{
    if (pthread_mutex_lock(&gone->marking) == 0) {
        pthread_mutex_unlock(&gone->marking);
    }
}

static struct xshim_stream *move(struct xshim_stream *stream, struct xshim_unit *unit)
{
    struct xshim_key key = stream->key;
    remove_from_table(stream);
    struct xshim_stream *moved = add(&key, stream->context, unit, stream->ordered);
    if (moved != NULL) {
        atomic_store(&moved->references, atomic_load(&stream->references));
    }
    return moved;
}

struct xshim_stream *xshim_separate(struct xshim_stream *stream, const char *name)
{
    pthread_mutex_lock(&table);
    struct xshim_stream *moved = move(stream, xshim_unit_of_xqueue(stream->unit->device, name));
    pthread_mutex_unlock(&table);
    wait_for_askers(stream);
    return moved;
}

struct xshim_stream *xshim_rejoin(struct xshim_stream *stream)
{
    struct xshim_unit *left = stream->unit;
    struct xshim_stream *moved = stream;
    pthread_mutex_lock(&table);
    if (!atomic_load(&stream->gone)) {
        moved = move(stream, xshim_unit_of_device(left->device));
    }
    xshim_retire(left);
    pthread_mutex_unlock(&table);
    wait_for_askers(stream);
    return moved;
}

static void forget(struct xshim_stream *stream)
{
    pthread_mutex_lock(&table);
    remove_from_table(stream);
    pthread_mutex_unlock(&table);
    wait_for_askers(stream);
}

/* What it still has to do will be done, and the mark tells when. */
void xshim_forget(struct xshim_stream *stream)
{
    xshim_plant_mark(stream);
    forget(stream);
    xshim_reap(stream->unit);
}

/* What any stream may be looked for by; what is NULL or 0 does not matter. */
struct wanted {
    const struct xshim_platform *platform;
    void *context;
    const char *device;
    uint64_t thread;
};

static bool is_wanted(const struct xshim_stream *stream, const struct wanted *wanted)
{
    return (wanted->platform == NULL || stream->key.platform == wanted->platform) &&
           (wanted->context == NULL || stream->context == wanted->context) &&
           (wanted->device == NULL || strcmp(stream->unit->device, wanted->device) == 0) &&
           (wanted->thread == 0 || stream->key.thread == wanted->thread);
}

static struct xshim_stream *any(struct wanted wanted)
{
    struct xshim_stream *found = NULL;
    pthread_mutex_lock(&table);
    for (size_t i = 0; i < BUCKETS && found == NULL; i++) {
        found = buckets[i];
        while (found != NULL && !is_wanted(found, &wanted)) {
            found = found->chain;
        }
    }
    pthread_mutex_unlock(&table);
    return found;
}

void *xshim_context_on(const struct xshim_platform *platform, const char *device)
{
    struct xshim_stream *stream = any((struct wanted){.platform = platform, .device = device});
    return stream == NULL ? NULL : stream->context;
}

/* Each of its commands has a mark, and the watcher asks for these: a thread that ends asks no driver. */
void xshim_forget_thread(uint64_t thread)
{
    struct xshim_stream *stream;
    while ((stream = any((struct wanted){.thread = thread})) != NULL) {
        forget(stream);
    }
}

/* Nobody may ask for marks of a context that is no more, and what was to be done there is over. */
static void lose_marks(const struct xshim_platform *platform, void *context)
{
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        pthread_mutex_lock(&unit->reaping);
        for (struct xshim_stream *stream = atomic_load(&unit->streams); stream != NULL;
             stream = atomic_load(&stream->next)) {
            if (stream->key.platform == platform && stream->context == context) {
                stream->context = &no_context;
                memset(stream->events, 0, sizeof stream->events); /* they went with it */
                atomic_store(&stream->marked, 0);
                atomic_store(&stream->progress, atomic_load(&stream->issued));
                atomic_store(&stream->marks_reached, atomic_load(&stream->marks_planted));
            }
        }
        pthread_mutex_unlock(&unit->reaping);
        xshim_reap(unit);
    }
}

void xshim_forget_context(const struct xshim_platform *platform, void *context)
{
    struct xshim_stream *stream;
    while ((stream = any((struct wanted){.platform = platform, .context = context})) != NULL) {
        forget(stream); /* without a mark: it may be gone already */
    }
    lose_marks(platform, context);
}

/*
 * What the parent launched is none of the child's business, and no driver of its will tell. Nothing
 * is locked before the fork: everything is made anew, whatever the other threads were at.
 */
static void in_child(void)
{
    pthread_mutex_init(&table, NULL);
    memset(buckets, 0, sizeof buckets);
    atomic_fetch_add(&xshim_generation, 1);
    for (struct xshim_unit *unit = atomic_load(&xshim_units); unit != NULL; unit = unit->next) {
        pthread_mutex_init(&unit->reaping, NULL);
        atomic_store(&unit->looked_after, false);
        atomic_store(&unit->streams, NULL);
        atomic_store(&unit->completed, 0);
        atomic_store(&unit->completed_nanos, 0);
        atomic_store(&unit->launched_nanos, 0);
        atomic_store(&unit->launched, 0);
        atomic_store(&unit->syncing, 0);
        atomic_store(&unit->held, 0);
        atomic_store(&unit->busy_since, 0);
    }
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
