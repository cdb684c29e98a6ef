/* The table of handles. Places are used again, each time with another generation. */
#include <stdlib.h>

#include "api.h"

#define PLACE_BITS 24
#define GENERATION_BITS 32
#define FIRST_ROOM 64u
#define NO_PLACE UINT32_MAX

struct place {
    struct api_object *object; /* NULL: free */
    uint32_t generation;
    uint32_t next_free;
};

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static struct place *places;
static uint32_t room;
static uint32_t first_free = NO_PLACE;

static uint64_t handle_of(enum api_kind kind, uint32_t generation, uint32_t index)
{
    return (uint64_t)kind << (PLACE_BITS + GENERATION_BITS) | (uint64_t)generation << PLACE_BITS |
           index;
}

static bool grow(void)
{
    uint32_t more = room == 0 ? FIRST_ROOM : room * 2;
    struct place *moved =
        more > 1u << PLACE_BITS ? NULL : realloc(places, more * sizeof *places);
    if (moved == NULL) {
        return false;
    }
    places = moved;
    for (uint32_t i = more; i-- > room;) {
        places[i] = (struct place){.generation = 0, .next_free = first_free};
        first_free = i;
    }
    room = more;
    return true;
}

uint64_t api_add(struct api_object *object, enum api_kind kind)
{
    uint64_t handle = 0;
    pthread_mutex_lock(&table);
    if (first_free != NO_PLACE || grow()) {
        uint32_t index = first_free;
        struct place *place = &places[index];
        first_free = place->next_free;
        place->object = object;
        place->generation++;
        handle = handle_of(kind, place->generation, index);
        object->kind = kind;
        object->handle = handle;
        atomic_store(&object->users, 1);
    }
    pthread_mutex_unlock(&table);
    return handle;
}

/* With the table locked. */
static struct place *find(uint64_t handle, enum api_kind kind)
{
    uint32_t index = handle & ((1u << PLACE_BITS) - 1);
    struct place *place = index < room ? &places[index] : NULL;
    bool is_it = place != NULL && place->object != NULL &&
                 handle == handle_of(kind, place->generation, index) &&
                 place->object->kind == kind;
    return is_it ? place : NULL;
}

void *api_use(uint64_t handle, enum api_kind kind)
{
    pthread_mutex_lock(&table);
    struct place *place = find(handle, kind);
    struct api_object *object = place == NULL ? NULL : place->object;
    if (object != NULL) {
        atomic_fetch_add(&object->users, 1);
    }
    pthread_mutex_unlock(&table);
    return object;
}

void *api_remove(uint64_t handle, enum api_kind kind)
{
    pthread_mutex_lock(&table);
    struct place *place = find(handle, kind);
    struct api_object *object = place == NULL ? NULL : place->object;
    if (object != NULL) {
        place->object = NULL;
        place->next_free = first_free;
        first_free = (uint32_t)(place - places);
    }
    pthread_mutex_unlock(&table);
    return object;
}

void api_release(void *object)
{
    struct api_object *released = object;
    if (atomic_fetch_sub(&released->users, 1) == 1) {
        if (released->kind == API_XQUEUE) {
            struct api_xqueue *xqueue = object;
            pthread_mutex_destroy(&xqueue->lock);
            pthread_cond_destroy(&xqueue->changed);
        }
        free(released);
    }
}

/* The parent's queues are not the child's; its threads are not there to release what they use. */
static void in_child(void)
{
    pthread_mutex_init(&table, NULL);
    for (uint32_t i = 0; i < room; i++) {
        places[i].object = NULL;
        places[i].next_free = i + 1 < room ? i + 1 : NO_PLACE;
    }
    first_free = room == 0 ? NO_PLACE : 0;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
