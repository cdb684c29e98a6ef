/* Programs that fork, exec, and close descriptors that are not theirs. */
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"
#include "standin.h"
#include "xsched_client.h"

static struct standin standin;
static struct guest parent;

static xsched_queue *open_scheduled(void)
{
    standin_start(&standin);
    standin_host(&standin, &parent);
    xsched_queue *queue = xsched_queue_open("device", "queue");
    standin_hosted(&standin);
    return queue;
}

static void end_well(pid_t child)
{
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

static void a_child_is_a_program_of_its_own(void)
{
    static struct guest child_guest; /* its heart beats on when this returns */
    xsched_queue *queue = open_scheduled();
    xsched_queue *unused = xsched_queue_open("device", "unused");
    xsched_hint(queue, XSCHED_HINT_PRIORITY, 3);
    xsched_gate(queue);
    xsched_launched(queue);
    standin_set_gate(&parent.block->slot[0], 1); /* the parent's gate is not the child's */
    standin_host(&standin, &child_guest);
    pid_t child = fork();
    if (child == 0) {
        CHECK(!xsched_registered());
        for (int i = 0; i < 5; i++) {
            xsched_gate(queue);
            xsched_launched(queue);
        }
        CHECK(xsched_registered());
        xsched_completed(queue, 5, 0);
        _exit(0);
    }
    end_well(child);
    standin_hosted(&standin);
    CHECK(child_guest.pid == child && parent.pid == getpid());
    CHECK(child_guest.block_inode != parent.block_inode);
    const struct xsched_slot *slot = &child_guest.block->slot[0];
    CHECK(slot->state == XSCHED_SLOT_USED && strcmp(slot->name, "queue") == 0);
    CHECK(slot->submitted == 5 && slot->launched == 5 && slot->completed == 5);
    CHECK(slot->asks.mask == 1 && slot->asks.values[0] == 3);
    CHECK(child_guest.block->slot[1].state == XSCHED_SLOT_FREE); /* it used one queue only */
    CHECK(parent.block->slot[0].submitted == 1 && parent.block->slot[0].completed == 0);
    CHECK(xsched_registered());
    char byte;
    CHECK(read(child_guest.connection, &byte, 1) == 0); /* the child's end is noticed */
    xsched_completed(queue, 1, 0);
    xsched_queue_close(queue);
    xsched_queue_close(unused);
}

static void *fork_often(void *argument)
{
    (void)argument;
    for (int i = 0; i < 50; i++) {
        pid_t child = fork();
        if (child == 0) {
            xsched_queue *queue = xsched_queue_open("device", "of the child");
            xsched_gate(queue);
            xsched_completed(queue, 1, 0);
            _exit(queue == NULL);
        }
        end_well(child);
    }
    return NULL;
}

/* Without a daemon, so that each child comes back from its search at once. */
__attribute__((unused)) static void no_lock_of_another_thread_stops_a_child(void)
{
    pthread_t forker;
    catch_errors();
    xsched_queue *queue = xsched_queue_open("device", "queue");
    CHECK(pthread_create(&forker, NULL, fork_often, NULL) == 0);
    while (pthread_tryjoin_np(forker, NULL) != 0) {
        xsched_gate(queue); /* turns ready and idle, with the queue's lock, all the time */
        xsched_launched(queue);
        xsched_completed(queue, 1, 1);
        xsched_queue_close(xsched_queue_open("device", "short"));
    }
    xsched_queue_close(queue);
}

static void nothing_of_ours_survives_an_exec(void)
{
    bool inherited[100];
    for (int fd = 3; fd < 100; fd++) {
        inherited[fd] = fcntl(fd, F_GETFD) >= 0;
    }
    xsched_queue *queue = open_scheduled();
    for (int fd = 3; fd < 100; fd++) {
        int flags = fcntl(fd, F_GETFD);
        CHECK(flags < 0 || inherited[fd] || (flags & FD_CLOEXEC) != 0);
    }
    xsched_queue_close(queue);
}

static void descriptors_that_are_no_longer_ours_are_left_alone(void)
{
    catch_errors();
    xsched_queue *queue = open_scheduled();
    bool theirs[100];
    for (int fd = 3; fd < 100; fd++) {
        /* All but the stand-in's own: it would be a bad test otherwise. */
        theirs[fd] = fd != standin.listener && fd != standin.board_fd &&
                     fd != parent.connection && fcntl(fd, F_GETFD) >= 0;
        if (theirs[fd]) {
            int zero = open("/dev/zero", O_RDONLY);
            CHECK(zero >= 0 && dup2(zero, fd) == fd);
            close(zero);
        }
    }
    EVENTUALLY((xsched_gate(queue), xsched_completed(queue, 1, 0), !xsched_registered()));
    for (int fd = 3; fd < 100; fd++) {
        char byte = 1;
        CHECK(!theirs[fd] || read(fd, &byte, 1) == 1);
    }
    xsched_queue_close(queue);
}

int main(int count, char **arguments)
{
    static const struct test tests[] = {
        {"a child is a program of its own", a_child_is_a_program_of_its_own},
#ifndef __SANITIZE_ADDRESS__ /* whose own locks stop it */
        {"no lock of another thread stops a child", no_lock_of_another_thread_stops_a_child},
#endif
        {"nothing of ours survives an exec", nothing_of_ours_survives_an_exec},
        {"descriptors that are no longer ours are left alone",
         descriptors_that_are_no_longer_ours_are_left_alone},
    };
    test_folder();
    return run_tests(count, arguments, tests, sizeof tests / sizeof tests[0]);
}
