/* Interrupts: channels are off the GPU as long as somebody wants that who is alive, and not longer. */
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../shim/nvidia_rm.h"
#include "orders.h"

#define REGISTER_FD _IOWR(NV_IOCTL_MAGIC, NV_ESC_REGISTER_FD, nv_ioctl_register_fd_t)

static void interrupt(void)
{
    order_interrupt(XSCHED_INTERRUPT_HERE);
    EVENTUALLY(disabled() == COMPUTE_CHANNELS);
    EVENTUALLY(answered() == gpu()->interrupt_order_seq && gpu()->interrupted == 1);
}

static void back_and_forth(void)
{
    start();
    for (int i = 0; i < 5; i++) {
        interrupt();
        CHECK(copies_are_untouched());
        order_interrupt(XSCHED_INTERRUPT_NONE);
        EVENTUALLY(disabled() == 0);
        EVENTUALLY(answered() == gpu()->interrupt_order_seq && gpu()->interrupted == 0);
    }
    CHECK(rm->controls == 10 && rm_is_clean());
    finish();
}

static void with_slice(uint64_t micros, uint32_t only_scheduling)
{
    order_slice(micros);
    EVENTUALLY(shown_slice() == micros);
    interrupt();
    CHECK(rm_only_scheduling_of(library.client) == only_scheduling);
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(answered() == gpu()->interrupt_order_seq && disabled() == 0);
    EVENTUALLY(rm_forgotten_of(library.client) == 0);
}

/* The stand-in fails the test if that is asked for where channels are enabled. */
static void short_slices(void)
{
    start();
    with_slice(1, COMPUTE_CHANNELS);
    with_slice(0, 0);
    with_slice(100, COMPUTE_CHANNELS);
    with_slice(101, 0);
    with_slice(512, 0);
    with_slice(1, COMPUTE_CHANNELS);
    with_slice(DEFAULT_SLICE, 0);
    with_slice(1000000, 0);
    CHECK(copies_are_untouched() && rm_is_clean());
    finish();
}

/* Runs after the library's own handler, because it was registered before. */
static void expect_running(void)
{
    if (disabled() != 0 || rm_forgotten_of(library.client) != 0 || rm->rings != 0 ||
        !rm_is_clean()) {
        fprintf(stderr, "channels do not run\n");
        _exit(1);
    }
}

/* Otherwise work could be forgotten. */
static void no_doorbells(void)
{
    start();
    catch_errors();
    with_slice(1, 0);
    with_slice(100, 0);
    CHECK(gpu()->reminds == 0 && rm->rings == 0 && rm_is_clean());
    CHECK(count_lines(caught_errors(), "the doorbells of the GPU cannot be had") == 1);
    finish();
}

static void doorbells_of_no_known_kind(void)
{
    library.no_doorbells = true;
    no_doorbells();
}

static void doorbells_that_are_refused(void)
{
    refuses_mappings = true;
    no_doorbells();
}

/* As programs do that close whatever they find open. */
static void close_what_is_ours(void)
{
    CHECK(rm_close_all_but(library.fd) == 1);
}

static void doorbells_are_lost(void)
{
    start();
    with_slice(1, COMPUTE_CHANNELS);
    uint32_t rings = rm->rings;
    CHECK(gpu()->reminds == 1 && rings == COMPUTE_CHANNELS);
    close_what_is_ours();
    with_slice(1, 0);
    CHECK(rm->rings == rings && gpu()->reminds == 0 && rm_is_clean());
    finish();
}

/* What is off the GPU by then is not forgotten. */
static void doorbells_are_lost_meanwhile(void)
{
    start();
    order_slice(1);
    EVENTUALLY(shown_slice() == 1);
    interrupt();
    close_what_is_ours();
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(answered() == gpu()->interrupt_order_seq && disabled() == 0);
    CHECK(rm_forgotten_of(library.client) == 0 && rm->rings == 0 && rm_is_clean());
    finish();
}

static void doorbells_are_lost_before_the_end(void)
{
    atexit(expect_running);
    start();
    order_slice(1);
    EVENTUALLY(shown_slice() == 1);
    interrupt();
    close_what_is_ours();
}

