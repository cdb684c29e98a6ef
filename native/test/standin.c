#include "standin.h"

#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "harness.h"

static void make_board(struct standin *daemon)
{
    daemon->board_fd = memfd_create("board", MFD_CLOEXEC);
    CHECK(daemon->board_fd >= 0);
    CHECK(ftruncate(daemon->board_fd, sizeof *daemon->board) == 0);
    daemon->board = mmap(NULL, sizeof *daemon->board, PROT_READ | PROT_WRITE, MAP_SHARED,
                         daemon->board_fd, 0);
    CHECK(daemon->board != MAP_FAILED);
    daemon->board->version = XSCHED_PROTOCOL;
    daemon->board->size = sizeof *daemon->board;
    daemon->board->ceilings = XSCHED_CEILINGS;
    for (uint32_t i = 0; i < XSCHED_CEILINGS; i++) {
        daemon->board->ceiling[i].word = (uint32_t)XSCHED_NO_RANK;
    }
    daemon->board->magic = XSCHED_BOARD_MAGIC;
}

static void *beat(void *argument)
{
    struct standin *daemon = argument;
    while (!atomic_load(&daemon->stopped)) {
        struct guest *guest = atomic_load(&daemon->beating);
        if (guest != NULL) {
            __atomic_store_n(&guest->block->heartbeat, now_nanos(), __ATOMIC_SEQ_CST);
        }
        sleep_millis(20);
    }
    return NULL;
}

void standin_start(struct standin *daemon)
{
    memset(daemon, 0, sizeof *daemon);
    make_board(daemon);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", test_folder());
    unlink(address.sun_path);
    daemon->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK(daemon->listener >= 0);
    CHECK(bind(daemon->listener, (struct sockaddr *)&address, sizeof address) == 0);
    CHECK(listen(daemon->listener, 16) == 0);
    CHECK(pthread_create(&daemon->heart, NULL, beat, daemon) == 0);
}

void standin_die(struct standin *daemon, struct guest *guest)
{
    atomic_store(&daemon->stopped, true);
    pthread_join(daemon->heart, NULL);
    close(daemon->listener);
    close(daemon->board_fd);
    if (guest != NULL) {
        close(guest->connection);
        munmap(guest->block, sizeof *guest->block);
    }
}

void standin_accept(struct standin *daemon, struct guest *guest)
{
    struct pollfd wanted = {.fd = daemon->listener, .events = POLLIN};
    CHECK(poll(&wanted, 1, 30000) == 1);
    guest->connection = accept4(daemon->listener, NULL, NULL, SOCK_CLOEXEC);
    CHECK(guest->connection >= 0);
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } control;
    struct iovec content = {.iov_base = &guest->hello, .iov_len = sizeof guest->hello};
    struct msghdr message = {.msg_iov = &content,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    CHECK(recvmsg(guest->connection, &message, MSG_CMSG_CLOEXEC) == sizeof guest->hello);
    int fd;
    CHECK(CMSG_FIRSTHDR(&message) != NULL);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    struct stat status;
    CHECK(fstat(fd, &status) == 0 && status.st_size == sizeof *guest->block);
    CHECK(ftruncate(fd, 0) != 0); /* sealed */
    guest->block_inode = status.st_ino;
    guest->block = mmap(NULL, sizeof *guest->block, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    CHECK(guest->block != MAP_FAILED);
    close(fd);
    struct ucred peer;
    socklen_t length = sizeof peer;
    CHECK(getsockopt(guest->connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0);
    guest->pid = peer.pid;
    CHECK(guest->hello.magic == XSCHED_HELLO_MAGIC && guest->hello.kind == XSCHED_HELLO_PROGRAM);
    CHECK(guest->block->magic == XSCHED_BLOCK_MAGIC && guest->block->slots == XSCHED_SLOTS);
}

void standin_welcome(struct standin *daemon, struct guest *guest, uint32_t version,
                     uint32_t status, const char *text)
{
    struct xsched_welcome welcome = {
        .magic = XSCHED_WELCOME_MAGIC, .version = version, .status = status, .board_index = 70};
    snprintf(welcome.message, sizeof welcome.message, "%s", text);
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } control = {.bytes = {0}};
    struct iovec content = {.iov_base = &welcome, .iov_len = sizeof welcome};
    struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
    if (status == XSCHED_WELCOME_OK) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &daemon->board_fd, sizeof(int));
        __atomic_store_n(&guest->block->heartbeat, now_nanos(), __ATOMIC_SEQ_CST);
        atomic_store(&daemon->beating, guest);
    }
    CHECK(sendmsg(guest->connection, &message, MSG_NOSIGNAL) == sizeof welcome);
}

struct hosting {
    struct standin *daemon;
    struct guest *guest;
};

static void *host(void *argument)
{
    struct hosting *hosting = argument;
    standin_accept(hosting->daemon, hosting->guest);
    standin_welcome(hosting->daemon, hosting->guest, XSCHED_PROTOCOL, XSCHED_WELCOME_OK, "");
    free(hosting);
    return NULL;
}

void standin_host(struct standin *daemon, struct guest *guest)
{
    struct hosting *hosting = malloc(sizeof *hosting);
    CHECK(hosting != NULL);
    *hosting = (struct hosting){daemon, guest};
    CHECK(pthread_create(&daemon->host, NULL, host, hosting) == 0);
}

void standin_hosted(struct standin *daemon)
{
    pthread_join(daemon->host, NULL);
}

void standin_set_gate(struct xsched_slot *slot, uint32_t gate)
{
    __atomic_store_n(&slot->gate, gate, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&slot->waiters, __ATOMIC_SEQ_CST) != 0) {
        syscall(SYS_futex, &slot->gate, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    }
}

void standin_set_ceiling(struct standin *daemon, uint32_t index, int32_t rank)
{
    uint64_t *word = &daemon->board->ceiling[index].word;
    uint64_t old = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    __atomic_store_n(word, ((old >> 32) + 1) << 32 | (uint32_t)rank, __ATOMIC_SEQ_CST);
}

int32_t ceiling_rank(struct standin *daemon, uint32_t index)
{
    return (int32_t)(uint32_t)__atomic_load_n(&daemon->board->ceiling[index].word,
                                              __ATOMIC_SEQ_CST);
}

uint32_t ceiling_epoch(struct standin *daemon, uint32_t index)
{
    return (uint32_t)(__atomic_load_n(&daemon->board->ceiling[index].word, __ATOMIC_SEQ_CST) >> 32);
}
