/*
 * Work that does nothing: one thread that reads a word, and ends when that is 0, or after some time in
 * any case. It has a stream of its own in each context, which no other one waits for.
 */
#include <stdlib.h>

#include "cuda.h"
#include "platforms.h"

#define CU_STREAM_NON_BLOCKING 1u
#define SLOW_NANOS 500000 /* a launch that waits for something, perhaps for this very kernel */
#define TRIES 8u          /* of these, one after the other: a busy machine has some */

static const char kernel[] = ".version 6.3\n"
                             ".target sm_75\n"
                             ".address_size 64\n"
                             ".visible .entry xsched_stay(.param .u64 word, .param .u64 nanos)\n"
                             "{\n"
                             ".reg .pred %p<3>;\n"
                             ".reg .b32 %r<2>;\n"
                             ".reg .b64 %rd<5>;\n"
                             "ld.param.u64 %rd1, [word];\n"
                             "ld.param.u64 %rd2, [nanos];\n"
                             "mov.u64 %rd3, %globaltimer;\n"
                             "add.u64 %rd3, %rd3, %rd2;\n"
                             "stay:\n"
                             "ld.volatile.global.u32 %r1, [%rd1];\n"
                             "setp.eq.u32 %p1, %r1, 0;\n"
                             "@%p1 bra leave;\n"
                             "mov.u64 %rd4, %globaltimer;\n"
                             "setp.lt.u64 %p2, %rd4, %rd3;\n"
                             "@%p2 bra stay;\n"
                             "leave:\n"
                             "ret;\n"
                             "}\n";

struct stay {
    void *context; /* NULL: of none any more */
    void *function; /* NULL: not possible, or not any more */
    void *stream;
    uint32_t *word;
    uint64_t on_device;
    uint32_t slow;
    struct stay *next;
};

static struct stay *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* who ends a context waits for it */

static bool launch(struct stay *stay, uint64_t nanos)
{
    void *parameters[] = {&stay->on_device, &nanos};
    return REAL(cuda, cuLaunchKernel)(stay->function, 1, 1, 1, 1, 1, 1, 0, stay->stream, parameters,
                                      NULL) == 0;
}

/*
 * With another one behind it, which ends at once. A GPU that has fetched all that a program launched
 * decides to turn to others when that ends, whatever comes until then (results/nvidia-stay-h200.json).
 */
static bool launch_two(struct stay *stay, uint64_t nanos)
{
    return launch(stay, nanos) && launch(stay, 0);
}

static void give_up(struct stay *stay, const char *why)
{
    static bool said; /* by another context, perhaps */
    stay->function = NULL;
    if (said) {
        return;
    }
    said = true;
    xsched_say(0, "the GPU does not turn to this program before its requests come: %s; they wait for "
                  "that as before", why);
}

static bool load(struct stay *stay)
{
    void *module;
    return REAL(cuda, cuModuleLoadData) != NULL && REAL(cuda, cuModuleGetFunction) != NULL &&
           REAL(cuda, cuStreamCreate) != NULL &&
           REAL(cuda, cuModuleLoadData)(&module, (void *)kernel) == 0 &&
           REAL(cuda, cuStreamCreate)(&stay->stream, CU_STREAM_NON_BLOCKING) == 0 &&
           (stay->word = cuda_page(&stay->on_device)) != NULL &&
           REAL(cuda, cuModuleGetFunction)(&stay->function, module, (void *)"xsched_stay") == 0;
}

/* The word is 0 then, so that it ends at once: a kernel's first launch is what loads it. */
static void make(void *context)
{
    struct stay *stay = calloc(1, sizeof *stay);
    if (stay == NULL) {
        return;
    }
    stay->context = context;
    stay->next = all;
    all = stay;
    if (!load(stay) || !launch(stay, 0)) {
        give_up(stay, "CUDA does not take our kernel");
    }
}

static struct stay *of(void *context)
{
    struct stay *stay = all;
    while (stay != NULL && stay->context != context) {
        stay = stay->next;
    }
    return stay;
}

/* With the lock held and the context current, while nothing may be spoiled. */
static bool enter(void *context)
{
    if (!captures_may_ask()) {
        return false;
    }
    pthread_mutex_lock(&lock);
    if (REAL(cuda, cuCtxPushCurrent_v2)(context) == 0) {
        return true;
    }
    pthread_mutex_unlock(&lock);
    captures_done_asking();
    return false;
}

static void leave(void)
{
    void *context;
    REAL(cuda, cuCtxPopCurrent_v2)(&context);
    pthread_mutex_unlock(&lock);
    captures_done_asking();
}

void cuda_prepare_stay(void *context)
{
    if (enter(context)) {
        if (of(context) == NULL) {
            make(context);
        }
        leave();
    }
}

uint32_t *cuda_stay_word(void *context)
{
    pthread_mutex_lock(&lock);
    struct stay *stay = of(context);
    uint32_t *word = stay == NULL || stay->function == NULL ? NULL : stay->word;
    pthread_mutex_unlock(&lock);
    return word;
}

/* Where each launch is to be over before it returns, ours would hold up whatever comes after it. */
bool cuda_stay(void *context, uint64_t nanos)
{
    bool stays = false;
    if (enter(context)) {
        struct stay *stay = of(context);
        if (stay != NULL && stay->function != NULL) {
            int64_t since = xsched_now();
            stays = launch_two(stay, nanos);
            stay->slow = xsched_now() - since < SLOW_NANOS ? 0 : stay->slow + 1;
            if (!stays) {
                give_up(stay, "CUDA does not launch our kernel any more");
            } else if (stay->slow == TRIES) {
                give_up(stay, "CUDA takes too long to launch our kernel");
            }
        }
        leave();
    }
    return stays;
}

void cuda_forget_stay(void *context)
{
    pthread_mutex_lock(&lock);
    struct stay *stay = of(context);
    if (stay != NULL) {
        stay->context = NULL;
        stay->function = NULL;
    }
    pthread_mutex_unlock(&lock);
}

/* As with gates: no driver works there, and what its parent has is left alone. */
static void in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    all = NULL;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
