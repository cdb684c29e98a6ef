/* The two messages by which a program and a daemon get acquainted. Nothing here waits. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client.h"

/* Room for one descriptor, aligned as the kernel wants it. */
union control {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
};

bool xsched_send_hello(int socket, int block_fd)
{
    struct xsched_hello hello = {
        .magic = XSCHED_HELLO_MAGIC, .version = XSCHED_PROTOCOL, .kind = XSCHED_HELLO_PROGRAM};
    if (xsched_client.name != NULL) {
        snprintf(hello.name, sizeof hello.name, "%s", xsched_client.name);
    }
    union control control = {.bytes = {0}};
    struct iovec content = {.iov_base = &hello, .iov_len = sizeof hello};
    struct msghdr message = {.msg_iov = &content,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &block_fd, sizeof block_fd);
    ssize_t sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof hello;
}

static int descriptor_of(struct msghdr *message)
{
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    int fd = -1;
    if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof(int))) {
        memcpy(&fd, CMSG_DATA(header), sizeof fd);
    }
    return fd;
}

static struct xsched_board *map_board(int fd)
{
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0 ||
        status.st_size < (off_t)sizeof(struct xsched_board)) {
        return NULL;
    }
    struct xsched_board *board =
        mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (board == MAP_FAILED) {
        return NULL;
    }
    if (__atomic_load_n(&board->magic, __ATOMIC_ACQUIRE) != XSCHED_BOARD_MAGIC ||
        board->version != XSCHED_PROTOCOL || board->size != sizeof *board) {
        munmap(board, sizeof *board);
        return NULL;
    }
    return board;
}

static enum xsched_answer judge(struct xsched_welcome *welcome, ssize_t size, int fd,
                                struct xsched_link *link, char *why, size_t why_size)
{
    welcome->message[sizeof welcome->message - 1] = 0;
    if (size < 8 || welcome->magic != XSCHED_WELCOME_MAGIC) {
        snprintf(why, why_size, "what answers there is no daemon of ours");
    } else if (welcome->version != XSCHED_PROTOCOL || size < (ssize_t)sizeof *welcome) {
        /* Of other versions, only magic and version are known to stand where they do. */
        snprintf(why, why_size, "the daemon speaks protocol %u and this program %u; update both",
                 welcome->version, XSCHED_PROTOCOL);
    } else if (welcome->status != XSCHED_WELCOME_OK) {
        snprintf(why, why_size, "the daemon refuses: %s",
                 welcome->message[0] != 0 ? welcome->message : "it does not say why");
    } else if ((link->board = map_board(fd)) == NULL) {
        snprintf(why, why_size, "the daemon's board cannot be used");
    } else if (welcome->board_index >= XSCHED_BOARD_PROGRAMS) {
        munmap(link->board, sizeof *link->board);
        snprintf(why, why_size, "the daemon gave number %u, which has no place on the board",
                 welcome->board_index);
    } else {
        link->bit = welcome->board_index;
        return XSCHED_WELCOME;
    }
    return XSCHED_TURNED_AWAY;
}

enum xsched_answer xsched_read_welcome(int socket, struct xsched_link *link, char *why, size_t size)
{
    struct xsched_welcome welcome = {0};
    union control control;
    struct iovec content = {.iov_base = &welcome, .iov_len = sizeof welcome};
    struct msghdr message = {.msg_iov = &content,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    if (received < 0) {
        return errno == EAGAIN || errno == EWOULDBLOCK ? XSCHED_NO_ANSWER_YET : XSCHED_ENDED;
    }
    if (received == 0) {
        return XSCHED_ENDED;
    }
    int fd = descriptor_of(&message);
    enum xsched_answer answer = judge(&welcome, received, fd, link, why, size);
    if (fd >= 0) {
        close(fd);
    }
    return answer;
}
