/*
 * Streams with events. A mark is an event without a time: on an H200 it costs the device nothing and
 * the launching thread 0.3 us, to ask for it 0.13 us. A value that the device writes behind the work
 * (cuStreamWriteValue64) would be read by a load, but holds up the stream for 2.1 us each and costs
 * the thread 1.1 us (results/shim-marks-h200-20261115.json).
 */
#include "events.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "alone.h"

#define DISABLE_TIMING 2u /* CU_EVENT_DISABLE_TIMING, hipEventDisableTiming */
#define BUSY_COMMANDS 3u  /* with so many in flight, it will not run dry during a launch */
#define NOT_READY 600     /* CUDA_ERROR_NOT_READY, hipErrorNotReady */
#define FIRST_OF_CAPTURE 900 /* what may not be asked now, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED */
#define LAST_OF_CAPTURE 910

static const struct events_driver *driver_of(const struct xshim_stream *stream)
{
    return stream->key.platform->events;
}

/*
 * By what the driver answers. Once a kernel has failed, that is an error, for ever: nothing runs any
 * more, and whoever took that for work would have all others wait for it.
 */
static bool is_over(int result)
{
    return result != NOT_READY && (result < FIRST_OF_CAPTURE || result > LAST_OF_CAPTURE);
}

/*
 * Events are made in the current context: where that is another one, somebody else will mark. What
 * could spoil a capture is an event on a stream that is being captured, or on the legacy stream; the
 * stream of this very thread has just been launched on.
 */
bool events_mark(struct xshim_stream *stream, uint64_t number)
{
    const struct events_driver *driver = driver_of(stream);
    uint64_t next = atomic_load(&stream->marks_planted);
    bool is_own = atomic_load(&stream->private_to_thread);
    if (captures_quiet || next - atomic_load(&stream->marks_reached) >= XSHIM_MARKS) {
        return false;
    }
    captures_asked = true;
    if (driver->current() != stream->context || (!is_own && !captures_may_ask())) {
        return false;
    }
    void **event = &stream->events[next % XSHIM_MARKS];
    bool there = *event != NULL || DRIVER(driver, event_create)(event, DISABLE_TIMING) == 0;
    int result = there ? DRIVER(driver, event_record)(*event, stream->key.handle) : NOT_READY;
    if (!is_own) {
        captures_done_asking();
    }
    if (result != 0 && is_over(result)) {
        xshim_progress(stream, number);
    }
    return result == 0;
}

uint64_t events_poll(struct xshim_stream *stream)
{
    const struct events_driver *driver = driver_of(stream);
    uint64_t number = 0;
    if (!captures_may_ask()) {
        return 0;
    }
    uint64_t planted = atomic_load(&stream->marks_planted);
    for (uint64_t next = atomic_load(&stream->marks_reached);
         next != planted &&
         is_over(DRIVER(driver, event_query)(stream->events[next % XSHIM_MARKS]));
         next++) {
        number = stream->marks[next % XSHIM_MARKS].number;
    }
    captures_done_asking();
    return number;
}

bool events_look(struct xshim_stream *stream, uint64_t number)
{
    const struct events_driver *driver = driver_of(stream);
    void *before;
    (void)number;
    if (!captures_may_ask()) {
        return false;
    }
    bool empty = false;
    if (driver->enter(stream->context, &before)) {
        empty = is_over(DRIVER(driver, stream_query)(stream->key.handle));
        driver->leave(before);
    }
    captures_done_asking();
    return empty;
}

bool events_sync(struct xshim_stream *stream)
{
    const struct events_driver *driver = driver_of(stream);
    void *before;
    if (!driver->enter(stream->context, &before)) {
        return false;
    }
    bool done = DRIVER(driver, stream_synchronize)(stream->key.handle) == 0;
    driver->leave(before);
    return done;
}

/* Numbers are used again, also while what the last one of that number launched still runs. */
static pthread_key_t ends_of_threads;

static void forget_thread(void *id)
{
    xshim_forget_thread((uint64_t)(uintptr_t)id);
}

static void watch_threads(void)
{
    pthread_key_create(&ends_of_threads, forget_thread);
}