/* Each by the slice at its time. */
static void channels_come_and_slices_change(void)
{
    char parameters[368] = {0};
    start();
    order_slice(1);
    EVENTUALLY(shown_slice() == 1);
    interrupt();
    uint32_t more = library_alloc(&library, library.groups[0], 0, 0xc86f, parameters, 368);
    EVENTUALLY(rm_disabled(library.client, more) == 1);
    CHECK(rm_only_scheduling_of(library.client) == COMPUTE_CHANNELS + 1);
    order_slice(0);
    EVENTUALLY(slice() == DEFAULT_SLICE && shown_slice() == 0);
    CHECK(rm_only_scheduling_of(library.client) == COMPUTE_CHANNELS + 1);
    more = library_alloc(&library, library.groups[0], 0, 0xc86f, parameters, 368);
    EVENTUALLY(rm_disabled(library.client, more) == 1);
    CHECK(rm_only_scheduling_of(library.client) == COMPUTE_CHANNELS + 1);
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(rm_disabled_of(library.client) == 0 && rm_forgotten_of(library.client) == 0);
    CHECK(rm_is_clean());
    finish();
}

/* The stand-in fails the test if a channel is disabled twice. */
static void the_same_order_twice(void)
{
    start();
    interrupt();
    for (int i = 0; i < 3; i++) {
        order_interrupt(XSCHED_INTERRUPT_HERE);
        EVENTUALLY(answered() == gpu()->interrupt_order_seq);
    }
    CHECK(rm->controls == 1);
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(disabled() == 0);
    CHECK(rm_is_clean());
    finish();
}

static void many_channels(void)
{
    struct library more[9];
    start();
    for (int i = 0; i < 9; i++) {
        more[i] = (struct library){.longer = true};
        library_open(&more[i], 0);
        library_make_context(&more[i]);
    }
    interrupt();
    EVENTUALLY(rm_disabled(more[8].client, more[8].channels[COMPUTE_CHANNELS - 1]) == 1);
    CHECK(rm->most_in_a_list == 64 && gpu()->channel_count == 80);
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(disabled() == 0);
    EVENTUALLY(rm_disabled(more[8].client, more[8].channels[COMPUTE_CHANNELS - 1]) == 0);
    CHECK(rm_is_clean());
    finish();
}

static void the_daemon_dies(void)
{
    start();
    interrupt();
    catch_errors();
    standin_die(&standin, &guest);
    EVENTUALLY(disabled() == 0);
    CHECK(rm_is_clean());
}

static void the_daemon_is_silent(void)
{
    start();
    interrupt();
    catch_errors();
    atomic_store(&standin.beating, NULL);
    EVENTUALLY(disabled() == 0);
    CHECK(rm_is_clean());
    finish();
}

/* From another process, which is no more when it has done so. */
static void turn_from_outside(bool off, bool only_scheduling)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        struct library own = {.longer = true};
        library_open(&own, 0);
        nv_ioctl_register_fd_t whose = {.ctl_fd = own.fd};
        CHECK(ioctl(open("/dev/nvidia0", O_RDWR), REGISTER_FD, &whose) == 0);
        NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS parameters = {
            .bDisable = off,
            .bOnlyDisableScheduling = only_scheduling,
            .numChannels = COMPUTE_CHANNELS};
        for (uint32_t i = 0; i < COMPUTE_CHANNELS; i++) {
            parameters.hClientList[i] = library.client;
            parameters.hChannelList[i] = library.channels[i];
        }
        NVOS54_PARAMETERS call = {.hClient = own.client,
                                  .hObject = own.subdevice,
                                  .cmd = NV2080_CTRL_CMD_FIFO_DISABLE_CHANNELS,
                                  .params = (uintptr_t)&parameters,
                                  .paramsSize = sizeof parameters};
        _exit(ioctl(own.fd, NV_IOCTL_CONTROL, &call) == 0 && call.status == NV_OK ? 0 : 1);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(disabled() == (off ? COMPUTE_CHANNELS : 0));
}

static void disable_from_outside(void)
{
    turn_from_outside(true, false);
}

