/* Launches that are not counted, as the program is alone: from the inside, without a driver. */
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "alone.h"
#include "harness.h"

#define STREAMS 2
#define LAUNCHERS 4
#define ROUNDS 20
#define LAUNCHES 10000 /* of each launcher in each round */
#define MEETINGS 60000u            /* on a busy machine, as many as fit into */
#define MEETING_NANOS 10000000000

static _Atomic bool device_stopped;
static _Atomic uint64_t alone_launches;
static struct xshim_stream *streams[STREAMS];
static struct xshim_unit *unit;
static struct xsched_slot *slot;

static bool mark(struct xshim_stream *stream, uint64_t number)
{
    (void)stream;
    (void)number;
    return false;
}

/* All that was launched has completed. */
static bool look(struct xshim_stream *stream, uint64_t number)
{
    (void)stream;
    (void)number;
    return !atomic_load(&device_stopped);
}

static const struct xshim_platform platform = {.name = "none", .mark = mark, .look = look};

static void enter(void)
{
    for (uintptr_t i = 0; i < STREAMS; i++) {
        struct xshim_key key = {.platform = &platform, .handle = (void *)(i + 1)};
        streams[i] = xshim_enter(&key, NULL, "none", true);
        CHECK(streams[i] != NULL);
    }
    unit = streams[0]->unit;
    slot = unit->queue->slot;
}

static bool launch(struct xshim_stream *stream)
{
    struct xshim_call call = {0};
    xshim_begin(&call, stream, 0);
    xshim_issued(&call);
    return call.alone;
}

static uint64_t load(const uint64_t *fact)
{
    return __atomic_load_n(fact, __ATOMIC_SEQ_CST);
}

static bool is_counted(uint64_t commands)
{
    return load(&slot->submitted) == commands && load(&slot->launched) == commands;
}

static bool is_idle(void)
{
    return __atomic_load_n(&slot->ready_since, __ATOMIC_SEQ_CST) == 0;
}

static void order(uint32_t others)
{
    __atomic_store_n(&slot->others, others, __ATOMIC_SEQ_CST);
}

/* Launches until one was left to who looks after the unit; returns how many there were. */
static uint64_t launch_until_alone(void)
{
    uint64_t launches = 0;
    bool looked_after;
    do {
        sleep_millis(1);
        looked_after = atomic_load(&unit->looked_after);
        launches++;
    } while (!launch(streams[0]) || !looked_after);
    return launches;
}

static void synchronise(struct xshim_stream *stream)
{
    struct xshim_call call = {0};
    xshim_before_sync(&call, stream);
    xshim_after_sync(&call, true);
}

/* What the watcher does now and then, all the time. */
static void *tend(void *stop)
{
    while (!atomic_load((_Atomic bool *)stop)) {
        for (int i = 0; i < STREAMS; i++) {
            xshim_progress(streams[i], atomic_load(&streams[i]->issued));
        }
        xshim_reap(unit);
        xshim_look_after(unit);
        uint64_t completed = load(&slot->completed);
        uint64_t launched = load(&slot->launched);
        CHECK(completed <= launched && launched <= load(&slot->submitted));
    }
    return NULL;
}

static void *launch_many(void *stream)
{
    uint64_t alone = 0;
    for (int i = 0; i < LAUNCHES; i++) {
        alone += launch(stream);
    }
    atomic_fetch_add(&alone_launches, alone);
    return NULL;
}

/* Again and again it turns idle in the midst of launches, and the watcher goes to sleep. */
static void none_is_forgotten(void)
{
    enter();
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        pthread_t launchers[LAUNCHERS], tender;
        _Atomic bool stop = false;
        CHECK(pthread_create(&tender, NULL, tend, &stop) == 0);
        for (int i = 0; i < LAUNCHERS; i++) {
            CHECK(pthread_create(&launchers[i], NULL, launch_many, streams[i % STREAMS]) == 0);
        }
        /* It stops before the last of them, or after. */
        for (int i = 0; i < LAUNCHERS && round % 2 == 0; i++) {
            CHECK(pthread_join(launchers[i], NULL) == 0);
        }
        atomic_store(&stop, true);
        CHECK(pthread_join(tender, NULL) == 0);
        for (int i = 0; i < LAUNCHERS && round % 2 == 1; i++) {
            CHECK(pthread_join(launchers[i], NULL) == 0);
        }
        uint64_t commands = round * LAUNCHERS * LAUNCHES;
        EVENTUALLY(load(&slot->completed) == commands && is_idle());
        CHECK(is_counted(commands));
    }
    CHECK(atomic_load(&alone_launches) > LAUNCHES);
}