static uint64_t this_thread(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static _Thread_local uint64_t id;
    if (id == 0) {
        pthread_once(&once, watch_threads);
        id = (uint64_t)syscall(SYS_gettid);
        pthread_setspecific(ends_of_threads, (void *)(uintptr_t)id);
    }
    return id;
}

static bool is_default(const struct events_driver *driver, void *handle)
{
    return handle == driver->legacy || handle == EVENTS_PER_THREAD;
}

/* Without a context there is no default stream either: HIP's runtime crashes when asked about one. */
static struct xshim_stream *enter(const struct events_driver *driver, const struct xshim_key *key)
{
    char name[64];
    void *context =
        is_default(driver, key->handle) ? key->context : driver->context_of(key->handle);
    if (context == NULL || !driver->name_device(name, sizeof name, context)) {
        return NULL;
    }
    return xshim_enter(key, context, name, true);
}

static struct xshim_key key_of(const struct events_driver *driver, void *handle)
{
    struct xshim_key key = {.platform = driver->platform, .handle = handle};
    if (is_default(driver, handle)) {
        key.context = driver->current();
        key.thread = handle == EVENTS_PER_THREAD ? this_thread() : 0;
    }
    return key;
}

struct xshim_stream *events_stream(const struct events_driver *driver, void *handle)
{
    struct xshim_key key = key_of(driver, handle);
    struct xshim_stream *stream = xshim_find(&key);
    return stream != NULL ? stream : enter(driver, &key);
}

static bool is_captured(const struct events_driver *driver, void *handle)
{
    int status = 0;
    return DRIVER(driver, stream_is_capturing)(handle, &status) != 0 || status != 0;
}

void events_before_launch(const struct events_driver *driver, struct xshim_call *call, void *handle,
                          uint64_t what)
{
    *call = (struct xshim_call){0};
    if (xshim_inside++ > 0 || !xshim_is_on() ||
        (captures_anything() && is_captured(driver, handle))) {
        return;
    }
    struct xshim_stream *stream = events_stream(driver, handle);
    if (stream == NULL) {
        return;
    }
    xshim_heed_launch(stream->unit);
    if ((xshim_all_others(stream->unit) & XSCHED_OTHERS_EARLY) != 0) {
        xshim_notice_request(stream);
    }
    if ((xshim_others(stream->unit) & XSCHED_OTHERS_ABOVE) == 0) {
        xshim_begin(call, stream, 0);
        return;
    }
    timings_read(driver, stream->context);
    xshim_before(call, stream, xshim_expected_nanos(what));
    /* A device that has nothing else to do would be measured waiting for this very launch. */
    if (xshim_in_flight(stream->unit) > BUSY_COMMANDS && xshim_wants_time(what)) {
        call->timing = timings_start(driver, stream, what);
    }
}

/* Around what we do after a call of the program's. */
static void begin_after(const struct events_driver *driver, bool succeeded)
{
    if (driver->succeed != NULL) {
        captures_quiet = !succeeded;
        captures_asked = false;
    }
}

static void end_after(const struct events_driver *driver)
{
    if (driver->succeed != NULL) {
        captures_quiet = false;
        if (captures_asked) {
            driver->succeed();
        }
    }
}

/* What the driver refused is over at once, and found by the next mark or look. */
void events_after_launch(const struct events_driver *driver, struct xshim_call *call,
                         bool succeeded)
{
    if (call->stream != NULL) {
        begin_after(driver, succeeded);
        if (call->timing != NULL) {
            timings_stop(driver, call->timing, call->stream);
        }
        bool due = xshim_is_due(call);
        xshim_issued(call);
        if (!succeeded && call->stream->private_to_thread) {
            xshim_refused(call->stream);
        } else if (due) {
            xshim_plant_mark(call->stream);
        }
        end_after(driver);
    }
    xshim_inside--;
}

/* Who asks whether something is over may do so all the time, and nobody is told of it. */
void events_before_poll(const struct events_driver *driver, struct xshim_call *call, void *handle)
{
    *call = (struct xshim_call){0};
    if (xshim_inside == 0) {
        struct xshim_key key = key_of(driver, handle);
        call->stream = xshim_find(&key);
        if (call->stream != NULL) {
            xshim_before_sync(call, call->stream);
        }
    }
}

