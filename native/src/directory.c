/* Finds the daemon's socket: the C side of dev.xsched.link.ControlDirectory. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "client.h"

struct folders {
    char path[2][PATH_MAX];
    int count;
    bool own[2]; /* where anybody could have put a folder of that name */
};

static void add(struct folders *all, const char *parent, const char *rest, bool own)
{
    int length = snprintf(all->path[all->count], PATH_MAX, "%s%s", parent, rest);
    if (length > 0 && length < PATH_MAX) {
        all->own[all->count++] = own;
    }
}

static void add_own(struct folders *all)
{
    if (xsched_client.runtime_folder != NULL) {
        add(all, xsched_client.runtime_folder, "/xsched", true);
    } else {
        char name[32];
        snprintf(name, sizeof name, "%u", (unsigned)geteuid());
        add(all, "/tmp/xsched-", name, true);
    }
}

/* The folder that was chosen and no other, else the system's, then the user's own. */
static void find_folders(struct folders *all)
{
    all->count = 0;
    if (xsched_client.folder[0] != 0) {
        add(all, xsched_client.folder, "", true);
        return;
    }
    if (xsched_client.chosen_folder != NULL) {
        add(all, xsched_client.chosen_folder, "", false);
        return;
    }
    add(all, "/run/xsched", "", false);
    if (geteuid() != 0) {
        add_own(all);
    }
}

/* In /tmp, somebody else may have been there first to pass for the daemon. */
static bool belongs_to_us(const char *folder)
{
    struct stat status;
    return lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) &&
           status.st_uid == geteuid();
}

static bool connect_in(const char *folder, int socket)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
    if (length < 0 || (size_t)length >= sizeof address.sun_path) {
        return false;
    }
    /* The socket does not block: a daemon that accepts nobody counts as none. */
    return connect(socket, (struct sockaddr *)&address, sizeof address) == 0;
}

/* Keeps the socket on record from its first moment, for the sake of a child forked just then. */
static bool make_socket(void)
{
    pthread_mutex_lock(&xsched_client.table);
    xsched_file_keep(&xsched_client.socket,
                     socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    pthread_mutex_unlock(&xsched_client.table);
    return xsched_client.socket.fd >= 0;
}

static void close_socket(void)
{
    pthread_mutex_lock(&xsched_client.table);
    xsched_file_close(&xsched_client.socket);
    pthread_mutex_unlock(&xsched_client.table);
}

bool xsched_connect(char *where, size_t size)
{
    struct folders all;
    find_folders(&all);
    where[0] = 0;
    for (int i = 0; i < all.count; i++) {
        const char *folder = all.path[i];
        size_t used = strlen(where);
        snprintf(where + used, size - used, "%s%.200s", i == 0 ? "" : " or ", folder);
        if ((!all.own[i] || belongs_to_us(folder)) && make_socket()) {
            if (connect_in(folder, xsched_client.socket.fd)) {
                snprintf(where, size, "%.200s", folder);
                return true;
            }
            close_socket();
        }
    }
    return false;
}