/* The driver is asked for nothing but the numbers of its channels, once. */
static void restored_from_outside(void)
{
    start();
    order_slice(1);
    EVENTUALLY(shown_slice() == 1);
    CHECK(gpu()->reminds == 1);
    uint32_t controls = rm->controls;
    for (uint32_t i = 1; i <= 3; i++) {
        order_interrupt(XSCHED_INTERRUPT_BY_DAEMON);
        EVENTUALLY(answered() == gpu()->interrupt_order_seq);
        turn_from_outside(true, true);
        turn_from_outside(false, false);
        CHECK(rm_forgotten_of(library.client) == COMPUTE_CHANNELS);
        order_interrupt(XSCHED_INTERRUPT_NONE);
        EVENTUALLY(rm_forgotten_of(library.client) == 0);
        CHECK(rm->rings == i * COMPUTE_CHANNELS);
        CHECK(rm->controls == controls + COMPUTE_CHANNELS + 2 * i);
    }
    sleep_millis(600);
    CHECK(rm->rings == 3 * COMPUTE_CHANNELS && copies_are_untouched() && rm_is_clean());
    finish();
}

/* An order to go on after another one: then whatever else is known to help is done, too. */
static void the_daemon_doubts(void)
{
    start();
    order_slice(1);
    EVENTUALLY(shown_slice() == 1);
    for (uint32_t i = 1; i <= 3; i++) {
        uint32_t controls = rm->controls, rings = rm->rings;
        order_interrupt(XSCHED_INTERRUPT_NONE);
        EVENTUALLY(answered() == gpu()->interrupt_order_seq);
        CHECK(rm->rings == rings + COMPUTE_CHANNELS);
        CHECK(rm->controls == controls + 1 + (i == 1 ? COMPUTE_CHANNELS : 0) && slice() == 1);
    }
    CHECK(copies_are_untouched() && rm_is_clean());
    finish();
}

static void from_outside(void)
{
    start();
    order_interrupt(XSCHED_INTERRUPT_BY_DAEMON);
    EVENTUALLY(answered() == gpu()->interrupt_order_seq);
    disable_from_outside();
    uint32_t controls = rm->controls;
    sleep_millis(200);
    CHECK(rm->controls == controls && disabled() == COMPUTE_CHANNELS); /* not our business */
    catch_errors();
    standin_die(&standin, &guest);
    EVENTUALLY(disabled() == 0);
    CHECK(rm_is_clean());
}

/* It wrote the order down and disabled them, and the agent comes to look when it is gone. */
static void from_outside_and_unseen(void)
{
    start();
    interrupt();
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(answered() == gpu()->interrupt_order_seq);
    catch_errors();
    __atomic_store_n(&gpu()->interrupt_order, XSCHED_INTERRUPT_BY_DAEMON, __ATOMIC_SEQ_CST);
    disable_from_outside();
    atomic_store(&standin.beating, NULL);
    sleep_millis(XSCHED_HEARTBEAT_LOST_NANOS / 1000000 + 100);
    confirm_interrupt();
    EVENTUALLY(disabled() == 0);
    CHECK(rm_is_clean());
    finish();
}

/* As above, and the program learns of its death before the agent looks. */
static void dead_and_unseen(void)
{
    start();
    interrupt();
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(answered() == gpu()->interrupt_order_seq && disabled() == 0);
    catch_errors();
    __atomic_store_n(&gpu()->interrupt_order, XSCHED_INTERRUPT_BY_DAEMON, __ATOMIC_SEQ_CST);
    disable_from_outside();
    standin_die(&standin, &guest);
    EVENTUALLY((launch(NULL), disabled() == 0));
    CHECK(rm_is_clean());
}

static void nobody_confirms_it(void)
{
    setenv("XSCHED_INTERRUPT_LIMIT", "0.2", 1);
    start();
    catch_errors();
    interrupt();
    EVENTUALLY(disabled() == 0);
    EVENTUALLY(gpu()->interrupted == 0);
    sleep_millis(300);
    CHECK(disabled() == 0);
    CHECK(count_lines(caught_errors(), "without a decision that wants it so; going on") == 1);
    confirm_interrupt(); /* somebody decided it anew */
    EVENTUALLY(disabled() == COMPUTE_CHANNELS);
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(disabled() == 0);
    CHECK(rm_is_clean());
    finish();
}

static void nobody_confirms_it_from_outside(void)
{
    setenv("XSCHED_INTERRUPT_LIMIT", "0.2", 1);
    start();
    catch_errors();
    disable_from_outside();
    order_interrupt(XSCHED_INTERRUPT_BY_DAEMON);
    EVENTUALLY(disabled() == 0);
    EVENTUALLY(count_lines(caught_errors(), "without a decision that wants it so; going on") == 1);
    CHECK(rm_is_clean());
    finish();
}

