#include "xsched_interface.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "answer.h"
#include "backend.h"

static struct interface found;

bool xsched_succeeded(XResult result, const char *call)
{
    return result == kXSchedSuccess ||
           problem("%s gave %d, which xsched.h explains; 'xsched doctor' finds out more", call,
                   (int)result);
}

static bool look_up(void *library)
{
#define LOOK_UP(function)                                                                          \
    found.function = (__typeof__(found.function))dlsym(library, #function);                        \
    if (found.function == NULL) {                                                                  \
        return false;                                                                              \
    }
    INTERFACE(LOOK_UP)
    found.hwqueue_create =
        (XResult(*)(HwQueueHandle *, void *))dlsym(library, backend->hwqueue_create);
    return found.hwqueue_create != NULL;
}

static void *open_library(void)
{
    char path[4096];
    const char *named = getenv("XSCHED_LIBRARY");
    if (named != NULL) {
        return dlopen(named, RTLD_NOW | RTLD_LOCAL);
    }
    return beside(path, sizeof path, "../libxsched.so") ? dlopen(path, RTLD_NOW | RTLD_LOCAL)
                                                        : NULL;
}

const struct interface *find_interface(bool only_preloaded)
{
    if (look_up(RTLD_DEFAULT)) {
        return &found;
    }
    if (only_preloaded) {
        problem("XQueues need this worker to be started by 'xsched run -- ...'");
        return NULL;
    }
    void *library = open_library();
    if (library == NULL || !look_up(library)) {
        problem("no libxsched.so; build it by 'make -C native lib', or name it by XSCHED_LIBRARY");
        return NULL;
    }
    return &found;
}

bool xqueue_make(struct xqueue *xqueue, const struct interface *interface, void *stream,
                 int64_t level, int64_t flags)
{
    if (!xsched_succeeded(interface->hwqueue_create(&xqueue->hwq, stream),
                          backend->hwqueue_create)) {
        return false;
    }
    if (!xsched_succeeded(interface->XQueueCreate(&xqueue->xq, xqueue->hwq, kPreemptLevelBlock,
                                                  flags),
                          "XQueueCreate")) {
        xqueue->xq = 0;
        interface->HwQueueDestroy(xqueue->hwq);
        return false;
    }
    /* Asked for by this call, because the other one would give a lower level without failing. */
    XResult result = interface->XQueueSetPreemptLevel(xqueue->xq, level);
    if (result == kXSchedErrorNotSupported) {
        return problem("preemption level %lld is not available here; give a lower one",
                       (long long)level);
    }
    return xsched_succeeded(result, "XQueueSetPreemptLevel");
}

void xqueue_free(struct xqueue *xqueue)
{
    if (xqueue->xq != 0) {
        found.XQueueDestroy(xqueue->xq);
        found.HwQueueDestroy(xqueue->hwq);
        xqueue->xq = 0;
    }
}

bool xqueue_of_stream(struct xqueue *xqueue, void *stream, int64_t priority)
{
    const struct interface *interface = find_interface(true);
    return interface != NULL &&
           xqueue_make(xqueue, interface, stream, kPreemptLevelBlock, kQueueCreateFlagNone) &&
           xsched_succeeded(interface->XHintPriority(xqueue->xq, (Priority)priority),
                            "XHintPriority");
}
