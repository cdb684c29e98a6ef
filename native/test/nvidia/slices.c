/* Time slices: set as ordered, and the driver's own again whenever nobody orders. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "orders.h"

static void in_force(void)
{
    start();
    CHECK(slice() == DEFAULT_SLICE && shown_slice() == 0);
    order_slice(1);
    EVENTUALLY(slice() == 1 && shown_slice() == 1);
    order_slice(1000000);
    EVENTUALLY(slice() == 1000000 && shown_slice() == 1000000);
    CHECK(copies_are_untouched());
    order_slice(0);
    EVENTUALLY(slice() == DEFAULT_SLICE && shown_slice() == 0);
    CHECK(rm->controls == 3 && rm_is_clean());
    finish();
}

/* Nothing is asked of the driver while the order stands. */
static void a_standing_order(void)
{
    start();
    order_slice(1);
    EVENTUALLY(shown_slice() == 1);
    for (int i = 0; i < 100; i++) {
        launch(NULL);
    }
    order_slice(1);
    sleep_millis(600);
    CHECK(rm->controls == 1 && rm_is_clean());
    finish();
}

static void a_new_context(void)
{
    struct library second = {0};
    start();
    order_slice(1);
    EVENTUALLY(slice() == 1);
    library_open(&second, 0);
    library_make_context(&second);
    EVENTUALLY(rm_slice(second.client, second.groups[0]) == 1);
    CHECK(rm_slice(second.client, second.groups[1]) == DEFAULT_SLICE);
    library_free(&second, second.client);
    order_slice(0);
    EVENTUALLY(slice() == DEFAULT_SLICE);
    CHECK(rm_is_clean());
    finish();
}

static void nonsense(void)
{
    start();
    order_slice(1);
    EVENTUALLY(slice() == 1);
    order_slice(UINT64_MAX);
    EVENTUALLY(slice() == DEFAULT_SLICE);
    CHECK(rm_is_clean());
    finish();
}

static void the_daemon_dies(void)
{
    start();
    order_slice(1);
    EVENTUALLY(slice() == 1);
    catch_errors();
    standin_die(&standin, &guest);
    EVENTUALLY(slice() == DEFAULT_SLICE);
    CHECK(rm_is_clean());
}

static void the_daemon_is_silent(void)
{
    start();
    order_slice(1);
    EVENTUALLY(slice() == 1);
    catch_errors();
    atomic_store(&standin.beating, NULL);
    EVENTUALLY(slice() == DEFAULT_SLICE);
    atomic_store(&standin.beating, &guest);
    EVENTUALLY(slice() == 1);
    CHECK(rm_is_clean());
    finish();
}

/* Runs after the library's own handler, because it was registered before. */
static void expect_default(void)
{
    if (slice() != DEFAULT_SLICE || !rm_is_clean()) {
        fprintf(stderr, "the slice is still %llu\n", (unsigned long long)slice());
        _exit(1);
    }
}

static void the_program_ends(void)
{
    atexit(expect_default);
    start();
    order_slice(1);
    EVENTUALLY(slice() == 1);
}

static void *leave(void *unused)
{
    (void)unused;
    exit(0);
}

static void a_thread_ends_it(void)
{
    pthread_t thread;
    the_program_ends();
    CHECK(pthread_create(&thread, NULL, leave, NULL) == 0);
    pthread_join(thread, NULL);
    CHECK(false);
}

static void the_driver_refuses(void)
{
    start();
    rm->refused = 0xa06c0103;
    rm->refused_status = 0x1b;
    catch_errors();
    order_slice(1);
    EVENTUALLY(__atomic_load_n(&gpu()->offers, __ATOMIC_SEQ_CST) == 0);
    CHECK(strcmp(gpu()->reason, "the driver refuses SET_TIMESLICE with status 0x1b") == 0);
    uint32_t controls = rm->controls;
    order_slice(2);
    sleep_millis(50);
    CHECK(rm->controls == controls && slice() == DEFAULT_SLICE && shown_slice() == 0);
    EVENTUALLY(count_lines(caught_errors(), "SET_TIMESLICE with status 0x1b") == 1);
    CHECK(slot->levels == 1 && rm_is_clean());
    finish();
}

/* Which may have what was our descriptor for something else. */
static void the_program_closes_everything(void)
{
    start();
    catch_errors();
    close(library.fd);
    CHECK(dup2(STDIN_FILENO, library.fd) == library.fd);
    order_slice(1);
    EVENTUALLY(__atomic_load_n(&gpu()->offers, __ATOMIC_SEQ_CST) == 0);
    CHECK(strcmp(gpu()->reason, "SET_TIMESLICE could not be called") == 0);
    CHECK(rm->controls == 0);
    finish();
}

static void a_child(void)
{
    int status;
    start();
    order_slice(1);
    EVENTUALLY(slice() == 1);
    pid_t child = fork();
    if (child == 0) {
        exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(slice() == 1 && rm_is_clean()); /* its end restored nothing here */
    order_slice(0);
    EVENTUALLY(slice() == DEFAULT_SLICE);
    finish();
}

static _Atomic bool stopped;

static void *make_contexts(void *unused)
{
    struct library own = {0};
    (void)unused;
    library_open(&own, 0);
    while (!atomic_load(&stopped)) {
        library_make_context(&own);
        library_destroy_context(&own);
    }
    library_free(&own, own.client);
    return NULL;
}

/* A group that goes while its slice is set is no refusal. */
static void contexts_come_and_go(void)
{
    pthread_t threads[2];
    start();
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_create(&threads[i], NULL, make_contexts, NULL) == 0);
    }
    for (int i = 0; i < 50; i++) {
        order_slice(1 + i % 2);
        EVENTUALLY(slice() == (uint64_t)(1 + i % 2));
    }
    atomic_store(&stopped, true);
    for (int i = 0; i < 2; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    CHECK(gpu()->offers != 0 && rm_is_clean());
    finish();
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"a slice is in force until there is another order", in_force},
        {"an order stands without a further call", a_standing_order},
        {"a new context gets it, too", a_new_context},
        {"nonsense is no order", nonsense},
        {"the daemon dies while a slice is in force", the_daemon_dies},
        {"the daemon is silent for a while", the_daemon_is_silent},
        {"the program ends while a slice is in force", the_program_ends},
        {"one of its threads ends it", a_thread_ends_it},
        {"the driver refuses", the_driver_refuses},
        {"the program closes every descriptor", the_program_closes_everything},
        {"a child leaves its parent's slices alone", a_child},
        {"contexts come and go meanwhile", contexts_come_and_go},
    };
    return run_preloaded(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
