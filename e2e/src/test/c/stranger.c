/*
 * What another user can try: asks for a token, registers to see which board it gets, opens files.
 *   stranger token | board | open PATH...
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "xsched_control.h"

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static int connect_to_daemon(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", getenv("XSCHED_DIR"));
    int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0) {
        fail("connect");
    }
    return fd;
}

static int make_block(void)
{
    int fd = memfd_create("block", MFD_ALLOW_SEALING);
    struct xsched_block who = {.magic = XSCHED_BLOCK_MAGIC,
                               .version = XSCHED_PROTOCOL,
                               .size = sizeof(struct xsched_block),
                               .slots = XSCHED_SLOTS};
    if (fd < 0 || ftruncate(fd, sizeof who) != 0 || pwrite(fd, &who, 64, 0) != 64 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        fail("memfd");
    }
    return fd;
}

/* Says hello, with a descriptor unless that is -1, and returns the one that comes back or -1. */
static int greet(uint32_t kind, int given, struct xsched_welcome *welcome)
{
    int fd = connect_to_daemon();
    struct xsched_hello hello = {
        .magic = XSCHED_HELLO_MAGIC, .version = XSCHED_PROTOCOL, .kind = kind};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr aligned;
    } control = {{0}};
    struct iovec content = {.iov_base = &hello, .iov_len = sizeof hello};
    struct msghdr message = {.msg_iov = &content, .msg_iovlen = 1};
    if (given >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &given, sizeof given);
    }
    if (sendmsg(fd, &message, 0) < 0) {
        fail("sendmsg");
    }
    content = (struct iovec){.iov_base = welcome, .iov_len = sizeof *welcome};
    message = (struct msghdr){.msg_iov = &content,
                              .msg_iovlen = 1,
                              .msg_control = control.bytes,
                              .msg_controllen = sizeof control.bytes};
    if (recvmsg(fd, &message, 0) <= 0) {
        fail("recvmsg");
    }
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    int got = -1;
    if (header != NULL) {
        memcpy(&got, CMSG_DATA(header), sizeof got);
    }
    return got;
}

int main(int count, char **arguments)
{
    struct xsched_welcome welcome = {0};
    if (count >= 2 && strcmp(arguments[1], "token") == 0) {
        greet(XSCHED_HELLO_TOKEN, -1, &welcome);
        printf("%s\n", welcome.message);
    } else if (count >= 2 && strcmp(arguments[1], "board") == 0) {
        struct stat status;
        if (fstat(greet(XSCHED_HELLO_PROGRAM, make_block(), &welcome), &status) != 0) {
            fail("no board");
        }
        printf("%lu %o %u\n", (unsigned long)status.st_ino, status.st_mode & 0777u, status.st_uid);
    } else {
        for (int i = 2; i < count; i++) {
            int fd = open(arguments[i], O_RDONLY);
            printf("%s: %s\n", arguments[i], fd < 0 ? strerror(errno) : "opened");
        }
    }
    return 0;
}