static void meet(void)
{
    static _Atomic uint32_t arrived;
    uint32_t mine = atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) / 2 == mine / 2) {
        sched_yield();
    }
}

static void dawdle(uint32_t turns)
{
    for (uint32_t i = 0; i < turns; i++) {
        __asm__ volatile("" ::: "memory");
    }
}

static void *launch_one_at_a_time(void *over)
{
    for (uint32_t i = 0;; i++) {
        meet();
        if (atomic_load((_Atomic bool *)over)) {
            return NULL;
        }
        dawdle(i % 97);
        atomic_fetch_add(&alone_launches, launch(streams[1]));
        meet();
    }
}

/* A launch sees that, or is seen by who turns the unit idle: one on one, at any distance. */
static void a_unit_turns_idle_in_the_midst_of_a_launch(void)
{
    pthread_t launcher;
    _Atomic bool over = false;
    int64_t end = now_nanos() + MEETING_NANOS;
    uint32_t i;
    enter();
    CHECK(pthread_create(&launcher, NULL, launch_one_at_a_time, &over) == 0);
    for (i = 0; i < MEETINGS && now_nanos() < end; i++) {
        launch(streams[0]);
        xshim_look_after(unit);
        meet();
        if (i % 2 == 0) {
            sched_yield(); /* where one thread runs at a time, the other comes first then */
        }
        dawdle(i % 89);
        xshim_progress(streams[0], atomic_load(&streams[0]->issued));
        xshim_progress(streams[1], atomic_load(&streams[1]->issued));
        xshim_reap(unit);
        meet();
        /* The watcher may be at it, and then it is left to that. Nobody else helps. */
        EVENTUALLY(atomic_load(&unit->looked_after) || atomic_load(&unit->launched) == 2 * (i + 1));
    }
    atomic_store(&over, true);
    meet();
    CHECK(pthread_join(launcher, NULL) == 0);
    EVENTUALLY(load(&slot->completed) == 2 * i && is_idle());
    CHECK(is_counted(2 * i) && atomic_load(&alone_launches) > i / 100);
}

/* While the driver's call lasts, the unit turns idle, and all others sleep. */
static void a_call_of_the_driver_may_take_long(void)
{
    enter();
    struct xshim_call call = {0};
    uint64_t commands = launch_until_alone();
    for (xshim_begin(&call, streams[1], 0); !call.alone; xshim_begin(&call, streams[1], 0)) {
        xshim_issued(&call);
        commands += 1 + launch_until_alone();
    }
    EVENTUALLY(is_idle());
    CHECK(is_counted(commands));
    sleep_millis(30);
    atomic_store(&device_stopped, true);
    xshim_issued(&call);
    CHECK(is_counted(commands + 1) && !is_idle());
    atomic_store(&device_stopped, false);
    EVENTUALLY(load(&slot->completed) == commands + 1 && is_idle());
}

/* As a copy does that must not go ahead of what was launched before. */
static void a_launch_that_waits_is_measured(void)
{
    enter();
    order(XSCHED_OTHERS_BELOW);
    struct xshim_call call = {0};
    launch(streams[0]);
    xshim_begin(&call, streams[0], 0);
    sleep_millis(2);
    CHECK(load(&slot->sync_nanos) < 2000000);
    xshim_issued(&call);
    CHECK(load(&slot->sync_nanos) >= 2000000 && load(&slot->syncs) == 0);
}

/* A thread now and then, as the watcher falls asleep. */
static void the_watcher_may_be_falling_asleep(void)
{
    enter();
    uint64_t commands = 0;
    for (int i = 0; i < 30; i++) {
        launch(streams[0]);
        sleep_millis(1);
        launch(streams[1]);
        commands += 2;
        for (int looks = 0; looks < 5 * i && !is_idle(); looks++) {
            sleep_millis(1);
        }
    }
    EVENTUALLY(load(&slot->completed) == commands && is_idle());
    CHECK(is_counted(commands));
}

static void a_wait_of_the_program_counts_them(void)
{
    enter();
    atomic_store(&device_stopped, true);
    uint64_t commands = launch_until_alone();
    for (int tries = 0; tries < 10; tries++) {
        commands += launch_until_alone();
        synchronise(tries % 2 == 0 ? streams[0] : NULL);
        if (is_counted(commands)) { /* unless the watcher has the lock */
            return;
        }
    }
    CHECK(false);
}

