/* With a daemon: facts, gates and ceilings. */
#include <pthread.h>
#include <string.h>

#include "harness.h"
#include "standin.h"
#include "xsched_client.h"

static struct standin standin;
static struct guest guest;

static xsched_queue *open_scheduled(const char *device, const char *name)
{
    standin_start(&standin);
    standin_host(&standin, &guest);
    xsched_queue *queue = xsched_queue_open(device, name);
    standin_hosted(&standin);
    CHECK(xsched_registered());
    return queue;
}

/* A thread that launches one command. */
struct launch {
    xsched_queue *queue;
    atomic_bool done;
    pthread_t thread;
};

static void *pass_gate(void *argument)
{
    struct launch *launch = argument;
    xsched_gate(launch->queue);
    xsched_launched(launch->queue);
    atomic_store(&launch->done, true);
    return NULL;
}

static void launch_start(struct launch *launch, xsched_queue *queue)
{
    launch->queue = queue;
    atomic_store(&launch->done, false);
    CHECK(pthread_create(&launch->thread, NULL, pass_gate, launch) == 0);
}

static uint64_t load(const uint64_t *fact)
{
    return __atomic_load_n(fact, __ATOMIC_SEQ_CST);
}

static void tells_its_facts(void)
{
    xsched_queue *queue = open_scheduled("shared:/device", "stream 1");
    struct xsched_slot *slot = &guest.block->slot[0];
    CHECK(slot->state == XSCHED_SLOT_USED && slot->generation == 1);
    CHECK(strcmp(slot->device, "shared:/device") == 0 && strcmp(slot->name, "stream 1") == 0);
    CHECK(slot->levels == 1 && slot->ready_since == 0 && slot->ceiling == XSCHED_NO_CEILING);
    CHECK(guest.block->changed[0] == 1);
    CHECK(standin.board->rung[70 / 64] == 1ull << 70 % 64);
    uint32_t bell = standin.board->bell;

    xsched_gate(queue);
    CHECK(slot->ready_since != 0 && slot->changes == 1 && slot->submitted == 1);
    CHECK(standin.board->bell == bell + 1);
    xsched_launched(queue);
    xsched_gate(queue);
    xsched_launched(queue);
    CHECK(standin.board->bell == bell + 1); /* no message per command */
    xsched_completed(queue, 1, 4000);
    CHECK(slot->ready_since != 0);
    xsched_completed(queue, 1, 4000);
    CHECK(slot->ready_since == 0 && slot->changes == 2);
    CHECK(slot->submitted == 2 && slot->launched == 2 && slot->completed == 2);
    CHECK(slot->busy_nanos == 8000 && slot->command_nanos == 4000);
    CHECK(slot->gate_waits == 0 && slot->stopped == 0);

    CHECK(xsched_hint(queue, XSCHED_HINT_PRIORITY, -7));
    CHECK(slot->asks.seq == 1 && slot->asks.mask == 1 && slot->asks.values[0] == -7);
    xsched_queue_close(queue);
    CHECK(slot->state == XSCHED_SLOT_FREE);
    queue = xsched_queue_open("shared:/device", "stream 2");
    CHECK(slot->state == XSCHED_SLOT_USED && slot->generation == 2 && slot->asks.seq == 0);
    xsched_queue_close(queue);
}

/* What it takes one command to be, where it was 1 ms and took so long. */
static uint64_t learned(xsched_queue *queue, uint32_t gate, uint64_t nanos)
{
    struct xsched_slot *slot = &guest.block->slot[0];
    slot->command_nanos = 1000000;
    xsched_launched(queue);
    slot->gate = gate;
    xsched_completed(queue, 1, nanos);
    slot->gate = 0;
    return slot->command_nanos;
}

static void doubts_longer_times_while_others_may_have_the_device(void)
{
    xsched_queue *queue = open_scheduled("shared:/device", "stream 1");
    CHECK(learned(queue, 0, 9000000) == 2000000);
    CHECK(learned(queue, 1, 9000000) > 1000000);
    CHECK(learned(queue, 1, 9000000) < 1010000);
    CHECK(learned(queue, 1, 1016000) == 1002000);
    CHECK(learned(queue, 1, 200000) == 900000);
    guest.block->slot[0].command_nanos = 0;
    xsched_queue_close(queue);
}

