/* Places in which what we do would end a program, or hold it up, that does well without us. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness.h"
#include "standin.h"
#include "xsched_client.h"

static struct standin standin;
static struct guest guest;

/* Says that there is no daemon. */
static xsched_queue *open_unscheduled(void)
{
    setenv("XSCHED_DIR", "/nonexistent", 1);
    xsched_queue *queue = xsched_queue_open("device", "queue");
    xsched_gate(queue);
    xsched_launched(queue);
    return queue;
}

static void nobody_reads_what_we_say_any_more(void)
{
    int ends[2];
    sigset_t pending;
    CHECK(pipe(ends) == 0 && dup2(ends[1], STDERR_FILENO) >= 0);
    close(ends[0]);
    errno = ENOTTY;
    CHECK(open_unscheduled() != NULL && errno == ENOTTY);
    sigpending(&pending);
    CHECK(!sigismember(&pending, SIGPIPE));
}

static void nobody_reads_it_yet(void)
{
    int ends[2];
    char some[4096] = {0};
    CHECK(pipe(ends) == 0 && dup2(ends[1], STDERR_FILENO) >= 0);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    while (write(ends[1], some, sizeof some) > 0) {
    }
    fcntl(ends[1], F_SETFL, 0);
    CHECK(open_unscheduled() != NULL);
}

static void limit_files(size_t size)
{
    struct rlimit limit = {.rlim_cur = size, .rlim_max = RLIM_INFINITY};
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

static void files_may_not_grow(void)
{
    catch_errors();
    limit_files(1000);
    CHECK(open_unscheduled() != NULL);
    CHECK(count_lines(caught_errors(), "no memory to share with the daemon") == 1);
    limit_files(RLIM_INFINITY);
}

static void what_we_say_does_not_fit_into_its_file(void)
{
    catch_errors();
    limit_files(3);
    CHECK(open_unscheduled() != NULL);
    limit_files(RLIM_INFINITY);
    CHECK(caught_errors()[0] == 0 || caught_errors()[3] == 0);
}

static void *open_cancelled(void *queue)
{
    pthread_cancel(pthread_self());
    *(xsched_queue **)queue = xsched_queue_open("device", "queue");
    pthread_testcancel();
    return NULL;
}

static void cancel_first_use(void)
{
    pthread_t thread;
    void *result;
    xsched_queue *opened = NULL;
    CHECK(pthread_create(&thread, NULL, open_cancelled, &opened) == 0);
    CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
    CHECK(opened != NULL);
}

/* Which talks to the daemon. */
static void a_thread_is_cancelled_in_its_first_use(void)
{
    catch_errors();
    test_folder();
    cancel_first_use();
    standin_start(&standin);
    standin_host(&standin, &guest);
    xsched_queue *queue = xsched_queue_open("device", "queue");
    EVENTUALLY((xsched_gate(queue), xsched_launched(queue), xsched_completed(queue, 1, 0),
                xsched_registered()));
    standin_hosted(&standin);
}

/* Which has something to say while it makes the memory. */
static void a_thread_is_cancelled_where_memory_is_made(void)
{
    limit_files(1000);
    setenv("XSCHED_DIR", "/nonexistent", 1);
    cancel_first_use();
    CHECK(open_unscheduled() != NULL);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"nobody reads any more what we say", nobody_reads_what_we_say_any_more},
        {"nobody reads yet what we say", nobody_reads_it_yet},
        {"files may not grow to what is shared", files_may_not_grow},
        {"what we say does not fit into its file", what_we_say_does_not_fit_into_its_file},
        {"a thread is cancelled in its first use", a_thread_is_cancelled_in_its_first_use},
        {"a thread is cancelled where memory is made", a_thread_is_cancelled_where_memory_is_made},
    };
    test_folder();
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
