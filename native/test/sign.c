/* A request shows itself before its first launch: from the inside, without a driver. */
#include <sys/wait.h>
#include <unistd.h>

#include "alone.h"
#include "harness.h"

#define REST_MILLIS 2
#define TRUSTED 8 /* in a row */

static struct xshim_stream *stream;
static struct xshim_unit *unit;
static struct xsched_slot *slot;
static _Atomic bool device_stopped;

static bool mark(struct xshim_stream *of, uint64_t number)
{
    (void)of;
    (void)number;
    return false;
}

static bool look(struct xshim_stream *of, uint64_t number)
{
    (void)of;
    (void)number;
    return !atomic_load(&device_stopped);
}

static const struct xshim_platform platform = {.name = "none", .mark = mark, .look = look};

static void enter(void)
{
    test_folder(); /* where no daemon is */
    struct xshim_key key = {.platform = &platform, .handle = (void *)1};
    stream = xshim_enter(&key, NULL, "none", true);
    CHECK(stream != NULL);
    unit = stream->unit;
    slot = unit->queue->slot;
    __atomic_store_n(&slot->others, XSCHED_OTHERS_ABOVE | XSCHED_OTHERS_BELOW, __ATOMIC_SEQ_CST);
}

static bool is_ready(void)
{
    return __atomic_load_n(&slot->ready_since, __ATOMIC_SEQ_CST) != 0;
}

static void launch(void)
{
    struct xshim_call call = {0};
    xshim_heed_launch(unit);
    xshim_begin(&call, stream, 0);
    xshim_issued(&call);
}

static void synchronise(void)
{
    struct xshim_call call = {0};
    xshim_before_sync(&call, stream);
    xshim_after_sync(&call, true);
}

/* Whatever this machine did to those before. */
static void become_trusted(void)
{
    synchronise();
    while (atomic_load(&unit->trust) < TRUSTED) {
        sleep_millis(REST_MILLIS);
        xshim_heed_sign();
        launch();
        synchronise();
    }
    EVENTUALLY(!is_ready());
    sleep_millis(REST_MILLIS);
}

static bool is_ready_at_a_sign(void)
{
    become_trusted();
    xshim_heed_sign();
    return is_ready();
}

static void it_is_ready_before_its_launch(void)
{
    enter();
    xshim_heed_sign();
    CHECK(!is_ready());
    EVENTUALLY(is_ready_at_a_sign());
    launch();
    synchronise();
    EVENTUALLY(!is_ready());
    CHECK(slot->submitted == slot->launched && slot->launched == slot->completed);
}

static void nothing_comes(void)
{
    enter();
    EVENTUALLY(is_ready_at_a_sign());
    EVENTUALLY(!is_ready());
    CHECK(atomic_load(&unit->trust) == 0);
}

/* A thread had counted its command just before another one's sign. */
static void another_thread_launches_at_the_same_moment(void)
{
    enter();
    for (int i = 0; i < 20; i++) {
        become_trusted();
        struct xshim_call call = {.counted = true};
        xsched_submitted(unit->queue);
        xshim_heed_sign();
        xshim_begin(&call, stream, 0);
        xshim_issued(&call);
        EVENTUALLY(!is_ready());
    }
}

static void a_forked_child_starts_anew(void)
{
    int status = -1;
    enter();
    become_trusted();
    atomic_store(&unit->announced_at, xsched_now()); /* however long the fork takes */
    xsched_submitted(unit->queue);
    pid_t child = fork();
    if (child == 0) {
        enter();
        uint64_t before = slot->submitted;
        launch();
        CHECK(slot->submitted == before + 1 && slot->launched == before + 1);
        _exit(0); /* without a search for what the parent's streams were */
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    xshim_wake_watcher();
    EVENTUALLY(!is_ready());
}

static void expect_idle(void)
{
    xshim_heed_sign();
    CHECK(!is_ready());
}

/* And it goes on for a while after our thread has ended. */
static void the_program_ends(void)
{
    atexit(expect_idle);
    enter();
    become_trusted();
}

static void the_program_ends_before_it_launches(void)
{
    atexit(expect_idle);
    enter();
    become_trusted();
    xshim_heed_sign();
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"it is ready before its launch", it_is_ready_before_its_launch},
        {"nothing comes", nothing_comes},
        {"another thread launches at the same moment", another_thread_launches_at_the_same_moment},
        {"a forked child starts anew", a_forked_child_starts_anew},
        {"the program ends", the_program_ends},
        {"the program ends before it launches", the_program_ends_before_it_launches},
    };
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