static void waits_at_a_closed_gate(void)
{
    struct launch launch;
    xsched_queue *queue = open_scheduled("device", "queue");
    struct xsched_slot *slot = &guest.block->slot[0];
    standin_set_gate(slot, 1);
    launch_start(&launch, queue);
    EVENTUALLY(__atomic_load_n(&slot->waiters, __ATOMIC_SEQ_CST) == 1);
    CHECK(slot->ready_since != 0); /* who waits is ready */
    sleep_millis(200);             /* several times XSCHED_WAIT_NANOS */
    CHECK(!atomic_load(&launch.done));
    standin_set_gate(slot, 0);
    pthread_join(launch.thread, NULL);
    CHECK(slot->gate_waits == 1 && slot->gate_wait_nanos >= 150000000ull);
    CHECK(slot->launched == 1);

    int64_t before = now_nanos();
    standin_set_gate(slot, 1);
    xsched_completed(queue, 1, 0);
    CHECK(slot->stopped >= before); /* nothing was in flight any more */
    xsched_queue_close(queue);
}

static void a_ready_queue_stops_lower_ranks(void)
{
    struct launch launch;
    xsched_queue *high = open_scheduled("device", "high");
    xsched_queue *low = xsched_queue_open("device", "low");
    struct xsched_slot *high_slot = &guest.block->slot[0];
    struct xsched_slot *low_slot = &guest.block->slot[1];
    __atomic_store_n(&high_slot->rank, 5, __ATOMIC_SEQ_CST);
    __atomic_store_n(&low_slot->rank, -1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&high_slot->ceiling, 3, __ATOMIC_SEQ_CST);
    __atomic_store_n(&low_slot->ceiling, 3, __ATOMIC_SEQ_CST);

    xsched_gate(low);
    CHECK(ceiling_rank(&standin, 3) == -1 && low_slot->gate_waits == 0);
    __atomic_store_n(&standin.board->ceiling[3].watched, 1, __ATOMIC_SEQ_CST);
    xsched_gate(high);
    CHECK(ceiling_rank(&standin, 3) == 5 && ceiling_epoch(&standin, 3) == 2);
    CHECK(standin.board->ceiling[3].watched == 0); /* who watched it was woken */
    xsched_gate(low);
    CHECK(low_slot->gate_waits == 1); /* it stopped, though nobody confirmed */
    standin_set_ceiling(&standin, 3, 5);
    standin_set_gate(low_slot, 1); /* the daemon confirms */
    launch_start(&launch, low);
    sleep_millis(100);
    CHECK(!atomic_load(&launch.done));
    xsched_completed(high, 1, 1);
    standin_set_ceiling(&standin, 3, -1);
    standin_set_gate(low_slot, 0);
    pthread_join(launch.thread, NULL);

    xsched_gate(high);
    CHECK(ceiling_epoch(&standin, 3) == 5);
    xsched_completed(high, 1, 1);
    xsched_gate(high); /* ready anew at the same height: a new epoch all the same */
    CHECK(ceiling_rank(&standin, 3) == 5 && ceiling_epoch(&standin, 3) == 6);
    xsched_queue_close(high);
    xsched_queue_close(low);
}

static void an_unconfirmed_ceiling_holds_for_a_moment(void)
{
    struct launch launch;
    xsched_queue *queue = open_scheduled("device", "queue");
    struct xsched_slot *slot = &guest.block->slot[0];
    __atomic_store_n(&slot->ceiling, 0, __ATOMIC_SEQ_CST);
    standin_set_ceiling(&standin, 0, 9);
    int64_t start = now_nanos();
    xsched_gate(queue);
    CHECK(now_nanos() - start >= XSCHED_CONFIRM_NANOS);
    CHECK(slot->gate_waits == 1);
    xsched_gate(queue); /* ignored from now on */
    CHECK(slot->gate_waits == 1);
    standin_set_ceiling(&standin, 0, 9); /* until it changes, be it in its epoch alone */
    launch_start(&launch, queue);
    EVENTUALLY(load(&slot->gate_waits) == 2);
    pthread_join(launch.thread, NULL);
    standin_set_ceiling(&standin, 0, 9);
    __atomic_store_n(&guest.block->ignore_ceilings, 1, __ATOMIC_SEQ_CST);
    xsched_gate(queue);
    CHECK(slot->gate_waits == 2);
    xsched_queue_close(queue);
}

