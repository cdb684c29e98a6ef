/*
 * Has the GPU turn to this program while the driver still prepares the launch of a graph. Where programs
 * of lower rank have work on the GPU, that work has to be saved before ours begins: some 0.15 ms, from
 * when the GPU hears of ours. The driver tells it at the end of a launch, and takes some 0.1 ms for
 * that with a graph of hundreds of kernels. So a kernel of our own goes first, on a stream of our own,
 * and stays until the launch has been made: without anything to do the GPU would turn back
 * (results/nvidia-turn-early-h200.json).
 *
 * The kernel is one thread that reads a word: how many launches are under way. It is made when the
 * program has nothing on the device, by the watcher, because its driver may wait for that.
 */
#include <stdlib.h>

#include "cuda.h"
#include "platforms.h"

#define CU_STREAM_NON_BLOCKING 1u
#define LONGEST_NANOS 500000ull /* a launch for which the GPU waits; also the driver's, of our kernel */
#define TRIES 3u                /* launches of our kernel that take so long, one after the other */

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

struct turner {
    void *context; /* NULL: of none any more */
    bool is_made;
    void *function; /* NULL: none, or not any more */
    void *stream;
    uint32_t *launches;
    uint64_t on_device; /* where the device finds these */
    uint32_t slow;
    struct turner *next;
};

static struct turner *turners;
static _Atomic bool is_wanted; /* one that is not made yet */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct turner *of(void *context)
{
    struct turner *turner = turners;
    while (turner != NULL && turner->context != context) {
        turner = turner->next;
    }
    if (turner == NULL && (turner = calloc(1, sizeof *turner)) != NULL) {
        turner->context = context;
        turner->next = turners;
        turners = turner;
        atomic_store(&is_wanted, true);
    }
    return turner;
}

static bool stay(struct turner *turner)
{
    uint64_t nanos = LONGEST_NANOS;
    void *parameters[] = {&turner->on_device, &nanos};
    return REAL(cuda, cuLaunchKernel)(turner->function, 1, 1, 1, 1, 1, 1, 0, turner->stream,
                                      parameters, NULL) == 0;
}

/* Once without staying, because the first launch of a kernel loads it. */
static void make(struct turner *turner)
{
    void *module, *function, *before;
    turner->is_made = true;
    if (REAL(cuda, cuModuleLoadData) == NULL || REAL(cuda, cuModuleGetFunction) == NULL ||
        REAL(cuda, cuStreamCreate) == NULL ||
        REAL(cuda, cuCtxPushCurrent_v2)(turner->context) != 0) {
        return;
    }
    if (REAL(cuda, cuModuleLoadData)(&module, (void *)kernel) == 0 &&
        REAL(cuda, cuModuleGetFunction)(&function, module, (void *)"xsched_stay") == 0 &&
        REAL(cuda, cuStreamCreate)(&turner->stream, CU_STREAM_NON_BLOCKING) == 0 &&
        (turner->launches = cuda_page(&turner->on_device)) != NULL) {
        turner->function = function;
        if (!stay(turner)) {
            turner->function = NULL;
        }
    }
    REAL(cuda, cuCtxPopCurrent_v2)(&before);
}

void cuda_make_turners(void)
{
    if (!atomic_load_explicit(&is_wanted, memory_order_relaxed) || !captures_may_ask()) {
        return;
    }
    pthread_mutex_lock(&lock);
    atomic_store(&is_wanted, false);
    for (struct turner *turner = turners; turner != NULL; turner = turner->next) {
        if (!turner->is_made && turner->context != NULL) {
            make(turner);
        }
    }
    pthread_mutex_unlock(&lock);
    captures_done_asking();
}

/*
 * Returns what is to be given to `turned`; NULL: nothing. Some programs have each launch end before it
 * returns, and our kernel would only hold theirs up.
 */
static void *turn(struct turner *turner)
{
    int64_t since = xsched_now();
    __atomic_fetch_add(turner->launches, 1, __ATOMIC_SEQ_CST);
    bool stays = stay(turner);
    turner->slow = xsched_now() - since < (int64_t)LONGEST_NANOS ? 0 : turner->slow + 1;
    if (!stays || turner->slow == TRIES) {
        turner->function = NULL;
    }
    return turner->launches;
}

void *cuda_turn(struct xshim_stream *stream)
{
    void *launches = NULL;
    if (cuda_context() != stream->context || !captures_may_ask()) {
        return NULL;
    }
    if (pthread_mutex_trylock(&lock) == 0) { /* else it is being made */
        struct turner *turner = of(stream->context);
        launches = turner == NULL || turner->function == NULL ? NULL : turn(turner);
        pthread_mutex_unlock(&lock);
    }
    captures_done_asking();
    return launches;
}

void cuda_turned(void *launches)
{
    __atomic_fetch_sub((uint32_t *)launches, 1, __ATOMIC_SEQ_CST);
}

void cuda_forget_turner(void *context)
{
    pthread_mutex_lock(&lock);
    for (struct turner *turner = turners; turner != NULL; turner = turner->next) {
        if (turner->context == context) {
            turner->context = NULL;
            turner->function = NULL;
        }
    }
    pthread_mutex_unlock(&lock);
}

/* As with gates: no driver works there, and what its parent has is left alone. */
static void in_child(void)
{
    pthread_mutex_init(&lock, NULL);
    turners = NULL;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, in_child);
}