void events_after_poll(const struct events_driver *driver, struct xshim_call *call, bool succeeded)
{
    if (call->stream != NULL) {
        begin_after(driver, succeeded);
        xshim_after_sync(call, succeeded);
        end_after(driver);
    }
}

void events_before_sync(const struct events_driver *driver, struct xshim_call *call, void *handle)
{
    events_before_poll(driver, call, handle);
    if (call->stream != NULL) {
        xshim_awaits(call->stream->unit);
    }
}

void events_after_sync(const struct events_driver *driver, struct xshim_call *call, bool succeeded)
{
    if (call->stream != NULL) {
        xshim_has_awaited(call->stream->unit);
    }
    events_after_poll(driver, call, succeeded);
}

/* Events and whole contexts: what that means for each stream, the driver is asked afterwards. */
void events_before_poll_any(const struct events_driver *driver, struct xshim_call *call, void *none)
{
    (void)driver;
    (void)none;
    *call = (struct xshim_call){0};
    if (xshim_inside == 0) {
        xshim_before_sync(call, NULL);
    }
}

void events_after_poll_any(const struct events_driver *driver, struct xshim_call *call,
                           bool succeeded)
{
    if (xshim_inside == 0) {
        begin_after(driver, succeeded);
        xshim_after_sync(call, succeeded);
        end_after(driver);
    }
}

void events_before_sync_any(const struct events_driver *driver, struct xshim_call *call, void *none)
{
    events_before_poll_any(driver, call, none);
    if (xshim_inside == 0) {
        xshim_awaits(NULL);
    }
}

void events_after_sync_any(const struct events_driver *driver, struct xshim_call *call,
                           bool succeeded)
{
    if (xshim_inside == 0) {
        xshim_has_awaited(NULL);
    }
    events_after_poll_any(driver, call, succeeded);
}

void events_before_capture(const struct events_driver *driver, struct xshim_call *call,
                           void *handle)
{
    (void)driver;
    *call = (struct xshim_call){.handle = handle};
    captures_forbid_asking();
}

void events_after_capture(const struct events_driver *driver, struct xshim_call *call,
                          bool succeeded)
{
    if (succeeded) {
        struct xshim_key key = key_of(driver, call->handle);
        captures_began(&key, driver->current());
    } else {
        captures_allow_asking();
    }
}

void events_before_end_capture(const struct events_driver *driver, struct xshim_call *call,
                               void *handle)
{
    (void)driver;
    *call = (struct xshim_call){.handle = handle};
}

/* Whether it ended well or not; but some calls fail to end it. */
void events_after_end_capture(const struct events_driver *driver, struct xshim_call *call,
                              bool succeeded)
{
    if (succeeded || !is_captured(driver, call->handle)) {
        struct xshim_key key = key_of(driver, call->handle);
        captures_end(&key, NULL);
    }
}

void events_before_destroy(const struct events_driver *driver, struct xshim_call *call,
                           void *handle)
{
    *call = (struct xshim_call){.handle = handle};
    struct xshim_key key = {.platform = driver->platform, .handle = handle};
    struct xshim_stream *stream = xshim_find(&key);
    if (stream != NULL) {
        xshim_forget(stream);
    }
}

void events_after_destroy(const struct events_driver *driver, struct xshim_call *call,
                          bool succeeded)
{
    struct xshim_key key = {.platform = driver->platform, .handle = call->handle};
    if (succeeded) {
        captures_end(&key, NULL);
    }
}

void events_forget_context(const struct events_driver *driver, void *context)
{
    xshim_forget_context(driver->platform, context);
    timings_forget(context);
    if (driver->forget != NULL) {
        driver->forget(context);
    }
    captures_end(NULL, context);
}

void events_before_destroy_context(const struct events_driver *driver, struct xshim_call *call,
                                   void *context)
{
    *call = (struct xshim_call){0};
    events_forget_context(driver, context);
}

void events_after_destroy_context(const struct events_driver *driver, struct xshim_call *call,
                                  bool succeeded)
{
    (void)driver;
    (void)call;
    (void)succeeded;
}