static void the_first_launch_beside_others_counts_them(void)
{
    enter();
    atomic_store(&device_stopped, true);
    uint64_t commands = launch_until_alone();
    order(XSCHED_OTHERS_BELOW);
    CHECK(!launch(streams[1]));
    EVENTUALLY(is_counted(commands + 1));
    CHECK(xshim_in_flight(unit) == commands + 1 && !is_idle());
    CHECK(!launch(streams[0]));
    CHECK(is_counted(commands + 2));
    order(0);
    commands += 2 + launch_until_alone();
    atomic_store(&device_stopped, false);
    EVENTUALLY(load(&slot->completed) == commands && is_idle());
    CHECK(is_counted(commands));
}

static void a_closed_gate_counts_them(void)
{
    enter();
    atomic_store(&device_stopped, true);
    uint64_t commands = launch_until_alone();
    static struct xsched_board board;
    static struct xsched_link link = {.board = &board};
    __atomic_store_n(&slot->gate, 1, __ATOMIC_SEQ_CST);
    atomic_store(&xsched_client.link, &link);
    CHECK(!launch(streams[0])); /* no heart beats, so it is let through */
    EVENTUALLY(is_counted(commands + 1));
}

/* Who is woken when it is counted is woken then, and not while the device waits for it. */
static void the_first_is_counted_after_the_drivers_call(void)
{
    enter();
    for (uint64_t i = 1; i < 7; i++) {
        struct xshim_call call = {0};
        order(i < 4 ? 0 : XSCHED_OTHERS_BELOW | XSCHED_OTHERS_APART);
        xshim_begin(&call, streams[0], 0);
        CHECK(call.alone && is_counted(i - 1) && is_idle());
        xshim_issued(&call);
        CHECK(is_counted(i));
        EVENTUALLY(is_idle());
    }
}

/* Others are held back as soon as it has something to launch. */
static void unless_others_are_to_wait_for_it(void)
{
    static const uint32_t others[] = {XSCHED_OTHERS_STOPPED, XSCHED_OTHERS_BELOW,
                                      XSCHED_OTHERS_BELOW | XSCHED_OTHERS_YIELD};
    enter();
    for (uint64_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct xshim_call call = {0};
        order(others[i]);
        xshim_begin(&call, streams[0], 0);
        CHECK(!call.alone && load(&slot->submitted) == i + 1 && !is_idle());
        xshim_issued(&call);
        EVENTUALLY(is_idle());
    }
}

static void a_stream_may_go(void)
{
    enter();
    atomic_store(&device_stopped, true);
    uint64_t commands = launch_until_alone();
    xshim_forget(streams[0]);
    EVENTUALLY(is_counted(commands));
}

static void who_keeps_a_window_counts_each(void)
{
    setenv("XSCHED_AUTO_XQUEUE_THRESHOLD", "1000", 1);
    enter();
    for (uint64_t i = 1; i < 30; i++) {
        CHECK(!launch(streams[0]) && is_counted(i));
        sleep_millis(1);
    }
}

static void a_forked_child_starts_anew(void)
{
    enter();
    atomic_store(&device_stopped, true);
    uint64_t commands = launch_until_alone();
    pid_t child = fork();
    if (child == 0) {
        CHECK(!atomic_load(&unit->looked_after) && xshim_in_flight(unit) == 0);
        atomic_store(&device_stopped, false);
        enter();
        CHECK(launch(streams[0]) && is_counted(1));
        uint64_t own = 1 + launch_until_alone();
        EVENTUALLY(load(&slot->completed) == own && is_idle());
        CHECK(is_counted(own));
        _exit(0); /* without a search for what the parent's streams were */
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    EVENTUALLY(is_counted(commands));
    CHECK(!is_idle());
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"no launch is forgotten", none_is_forgotten},
        {"a unit turns idle in the midst of a launch", a_unit_turns_idle_in_the_midst_of_a_launch},
        {"a call of the driver may take long", a_call_of_the_driver_may_take_long},
        {"a launch that waits is measured", a_launch_that_waits_is_measured},
        {"the watcher may be falling asleep", the_watcher_may_be_falling_asleep},
        {"a wait of the program counts them", a_wait_of_the_program_counts_them},
        {"the first launch beside others counts them", the_first_launch_beside_others_counts_them},
        {"a closed gate counts them", a_closed_gate_counts_them},
        {"the first is counted after the driver's call",
         the_first_is_counted_after_the_drivers_call},
        {"unless others are to wait for it", unless_others_are_to_wait_for_it},
        {"a stream may go", a_stream_may_go},
        {"who keeps a window counts each", who_keeps_a_window_counts_each},
        {"a forked child starts anew", a_forked_child_starts_anew},
    };
    test_folder();
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
