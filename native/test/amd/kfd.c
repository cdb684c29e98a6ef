#include "kfd.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define FOLDER "XSCHED_TEST_KFD"
#define KFD "/dev/kfd"
#define NODES "/sys/class/kfd/kfd/topology/nodes"
#define PARAMETERS "/sys/module/amdgpu/parameters"
#define AWAY_NANOS 100000  /* that an update takes queues off the device */
#define TURN_NANOS 1000000
#define RECENT_NANOS 2000000 /* who has not asked for so long has no work */

/* As in Linux's header, written down a second time. */
#define GET_VERSION 0x80084b01ul
#define CREATE_QUEUE 0xc0584b02ul
#define LONGER_CREATE_QUEUE 0xc0604b02ul
#define CREATE_NUMBER 0x4b02ul
#define DESTROY_QUEUE 0xc0084b03ul
#define UPDATE_QUEUE 0x40184b07ul
#define GET_CLOCK_COUNTERS 0xc0284b05ul /* which is none of our business */

int __fxstat(int version, int fd, struct stat *status);
int __xstat(int version, const char *path, struct stat *status);

static struct kfd_state *state;
static pid_t opener; /* the driver knows who opened it, and only that one may use it */

static int open_file(const char *path, int flags, int mode)
{
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static const char *in_folder(char *path, size_t size, const char *name)
{
    const char *folder = getenv(FOLDER);
    snprintf(path, size, "%s/%s", folder == NULL ? "/nonexistent" : folder, name);
    return path;
}

EXPORTED struct kfd_state *kfd_state(void)
{
    char path[512];
    if (state == NULL) {
        int fd = open_file(in_folder(path, sizeof path, "state"), O_RDWR | O_CLOEXEC, 0);
        if (fd < 0) {
            return NULL;
        }
        void *memory = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
        state = memory == MAP_FAILED ? NULL : memory;
    }
    return state;
}

static void make_folder(const char *name)
{
    char path[512];
    mkdir(in_folder(path, sizeof path, name), 0700);
}

static void make_file(const char *name, const char *text, size_t size)
{
    char path[512];
    int fd = open_file(in_folder(path, sizeof path, name), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC,
                       0600);
    if (fd < 0 || write(fd, text, strlen(text)) < 0 ||
        (size > 0 && ftruncate(fd, (off_t)size) != 0)) {
        abort();
    }
    close(fd);
}

EXPORTED void kfd_set_parameter(const char *name, const char *value)
{
    char file[128];
    snprintf(file, sizeof file, "parameters/%s", name);
    make_file(file, value, 0);
}

static void add_node(const char *gpu_id, const char *properties)
{
    static unsigned count;
    char name[64];
    snprintf(name, sizeof name, "nodes/%u", count++);
    make_folder(name);
    size_t length = strlen(name);
    snprintf(name + length, sizeof name - length, "/gpu_id");
    make_file(name, gpu_id, 0);
    snprintf(name + length, sizeof name - length, "/properties");
    make_file(name, properties, 0);
}

EXPORTED void kfd_add_gpu(uint32_t location, uint64_t unique_id)
{
    static unsigned count;
    char gpu_id[32], text[512];
    snprintf(gpu_id, sizeof gpu_id, "%u\n", KFD_GPU_ID + count++);
    snprintf(text, sizeof text,
             "cpu_cores_count 0\nsimd_count 320\ngfx_target_version 90402\nvendor_id 4098\n"
             "location_id %u\ndomain 0\ndrm_render_minor 128\nunique_id %llu\nnum_xcc 4\n",
             location, (unsigned long long)unique_id);
    add_node(gpu_id, text);
}

EXPORTED struct kfd_state *kfd_start(void)
{
    char path[512];
    if (getenv(FOLDER) == NULL) {
        snprintf(path, sizeof path, "%s/kfd", getenv("XSCHED_DIR"));
        setenv(FOLDER, path, 1);
    }
    mkdir(getenv(FOLDER), 0700);
    make_folder("nodes");
    make_folder("parameters");
    make_file("kfd", "", 0);
    kfd_set_parameter("cwsr_enable", "1\n");
    kfd_set_parameter("sched_policy", "0\n");
    add_node("0\n", "cpu_cores_count 16\nsimd_count 0\nlocation_id 0\nunique_id 0\n");
    kfd_add_gpu(0x0c00, KFD_UNIQUE_ID);
    make_file("state", "", sizeof *state);
    state = NULL;
    kfd_state()->major_version = 1;
    state->minor_version = 17;
    state->has_mes = getenv("XSCHED_TEST_KFD_MES") != NULL;
    return state;
}

/* Programs find the driver there when they start. */
__attribute__((constructor)) static void share(void)
{
    char path[512];
    const char *folder = getenv(FOLDER);
    if (folder == NULL) {
        return;
    }
    mkdir(folder, 0700);
    int fd = open_file(in_folder(path, sizeof path, "starting"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || flock(fd, LOCK_EX) != 0) {
        abort();
    }
    if (kfd_state() == NULL) {
        kfd_start();
    }
    close(fd);
}

/* What the program opens. */

static const char *other_path(char *other, size_t size, const char *path)
{
    char name[256];
    if (getenv(FOLDER) == NULL) {
        return path;
    }
    if (strcmp(path, KFD) == 0) {
        return in_folder(other, size, "kfd");
    }
    if (strncmp(path, NODES, strlen(NODES)) == 0) {
        snprintf(name, sizeof name, "nodes%s", path + strlen(NODES));
        return in_folder(other, size, name);
    }
    if (strncmp(path, PARAMETERS, strlen(PARAMETERS)) == 0) {
        snprintf(name, sizeof name, "parameters%s", path + strlen(PARAMETERS));
        return in_folder(other, size, name);
    }
    return path;
}

static int open_other(const char *path, int flags, int mode)
{
    char other[512];
    opener = strcmp(path, KFD) == 0 ? getpid() : opener;
    return open_file(other_path(other, sizeof other, path), flags, mode);
}

EXPORTED int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = (flags & O_CREAT) != 0 ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return open_other(path, flags, mode);
}

/* Java's. */
EXPORTED int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = (flags & O_CREAT) != 0 ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return open_other(path, flags, mode);
}

