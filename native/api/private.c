/*
 * A daemon for this program alone, in a folder of its own. It ends when its standard input does, so
 * with the last process that holds the other end: also one that is killed takes it along.
 *
 * A shell stands in between and ends at once: the daemon is then no child of the program, which
 * might wait for all of its children.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api.h"

#define READY_MILLIS 10000
#define MOST_VARIABLES 4096

extern char **environ;

static struct xsched_file life = {.fd = -1}; /* the writing end of its standard input */
static char folder[108];
static pid_t owner;

static bool is_executable(const char *path)
{
    return access(path, X_OK) == 0;
}

/* In a release, and in the tree of sources; relative to this library. */
static bool find_beside_library(char *command, size_t size)
{
    static const char *const places[] = {"/../bin/xsched", "/../../xsched"};
    Dl_info info;
    char library[PATH_MAX];
    if (dladdr((void *)find_beside_library, &info) == 0 ||
        realpath(info.dli_fname, library) == NULL || strrchr(library, '/') == NULL) {
        return false;
    }
    *strrchr(library, '/') = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int length = snprintf(command, size, "%s%s", library, places[i]);
        if (length > 0 && (size_t)length < size && is_executable(command)) {
            return true;
        }
    }
    return false;
}

static void find_command(char *command, size_t size)
{
    const char *named = getenv("XSCHED_COMMAND");
    if (named != NULL && *named != 0) {
        snprintf(command, size, "%s", named);
    } else if (!find_beside_library(command, size)) {
        snprintf(command, size, "xsched");
    }
}

static bool is_for_daemon(const char *variable)
{
    static const char *const ours[] = {"LD_PRELOAD=", "XSCHED_DIR=", "XSCHED_RUN=", "XSCHED_NAME=",
                                       "XSCHED_SCHEDULER=", "XSCHED_POLICY="};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        if (strncmp(variable, ours[i], strlen(ours[i])) == 0) {
            return false;
        }
    }
    return true;
}

/* Nobody who waits for the end of a file of the program is to wait for the daemon, too. */
static void close_others(posix_spawn_file_actions_t *actions)
{
    DIR *open_files = opendir("/proc/self/fd");
    struct dirent *file;
    while (open_files != NULL && (file = readdir(open_files)) != NULL) {
        int fd = atoi(file->d_name);
        if (fd > STDERR_FILENO) {
            posix_spawn_file_actions_addclose(actions, fd);
        }
    }
    if (open_files != NULL) {
        closedir(open_files);
    }
}

/* Runs the command in the background, and leaves its standard input to it. */
static bool spawn(const char *command, const char *policy, int input, int output, int errors)
{
    static const char script[] = "exec 3<&0; \"$@\" <&3 3<&- &";
    const char *const arguments[] = {"sh",        "-c",       script, "xsched", command, "serve",
                                     "--private", "--policy", policy, NULL};
    const char **variables = calloc(MOST_VARIABLES, sizeof *variables);
    char own_folder[128];
    posix_spawn_file_actions_t actions;
    pid_t shell;
    size_t count = 0;
    if (variables == NULL) {
        return false;
    }
    for (char **variable = environ; *variable != NULL && count < MOST_VARIABLES - 2; variable++) {
        if (is_for_daemon(*variable)) {
            variables[count++] = *variable;
        }
    }
    snprintf(own_folder, sizeof own_folder, "XSCHED_DIR=%s", folder);
    variables[count] = own_folder;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
    close_others(&actions);
    bool started = posix_spawn(&shell, "/bin/sh", &actions, NULL, (char *const *)arguments,
                               (char *const *)variables) == 0;
    posix_spawn_file_actions_destroy(&actions);
    free(variables);
    while (started && waitpid(shell, NULL, 0) < 0 && errno == EINTR) {
    }
    return started;
}

static bool says_ready(int output)
{
    char line[256] = "";
    size_t length = 0;
    int64_t end = xsched_now() + READY_MILLIS * 1000000ll;
    while (strstr(line, "ready") == NULL && length < sizeof line - 1) {
        struct pollfd wanted = {.fd = output, .events = POLLIN};
        int64_t left = (end - xsched_now()) / 1000000;
        int ready = poll(&wanted, 1, left > 0 ? (int)left : 0);
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        ssize_t more = ready <= 0 ? 0 : read(output, line + length, sizeof line - 1 - length);
        if (more <= 0) {
            return false;
        }
        length += (size_t)more;
        line[length] = 0;
    }
    return strstr(line, "ready") != NULL;
}

/* The first thing that the daemon had to say. */
static void complain(const char *command, int errors)
{
    char line[200] = "";
    ssize_t length = pread(errors, line, sizeof line - 1, 0);
    line[length > 0 ? length : 0] = 0;
    line[strcspn(line, "\n")] = 0;
    xsched_say(0, "no scheduler of its own could be started with '%.100s' (%s); running "
                  "unscheduled. XSCHED_COMMAND can name another one", command,
               line[0] != 0 ? line : "it did not get ready");
}

static bool start_in_folder(const char *policy)
{
    char command[PATH_MAX], log[128];
    int input[2] = {-1, -1}, output[2] = {-1, -1};
    bool ready = false;
    find_command(command, sizeof command);
    snprintf(log, sizeof log, "%s/errors", folder);
    int errors = open(log, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (errors >= 0 && pipe2(input, O_CLOEXEC) == 0 && pipe2(output, O_CLOEXEC) == 0 &&
        spawn(command, policy, input[0], output[1], errors)) {
        close(output[1]);
        output[1] = -1;
        ready = says_ready(output[0]);
    }
    if (ready) {
        xsched_file_keep(&life, input[1]);
        input[1] = -1;
    } else {
        complain(command, errors);
    }
    int done[] = {errors, input[0], input[1], output[0], output[1]};
    for (size_t i = 0; i < sizeof done / sizeof *done; i++) {
        if (done[i] >= 0) {
            close(done[i]);
        }
    }
    return ready;
}

void api_end_private_daemon(void)
{
    if (folder[0] != 0 && owner == getpid()) {
        xsched_file_close(&life);
        api_remove_folder(folder);
        folder[0] = 0;
    }
}

bool api_start_private_daemon(const char *policy, char *where, size_t size)
{
    static bool registered;
    int error = errno;
    api_end_private_daemon();
    api_sweep_folders();
    owner = getpid();
    bool started = api_make_folder(folder, sizeof folder) && start_in_folder(policy);
    if (!started) {
        api_end_private_daemon();
    } else if (!registered) {
        atexit(api_end_private_daemon);
        registered = true;
    }
    snprintf(where, size, "%s", folder);
    errno = error;
    return started;
}