static void somebody_confirms_it(void)
{
    setenv("XSCHED_INTERRUPT_LIMIT", "2", 1);
    start();
    interrupt();
    uint32_t controls = rm->controls;
    for (int64_t end = now_nanos() + 3000000000ll; now_nanos() < end;) {
        confirm_interrupt();
        sleep_millis(20);
    }
    CHECK(disabled() == COMPUTE_CHANNELS && rm->controls == controls);
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(disabled() == 0);
    CHECK(rm_is_clean());
    finish();
}

static void a_limit_that_is_none(void)
{
    setenv("XSCHED_INTERRUPT_LIMIT", "soon", 1);
    start();
    catch_errors();
    interrupt();
    EVENTUALLY(count_lines(caught_errors(), "XSCHED_INTERRUPT_LIMIT is 'soon'") == 1);
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(disabled() == 0);
    finish();
}

static void the_driver_refuses(void)
{
    start();
    catch_errors();
    rm->refused = NV2080_CTRL_CMD_FIFO_DISABLE_CHANNELS;
    rm->refused_status = 0x1b;
    order_interrupt(XSCHED_INTERRUPT_HERE);
    EVENTUALLY(__atomic_load_n(&gpu()->offers, __ATOMIC_SEQ_CST) == 0);
    CHECK(strcmp(gpu()->reason, "the driver refuses DISABLE_CHANNELS with status 0x1b") == 0);
    CHECK(disabled() == 0);
    EVENTUALLY(count_lines(caught_errors(), "DISABLE_CHANNELS") == 1);
    CHECK(rm_is_clean());
    finish();
}

static void the_program_ends(void)
{
    atexit(expect_running);
    start();
    interrupt();
}

static void a_channel_comes_and_one_goes(void)
{
    char parameters[368] = {0};
    start();
    interrupt();
    uint32_t more = library_alloc(&library, library.groups[0], 0, 0xc86f, parameters, 368);
    EVENTUALLY(rm_disabled(library.client, more) == 1);
    library_free(&library, library.channels[0]);
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(rm_disabled(library.client, more) == 0);
    EVENTUALLY(rm_disabled(library.client, library.channels[1]) == 0);
    CHECK(gpu()->offers != 0 && rm_is_clean());
    finish();
}

static void a_child(void)
{
    int status;
    start();
    interrupt();
    pid_t child = fork();
    if (child == 0) {
        exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(disabled() == COMPUTE_CHANNELS);
    order_interrupt(XSCHED_INTERRUPT_NONE);
    EVENTUALLY(disabled() == 0);
    CHECK(rm_is_clean());
    finish();
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"channels go off the GPU, and come back", back_and_forth},
        {"nothing is preempted where slices are short", short_slices},
        {"without doorbells that is not done", doorbells_that_are_refused},
        {"nor where their kind is not known", doorbells_of_no_known_kind},
        {"doorbells are lost when the program closes what is not its own", doorbells_are_lost},
        {"doorbells are lost while channels are off the GPU", doorbells_are_lost_meanwhile},
        {"doorbells are lost before the program ends", doorbells_are_lost_before_the_end},
        {"channels come and slices change meanwhile", channels_come_and_slices_change},
        {"no channel is disabled twice", the_same_order_twice},
        {"more channels than fit into one call", many_channels},
        {"the daemon dies meanwhile", the_daemon_dies},
        {"the daemon is silent meanwhile", the_daemon_is_silent},
        {"the GPU is reminded of work when the daemon has restored it", restored_from_outside},
        {"the daemon doubts whether it gets on", the_daemon_doubts},
        {"the daemon dies after it has done so itself", from_outside},
        {"the daemon is gone before the program has seen that", from_outside_and_unseen},
        {"the daemon dies before the program has seen that", dead_and_unseen},
        {"nobody confirms it", nobody_confirms_it},
        {"nobody confirms what the daemon has done itself", nobody_confirms_it_from_outside},
        {"somebody confirms it", somebody_confirms_it},
        {"a limit that is none", a_limit_that_is_none},
        {"the driver refuses", the_driver_refuses},
        {"the program ends meanwhile", the_program_ends},
        {"a channel comes and one goes meanwhile", a_channel_comes_and_one_goes},
        {"a child leaves its parent's channels alone", a_child},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