EXPORTED DIR *opendir(const char *path)
{
    char other[512];
    DIR *(*real)(const char *) = (DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir");
    return real(other_path(other, sizeof other, path));
}

static bool is_kfd(const struct stat *status)
{
    struct stat own;
    char path[512];
    return getenv(FOLDER) != NULL &&
           syscall(SYS_newfstatat, AT_FDCWD, in_folder(path, sizeof path, "kfd"), &own, 0) == 0 &&
           status->st_ino == own.st_ino && status->st_dev == own.st_dev;
}

static int disguised(int result, struct stat *status)
{
    if (result == 0 && is_kfd(status)) {
        status->st_mode = S_IFCHR | 0666;
        status->st_rdev = makedev(234, 0);
    }
    return result;
}

static int status_of(const char *path, struct stat *status)
{
    char other[512];
    path = other_path(other, sizeof other, path);
    return disguised((int)syscall(SYS_newfstatat, AT_FDCWD, path, status, 0), status);
}

EXPORTED int stat(const char *restrict path, struct stat *restrict status)
{
    return status_of(path, status);
}

EXPORTED int __xstat(int version, const char *path, struct stat *status)
{
    (void)version;
    return status_of(path, status);
}

static int status_of_open(int fd, struct stat *status)
{
    return disguised((int)syscall(SYS_fstat, fd, status), status);
}

EXPORTED int fstat(int fd, struct stat *status)
{
    return status_of_open(fd, status);
}

EXPORTED int __fxstat(int version, int fd, struct stat *status)
{
    (void)version;
    return status_of_open(fd, status);
}

/* The model. */

static uint32_t word(const void *memory, size_t offset)
{
    uint32_t value;
    memcpy(&value, (const char *)memory + offset, sizeof value);
    return value;
}

static uint64_t wide(const void *memory, size_t offset)
{
    uint64_t value;
    memcpy(&value, (const char *)memory + offset, sizeof value);
    return value;
}

static void put(void *memory, size_t offset, uint32_t value)
{
    memcpy((char *)memory + offset, &value, sizeof value);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static bool is_gone(pid_t pid)
{
    return kill(pid, 0) != 0 && errno == ESRCH;
}

/* Who has it may be killed at any moment. */
static void lock(void)
{
    int error = errno;
    uint32_t holder = 0, own = (uint32_t)getpid();
    while (!__atomic_compare_exchange_n(&state->lock, &holder, own, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
        if (holder != own && is_gone((pid_t)holder)) {
            __atomic_compare_exchange_n(&state->lock, &holder, 0, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED);
        }
        holder = 0;
        usleep(10);
    }
    errno = error;
}

static void unlock(void)
{
    __atomic_store_n(&state->lock, 0, __ATOMIC_RELEASE);
}

static int violate(const char *what, uint64_t detail)
{
    if (state->violations++ == 0) {
        snprintf(state->violation, sizeof state->violation, "%s (0x%llx)", what,
                 (unsigned long long)detail);
    }
    return EINVAL;
}

static struct kfd_queue *find(int pid, uint32_t id)
{
    for (int i = 0; i < KFD_QUEUES; i++) {
        struct kfd_queue *queue = &state->queues[i];
        if (queue->used && queue->pid == pid && queue->id == id) {
            return queue;
        }
    }
    return NULL;
}

static bool is_off(const struct kfd_queue *queue)
{
    return (queue->percentage & 0xff) == 0 || queue->ring == 0;
}

static bool computes(const struct kfd_queue *queue)
{
    return queue->type == 0 || queue->type == 2;
}

/* Unmaps and maps again: without MES, that is about all queues of the device. */
static void reschedule(struct kfd_queue *queue)
{
    int64_t until = now() + AWAY_NANOS;
    queue->away_until = until;
    state->away_until = state->has_mes ? state->away_until : until;
}

/* Ids begin anew in each process, and the lowest free one is next. */
static uint32_t free_id(void)
{
    uint32_t id = 0;
    while (find(getpid(), id) != NULL) {
        id++;
    }
    return id;
}

static int create(char *call)
{
    uint32_t type = word(call, 40), percentage = word(call, 44), size = word(call, 32);
    struct kfd_queue *place = NULL;
    if (type > 4 || (percentage & 0xff) > 100 || word(call, 48) > 15 || wide(call, 0) == 0 ||
        (size & (size - 1)) != 0) {
        return violate("a queue of another form", type);
    }
    for (int i = 0; i < KFD_QUEUES; i++) {
        struct kfd_queue *queue = &state->queues[i];
        queue->used = queue->used && !is_gone(queue->pid);
        place = place == NULL && !queue->used ? queue : place;
    }
    if (place == NULL) {
        return ENOMEM;
    }
    uint32_t id = free_id();
    *place = (struct kfd_queue){
        .used = true,
        .pid = getpid(),
        .id = id,
        .gpu_id = word(call, 36),
        .type = type,
        .ring = wide(call, 0),
        .ring_size = size,
        .percentage = percentage,
        .priority = word(call, 48),
    };
    put(call, 52, id);
    return 0;
}

static int destroy(const char *call)
{
    struct kfd_queue *queue = find(getpid(), word(call, 0));
    if (queue == NULL) {
        return violate("no such queue is to be destroyed", word(call, 0));
    }
    queue->used = state->refuse_destroy != 0;
    return state->refuse_destroy;
}

static int update(const char *call)
{
    uint64_t ring = wide(call, 0);
    uint32_t size = word(call, 12), percentage = word(call, 16), priority = word(call, 20);
    struct kfd_queue *queue = find(getpid(), word(call, 8));
    state->updates++;
    if (queue == NULL) {
        return violate("no such queue is to be updated", word(call, 8));
    }
    if ((percentage & 0xff) > 100 || priority > 15) {
        return violate("a percentage or priority that is none", percentage);
    }
    if (!computes(queue)) {
        return violate("a queue for copies is updated", queue->id);
    }
    if (ring != 0 && (ring != queue->ring || size != queue->ring_size)) {
        return violate("a queue would get another ring", ring);
    }
    if (state->refuse != 0) {
        return state->refuse;
    }
    bool was_off = is_off(queue);
    queue->percentage = percentage;
    queue->priority = priority;
    queue->changes += is_off(queue) != was_off;
    reschedule(queue);
    return 0;
}

static int answer(unsigned long request, char *call)
{
    size_t size = state->create_size;
    if (opener != getpid()) {
        return EBADF;
    }
    if (request == GET_VERSION) {
        put(call, 0, state->major_version);
        put(call, 4, state->minor_version);
        return 0;
    }
    if ((size == 0 && (request == CREATE_QUEUE || request == LONGER_CREATE_QUEUE)) ||
        (size != 0 && request == (0xc0000000ul | size << 16 | CREATE_NUMBER))) {
        return create(call);
    }
    return request == DESTROY_QUEUE        ? destroy(call)
           : request == UPDATE_QUEUE       ? update(call)
           : request == GET_CLOCK_COUNTERS ? 0
                                           : violate("an unknown call", request);
}

EXPORTED int ioctl(int fd, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    char *argument = va_arg(arguments, char *);
    va_end(arguments);
    struct stat status;
    if (syscall(SYS_fstat, fd, &status) != 0 || !is_kfd(&status) || kfd_state() == NULL) {
        return (int)syscall(SYS_ioctl, fd, request, argument);
    }
    if (request == UPDATE_QUEUE) {
        usleep(__atomic_load_n(&state->update_millis, __ATOMIC_SEQ_CST) * 1000);
    }
    lock();
    int error = answer(request, argument);
    unlock();
    errno = error != 0 ? error : errno;
    return error != 0 ? -1 : 0;
}

/* The device. */

/* As the hardware sorts them: low, middle and high; -1 where none of its queues is on the device. */
static int level_of(int pid, int64_t time)
{
    int level = -1;
    for (int i = 0; i < KFD_QUEUES; i++) {
        const struct kfd_queue *queue = &state->queues[i];
        if (queue->used && queue->pid == pid && computes(queue) && !is_off(queue) &&
            queue->away_until <= time) {
            int own = queue->priority < 7 ? 0 : queue->priority < 11 ? 1 : 2;
            level = own > level ? own : level;
        }
    }
    return level;
}

static void note(int pid, int64_t time)
{
    struct kfd_process *place = NULL;
    for (int i = 0; i < KFD_PROCESSES; i++) {
        struct kfd_process *process = &state->processes[i];
        if (process->pid == pid) {
            place = process;
            break;
        }
        place = place == NULL && time - process->asked > RECENT_NANOS ? process : place;
    }
    if (place != NULL) {
        *place = (struct kfd_process){.pid = pid, .asked = time};
    }
}

/* The next after the one whose turn it was, of those who go first. */
static int next_turn(int64_t time)
{
    int best = -1, first = 0, next = 0;
    for (int i = 0; i < KFD_PROCESSES; i++) {
        const struct kfd_process *process = &state->processes[i];
        int level = process->pid == 0 || time - process->asked > RECENT_NANOS
                        ? -1
                        : level_of(process->pid, time);
        if (level > best) {
            best = level;
            first = next = 0;
        }
        if (level >= 0 && level == best) {
            first = first == 0 || process->pid < first ? process->pid : first;
            bool after = process->pid > state->turn;
            next = after && (next == 0 || process->pid < next) ? process->pid : next;
        }
    }
    return next != 0 ? next : first;
}

EXPORTED bool kfd_runs(void)
{
    int64_t time = now();
    int own = getpid();
    if (kfd_state() == NULL) {
        return true;
    }
    lock();
    note(own, time);
    bool runs = level_of(own, time) >= 0 && state->away_until <= time;
    if (runs) {
        bool over = time - state->turn_since > TURN_NANOS || level_of(state->turn, time) < 0;
        if (over) {
            state->turn = next_turn(time);
            state->turn_since = time;
        }
        runs = state->turn == own;
    }
    unlock();
    return runs;
}

EXPORTED struct kfd_queue *kfd_find(int pid, uint32_t id)
{
    lock();
    struct kfd_queue *queue = find(pid, id);
    unlock();
    return queue;
}

EXPORTED uint32_t kfd_off(int pid)
{
    uint32_t count = 0;
    lock();
    for (int i = 0; i < KFD_QUEUES; i++) {
        const struct kfd_queue *queue = &state->queues[i];
        count += queue->used && queue->pid == pid && computes(queue) && is_off(queue);
    }
    unlock();
    return count;
}

EXPORTED bool kfd_is_clean(void)
{
    if (state->violations != 0) {
        fprintf(stderr, "the driver saw what it should not: %s\n", state->violation);
    }
    return state->violations == 0;
}
