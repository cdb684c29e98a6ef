/* Daemons that die, hang, refuse, or come late. */
#include <string.h>

#include "harness.h"
#include "standin.h"
#include "xsched_client.h"

static struct standin standin;
static struct guest guest;

static xsched_queue *open_scheduled(void)
{
    standin_start(&standin);
    standin_host(&standin, &guest);
    xsched_queue *queue = xsched_queue_open("device", "queue");
    standin_hosted(&standin);
    CHECK(xsched_registered());
    return queue;
}

static void command(xsched_queue *queue)
{
    xsched_gate(queue);
    xsched_launched(queue);
    xsched_completed(queue, 1, 1);
}

static void gates_open_when_the_heart_stops(void)
{
    catch_errors();
    xsched_queue *queue = open_scheduled();
    standin_set_gate(&guest.block->slot[0], 1);
    atomic_store(&standin.beating, NULL);
    xsched_gate(queue);
    xsched_launched(queue);
    CHECK(xsched_registered());
    for (int i = 0; i < 1000; i++) {
        command(queue); /* no wait at all from now on */
    }
    CHECK(guest.block->slot[0].gate_waits <= 1);
    EVENTUALLY((command(queue), count_lines(caught_errors(), "the daemon is silent") == 1));

    guest.block->changed[0] = 0;
    atomic_store(&standin.beating, &guest); /* it goes on, and hears of everything again */
    standin_set_gate(&guest.block->slot[0], 0);
    EVENTUALLY((xsched_completed(queue, 1, 0), xsched_gate(queue), guest.block->changed[0] == 1));
    xsched_queue_close(queue);
}

static void registers_again_with_the_same_block(void)
{
    struct standin next;
    struct guest again;
    catch_errors();
    xsched_queue *queue = open_scheduled();
    uint64_t inode = guest.block_inode;
    standin_set_gate(&guest.block->slot[0], 1);
    guest.block->slot[0].others = XSCHED_OTHERS_ABOVE;
    standin_die(&standin, &guest);
    command(queue); /* the socket's end opens the gate */
    CHECK(!xsched_registered());
    CHECK(count_lines(caught_errors(), "the daemon is gone") == 1);

    standin_start(&next);
    standin_host(&next, &again);
    EVENTUALLY((command(queue), xsched_registered()));
    standin_hosted(&next);
    CHECK(again.block_inode == inode && xsched_registrations() == 2);
    CHECK(again.block->slot[0].state == XSCHED_SLOT_USED);
    CHECK(again.block->slot[0].gate == 0); /* the dead daemon's order */
    CHECK(again.block->slot[0].others == 0);
    CHECK(again.block->changed[0] == 1 && next.board->rung[1] != 0);
    standin_set_gate(&again.block->slot[0], 1);
    standin_die(&next, &again);
    command(queue);
    CHECK(count_lines(caught_errors(), "xsched: ") == 1); /* gone; not, too, that nobody is there */
    xsched_queue_close(queue);
}

static void finds_a_daemon_that_comes_later(void)
{
    catch_errors();
    xsched_queue *queue = xsched_queue_open("device", "queue");
    command(queue);
    CHECK(!xsched_registered());
    standin_start(&standin);
    standin_host(&standin, &guest);
    EVENTUALLY((command(queue), xsched_registered()));
    standin_hosted(&standin);
    xsched_queue_close(queue);
}

static void a_daemon_that_hangs_costs_no_more_than_the_first_wait(void)
{
    catch_errors();
    standin_start(&standin);
    xsched_queue *queue = xsched_queue_open("device", "queue");
    CHECK(!xsched_registered());
    CHECK(count_lines(caught_errors(), "does not answer; running unscheduled") == 1);
    for (int i = 0; i < 10; i++) {
        command(queue);
        sleep_millis(50);
    }
    standin_accept(&standin, &guest);
    standin_welcome(&standin, &guest, XSCHED_PROTOCOL, XSCHED_WELCOME_OK, "");
    EVENTUALLY((command(queue), xsched_registered()));
    xsched_queue_close(queue);
}

static void *turn_away(void *argument)
{
    const uint32_t *version = argument;
    standin_accept(&standin, &guest);
    standin_welcome(&standin, &guest, *version,
                    *version == XSCHED_PROTOCOL ? XSCHED_WELCOME_REFUSED : XSCHED_WELCOME_VERSION,
                    "full up");
    return NULL;
}

static void check_turned_away(uint32_t version, const char *line)
{
    pthread_t thread;
    catch_errors();
    standin_start(&standin);
    CHECK(pthread_create(&thread, NULL, turn_away, &version) == 0);
    xsched_queue *queue = xsched_queue_open("device", "queue");
    pthread_join(thread, NULL);
    for (int i = 0; i < 12; i++) {
        command(queue);
        sleep_millis(50);
    }
    CHECK(!xsched_registered());
    CHECK(count_lines(caught_errors(), "\n") == 1 && count_lines(caught_errors(), line) == 1);
    xsched_queue_close(queue);
}

static void another_version_means_unscheduled(void)
{
    check_turned_away(9, "speaks protocol 9 and this program 2");
}

static void a_refusal_means_unscheduled(void)
{
    check_turned_away(XSCHED_PROTOCOL, "the daemon refuses: full up; running unscheduled");
}

static void *close_gate_and_leave(void *argument)
{
    (void)argument;
    EVENTUALLY(__atomic_load_n(&guest.block->slot[0].waiters, __ATOMIC_SEQ_CST) == 1);
    xsched_leave();
    return NULL;
}

static void leaving_opens_the_gates(void)
{
    pthread_t thread;
    xsched_queue *queue = open_scheduled();
    standin_set_gate(&guest.block->slot[0], 1);
    CHECK(pthread_create(&thread, NULL, close_gate_and_leave, NULL) == 0);
    command(queue);
    pthread_join(thread, NULL);
    CHECK(!xsched_registered());
    xsched_queue_close(queue);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"gates open when the heart stops", gates_open_when_the_heart_stops},
        {"a program registers again with the same block", registers_again_with_the_same_block},
        {"a program finds a daemon that comes later", finds_a_daemon_that_comes_later},
        {"a daemon that hangs costs no more than the first wait",
         a_daemon_that_hangs_costs_no_more_than_the_first_wait},
        {"another version means unscheduled", another_version_means_unscheduled},
        {"a refusal means unscheduled", a_refusal_means_unscheduled},
        {"leaving opens the gates", leaving_opens_the_gates},
    };
    test_folder();
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