struct worker {
    xsched_queue *queue;
    atomic_bool *stop;
    pthread_t thread;
};

static void *work(void *argument)
{
    struct worker *worker = argument;
    while (!atomic_load(worker->stop)) {
        xsched_gate(worker->queue);
        xsched_launched(worker->queue);
        xsched_completed(worker->queue, 1, 1);
    }
    return NULL;
}

static void threads_share_a_queue(void)
{
    struct worker workers[4];
    atomic_bool stop = false;
    xsched_queue *queue = open_scheduled("device", "queue");
    struct xsched_slot *slot = &guest.block->slot[0];
    __atomic_store_n(&slot->ceiling, 0, __ATOMIC_SEQ_CST);
    for (int i = 0; i < 4; i++) {
        workers[i].queue = queue;
        workers[i].stop = &stop;
        CHECK(pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0);
    }
    for (int i = 0; i < 50; i++) {
        standin_set_gate(slot, i % 2 == 0);
        sleep_millis(2);
    }
    standin_set_gate(slot, 0);
    atomic_store(&stop, true);
    for (int i = 0; i < 4; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    CHECK(slot->submitted > 0 && slot->submitted == slot->launched);
    CHECK(slot->submitted == slot->completed && slot->busy_nanos == slot->completed);
    CHECK(slot->ready_since == 0 && slot->changes % 2 == 0 && slot->waiters == 0);
    xsched_queue_close(queue);
}

static void what_comes_late_is_not_forgotten(void)
{
    xsched_queue *queue = open_scheduled("device", "first");
    struct xsched_slot *slot = &guest.block->slot[0];
    xsched_submitted(queue); /* by a thread that still waits to launch */
    xsched_queue_hide(queue);
    CHECK(!xsched_queue_show(queue, "second"));
    xsched_launched(queue);
    xsched_completed(queue, 1, 0);
    CHECK(slot->submitted == 1 && slot->completed == 1 && slot->ready_since == 0);

    CHECK(xsched_queue_show(queue, "second"));
    CHECK(slot->submitted == 0 && slot->launched == 0 && slot->completed == 0);
    CHECK(slot->state == XSCHED_SLOT_USED && strcmp(slot->name, "second") == 0);
    xsched_submitted(queue);
    CHECK(slot->submitted == 1 && slot->ready_since != 0);
    xsched_queue_close(queue);
}

static void a_hidden_queue_stays_hidden(void)
{
    xsched_queue *queue = open_scheduled("device", "queue");
    struct xsched_slot *slot = &guest.block->slot[0];
    xsched_queue_hide(queue);
    xsched_submitted(queue); /* by a thread that found it before */
    CHECK(slot->state == XSCHED_SLOT_FREE);
    xsched_launched(queue);
    xsched_completed(queue, 1, 0);
    CHECK(slot->state == XSCHED_SLOT_FREE && xsched_queue_show(queue, "again"));
    xsched_submitted(queue);
    CHECK(slot->state == XSCHED_SLOT_USED);
    xsched_queue_close(queue);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"a program tells its facts", tells_its_facts},
        {"longer times are doubted while others may have the device",
         doubts_longer_times_while_others_may_have_the_device},
        {"a launch waits at a closed gate", waits_at_a_closed_gate},
        {"a ready queue stops lower ranks", a_ready_queue_stops_lower_ranks},
        {"an unconfirmed ceiling holds for a moment", an_unconfirmed_ceiling_holds_for_a_moment},
        {"threads share a queue", threads_share_a_queue},
        {"what comes late is not forgotten", what_comes_late_is_not_forgotten},
        {"a hidden queue stays hidden", a_hidden_queue_stays_hidden},
    };
    test_folder();
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
