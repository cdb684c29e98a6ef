#include "rm.h"

#include "doorbells.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define FOLDER "XSCHED_TEST_RM"
#define PROC "/proc/driver/nvidia"
#define DEFAULT_SLICE 2048
#define NONE UINT32_MAX

/* As in NVIDIA's headers, written down a second time. */
#define ROOT 0x0u
#define DEVICE 0x80u
#define SUBDEVICE 0x2080u
#define GROUP 0xa06cu
#define IS_CHANNEL(class) (((class) & 0xff) == 0x6f)
#define DOORBELLS 0xc661u
#define DOORBELLS_SIZE 0x10000u
#define DOORBELL 0x90u
#define ALLOC_21 0xc020462bul
#define ALLOC_64 0xc030462bul
#define CONTROL 0xc020462aul
#define FREE 0xc0104629ul
#define ALLOC_NUMBER 0x462bul
#define REGISTER_FD 0xc00446c9ul
#define MAP_MEMORY 0xc038464eul
#define WRITE_ONLY 2u
#define CARD_INFO 0xca0046c8ul /* NV_ESC_CARD_INFO, which is none of our business */
#define INVALID_ARGUMENT 0x1fu

int __fxstat(int version, int fd, struct stat *status);

static struct rm_state *state;

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

EXPORTED struct rm_state *rm_state(void)
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

EXPORTED void rm_set_version(const char *text)
{
    char path[512];
    if (text != NULL) {
        make_file("proc/version", text, 0);
    } else {
        unlink(in_folder(path, sizeof path, "proc/version"));
    }
}

/* The UUIDs are those of the driver in test/cuda. */
EXPORTED void rm_add_gpu(void)
{
    static unsigned count;
    char name[64], path[512], text[256];
    snprintf(name, sizeof name, "proc/gpus/0000:%02x:00.0", count + 1);
    mkdir(in_folder(path, sizeof path, name), 0700);
    snprintf(text, sizeof text,
             "Model: \t\t NVIDIA H200\nGPU UUID: \t GPU-00000000-0000-0000-0000-%012x\n"
             "Device Minor: \t %u\nGPU Excluded:\t No\n",
             count, count);
    strcat(name, "/information");
    make_file(name, text, 0);
    snprintf(name, sizeof name, "nvidia%u", count++);
    make_file(name, "", 0);
}

EXPORTED void rm_list_no_uuids(void)
{
    make_file("proc/gpus/0000:01:00.0/information",
              "Model: \t\t NVIDIA H200\nGPU UUID: \t GPU-???????\?-...\n", 0);
}

EXPORTED struct rm_state *rm_start(void)
{
    char path[512];
    if (getenv(FOLDER) == NULL) {
        snprintf(path, sizeof path, "%s/rm", getenv("XSCHED_DIR"));
        setenv(FOLDER, path, 1);
    }
    mkdir(getenv(FOLDER), 0700);
    mkdir(in_folder(path, sizeof path, "proc"), 0700);
    mkdir(in_folder(path, sizeof path, "proc/gpus"), 0700);
    make_file("state", "", sizeof *state);
    make_file("nvidiactl", "", 0);
    rm_set_version("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release "
                   "Build  (builder@host)\nGCC version: 13\n");
    rm_add_gpu();
    for (int i = 0; i < RM_OBJECTS; i++) {
        rm_state()->objects[i].class = NONE;
    }
    return state;
}

/* What the program opens. */

static int open_other(const char *path, int flags, int mode)
{
    char other[512], name[256];
    if (getenv(FOLDER) != NULL && strncmp(path, "/dev/nvidia", 11) == 0) {
        path = in_folder(other, sizeof other, path + strlen("/dev/"));
    } else if (getenv(FOLDER) != NULL && strncmp(path, PROC "/", strlen(PROC "/")) == 0) {
        snprintf(name, sizeof name, "proc%s", path + strlen(PROC));
        path = in_folder(other, sizeof other, name);
    }
    return open_file(path, flags, mode);
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
    bool ours = getenv(FOLDER) != NULL && strcmp(path, PROC "/gpus") == 0;
    return real(ours ? in_folder(other, sizeof other, "proc/gpus") : path);
}

static bool is_file(int fd, const char *name)
{
    struct stat one, other;
    char path[512];
    int error = errno;
    bool is =
        getenv(FOLDER) != NULL && syscall(SYS_fstat, fd, &one) == 0 &&
        syscall(SYS_newfstatat, AT_FDCWD, in_folder(path, sizeof path, name), &other, 0) == 0 &&
        one.st_ino == other.st_ino && one.st_dev == other.st_dev;
    errno = error;
    return is;
}

/* Of two, the driver counts in another order than their files. */
static bool is_gpu(int fd, uint32_t instance)
{
    char path[512];
    bool two = access(in_folder(path, sizeof path, "nvidia1"), F_OK) == 0;
    return is_file(fd, instance == (two ? 1 : 0) ? "nvidia0" : "nvidia1");
}

static bool is_control_device(int fd)
{
    return is_file(fd, "nvidiactl");
}

EXPORTED uint32_t rm_close_all_but(int kept)
{
    uint32_t closed = 0;
    for (int fd = 0; fd < 256; fd++) {
        closed += fd != kept && is_control_device(fd) && syscall(SYS_close, fd) == 0;
    }
    return closed;
}

static int status_of(int fd, struct stat *status)
{
    int result = (int)syscall(SYS_fstat, fd, status);
    if (result == 0 && is_control_device(fd)) {
        status->st_mode = S_IFCHR | 0666;
        status->st_rdev = makedev(195, 255);
    }
    return result;
}

EXPORTED int fstat(int fd, struct stat *status)
{
    return status_of(fd, status);
}

EXPORTED int __fxstat(int version, int fd, struct stat *status)
{
    (void)version;
    return status_of(fd, status);
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

static bool is_gone(pid_t pid)
{
    return kill(pid, 0) != 0 && errno == ESRCH;
}

/* Who has it may be killed at any moment. */
static void lock(void)
{
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
}

static void unlock(void)
{
    __atomic_store_n(&state->lock, 0, __ATOMIC_RELEASE);
}

static uint32_t violate(const char *what, uint64_t detail)
{
    if (state->violations++ == 0) {
        snprintf(state->violation, sizeof state->violation, "%s (0x%llx)", what,
                 (unsigned long long)detail);
    }
    return INVALID_ARGUMENT;
}

static struct rm_object *find(uint32_t client, uint32_t handle)
{
    for (int i = 0; i < RM_OBJECTS; i++) {
        struct rm_object *object = &state->objects[i];
        if (object->class != NONE && object->client == client && object->handle == handle) {
            return object;
        }
    }
    return NULL;
}

static struct rm_object *own(uint32_t client, uint32_t handle)
{
    struct rm_object *root = find(client, client);
    return root == NULL || root->pid != getpid() ? NULL : find(client, handle);
}

static bool size_fits(uint32_t class, uint32_t size)
{
    uint32_t group = state->group_size != 0 ? state->group_size : 20;
    return size == 0 || (class == DEVICE    ? size == 56
                         : class == SUBDEVICE ? size == 4
                         : class == GROUP     ? size == group
                         : class == DOORBELLS ? size == 2
                                              : true);
}

/* What a process has goes with it. */
static void sweep(void)
{
    for (int i = 0; i < RM_OBJECTS; i++) {
        struct rm_object *object = &state->objects[i];
        if (object->class != NONE && is_gone(object->pid)) {
            object->class = NONE;
        }
    }
}

static uint32_t allocate(char *call, uint32_t size)
{
    uint32_t client = word(call, 0), parent = word(call, 4), handle = word(call, 8);
    uint32_t class = word(call, 12);
    const char *parameters = (const char *)(uintptr_t)wide(call, 16);
    struct rm_object *place = NULL;
    if (!size_fits(class, size)) {
        return violate("parameters of another size for class", class);
    }
    if (class != ROOT && own(client, parent) == NULL) {
        return violate("no such parent", parent);
    }
    if (class == DOORBELLS && find(client, parent)->class != SUBDEVICE) {
        return violate("doorbells of something else than a subdevice", parent);
    }
    for (int i = 0; i < RM_OBJECTS && place == NULL; i++) {
        place = state->objects[i].class == NONE ? &state->objects[i] : NULL;
    }
    if (handle == 0) {
        handle = 0xcaf00000u + ++state->last_handle;
        put(call, 8, handle);
    }
    if (class == ROOT) {
        sweep();
        client = handle;
        put(call, 0, handle);
    }
    if (place == NULL || find(client, handle) != NULL) {
        return violate("no room, or a handle for the second time", handle);
    }
    *place = (struct rm_object){.class = class,
                                .client = client,
                                .handle = handle,
                                .parent = parent,
                                .pid = getpid(),
                                .slice = DEFAULT_SLICE,
                                .token = 0x20000u + ++state->last_handle};
    if (parameters != NULL) {
        place->value = class == DEVICE ? word(parameters, 0)
                       : class == GROUP ? word(parameters, 12)
                                        : 0;
    }
    return 0;
}

static void destroy(uint32_t client, uint32_t handle)
{
    for (int i = 0; i < RM_OBJECTS; i++) {
        struct rm_object *object = &state->objects[i];
        if (object->class == NONE || object->client != client) {
            continue;
        }
        if (object->handle == handle || client == handle) {
            object->class = NONE;
        } else if (object->parent == handle) {
            destroy(client, object->handle);
        }
    }
}

/* The instance of the GPU that an object is on. */
static uint32_t gpu_of(const struct rm_object *object)
{
    while (object != NULL && object->class != DEVICE) {
        object = find(object->client, object->parent);
    }
    return object != NULL ? object->value : NONE;
}

static bool is_registered(pid_t pid)
{
    for (int i = 0; i < RM_REGISTERED; i++) {
        if (state->registered[i] == pid) {
            return true;
        }
    }
    return false;
}

static uint32_t disable(const struct rm_object *object, const char *parameters)
{
    uint32_t on = (unsigned char)parameters[0], count = word(parameters, 4);
    uint32_t only_scheduling = (unsigned char)parameters[8]; /* ignored where it is enabled */
    if (object->class != SUBDEVICE || on > 1 || count < 1 || count > 64 || only_scheduling > on ||
        parameters[9] != 0 || wide(parameters, 16) != 0) {
        return violate("DISABLE_CHANNELS in another form, or on something else", object->class);
    }
    state->most_in_a_list = count > state->most_in_a_list ? count : state->most_in_a_list;
    for (uint32_t i = 0; i < count; i++) {
        struct rm_object *channel =
            find(word(parameters, 24 + 4 * i), word(parameters, 280 + 4 * i));
        if (channel == NULL || !IS_CHANNEL(channel->class)) {
            return INVALID_ARGUMENT;
        }
        if (own(channel->client, channel->handle) == NULL && !is_registered(getpid())) {
            return violate("somebody else's channel, by who has no GPU", channel->handle);
        }
        if (gpu_of(channel) != gpu_of(object)) {
            return violate("a channel of another GPU", channel->handle);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        struct rm_object *channel =
            find(word(parameters, 24 + 4 * i), word(parameters, 280 + 4 * i));
        channel->disabled += on != 0 ? 1 : channel->disabled > 0 ? -1 : 0;
        channel->only_scheduling = only_scheduling != 0;
        channel->forgotten = on != 0 ? channel->only_scheduling : channel->forgotten;
        if (channel->disabled > 1) {
            violate("disabled for the second time", channel->handle);
        }
    }
    return 0;
}

/* The UUIDs are those of the driver in test/cuda, the other way round. */
static uint32_t tell_uuid(const struct rm_object *object, char *parameters)
{
    if (object->class != SUBDEVICE || word(parameters, 4) != 2) {
        return violate("GET_GID_INFO in another form, or on something else", object->class);
    }
    const struct rm_object *device = find(object->client, object->parent);
    put(parameters, 8, 16);
    memset(parameters + 12, 0, 256);
    parameters[12 + 15] = (char)(1 - device->value);
    return 0;
}

static uint32_t tell_token(const struct rm_object *object, char *parameters)
{
    if (!IS_CHANNEL(object->class)) {
        return violate("GET_WORK_SUBMIT_TOKEN on something else", object->class);
    }
    put(parameters, 0, object->token);
    return 0;
}

static uint32_t control(const char *call)
{
    uint32_t command = word(call, 8), size = word(call, 24);
    char *parameters = (char *)(uintptr_t)wide(call, 16);
    struct rm_object *object = own(word(call, 0), word(call, 4));
    uint32_t wanted = command == 0xa06c0103u   ? 8
                      : command == 0x2080110bu ? 536
                      : command == 0x2080014au ? 268
                      : command == 0xc36f0108u ? 4
                                               : NONE;
    state->controls++;
    if (wanted != size || parameters == NULL || word(call, 12) != 0) {
        return violate("a control in another form", command);
    }
    if (object == NULL) {
        return INVALID_ARGUMENT; /* it may have gone in this moment */
    }
    if (command == state->refused) {
        return state->refused_status;
    }
    if (command == 0x2080110bu) {
        return disable(object, parameters);
    }
    if (command == 0x2080014au) {
        return tell_uuid(object, parameters);
    }
    if (command == 0xc36f0108u) {
        return tell_token(object, parameters);
    }
    if (object->class != GROUP || wide(parameters, 0) == 0) {
        return violate("SET_TIMESLICE on something else, or to nothing", object->class);
    }
    object->slice = wide(parameters, 0);
    for (int i = 0; i < RM_OBJECTS; i++) {
        struct rm_object *channel = &state->objects[i];
        channel->forgotten &= channel->client != object->client ||
                              channel->parent != object->handle || channel->disabled != 0;
    }
    return 0;
}

/* The file whose next mapping is that of the doorbells, and the GPU that these are of. */
static int announced = -1;
static uint32_t announced_gpu;

static uint32_t announce(const char *call)
{
    const struct rm_object *page = own(word(call, 0), word(call, 8));
    const struct rm_object *device = own(word(call, 0), word(call, 4));
    int fd = (int)word(call, 48);
    if (page == NULL || page->class != DOORBELLS || device == NULL || device->class != DEVICE ||
        wide(call, 16) != 0 || wide(call, 24) != DOORBELLS_SIZE || wide(call, 32) != 0 ||
        word(call, 44) != WRITE_ONLY) {
        return violate("MAP_MEMORY in another form, or of something else", word(call, 8));
    }
    if (gpu_of(page) != gpu_of(device) || !is_gpu(fd, gpu_of(page))) {
        return violate("MAP_MEMORY of another GPU", gpu_of(page));
    }
    announced = fd;
    announced_gpu = gpu_of(page);
    return state->no_mapping ? INVALID_ARGUMENT : 0;
}

static void ring(uint32_t gpu, size_t offset, uint32_t token)
{
    lock();
    struct rm_object *channel = NULL;
    for (int i = 0; i < RM_OBJECTS && channel == NULL; i++) {
        struct rm_object *object = &state->objects[i];
        channel = object->class != NONE && IS_CHANNEL(object->class) && object->token == token
                      ? object
                      : NULL;
    }
    if (offset != DOORBELL || channel == NULL || channel->pid != getpid() ||
        gpu_of(channel) != gpu) {
        violate("something else was written than the number of an own channel", token);
    } else {
        state->rings++;
        channel->forgotten &= channel->disabled != 0;
    }
    unlock();
}

EXPORTED void *mmap(void *where, size_t size, int access, int flags, int fd, off_t offset)
{
    if (fd < 0 || fd != announced) {
        return (void *)syscall(SYS_mmap, where, size, access, flags, fd, offset);
    }
    announced = -1;
    if (size != DOORBELLS_SIZE || access != PROT_WRITE || flags != MAP_SHARED || offset != 0) {
        violate("doorbells are mapped in another form", size);
    }
    void *page = doorbells_map(announced_gpu, size, ring);
    return page == NULL ? MAP_FAILED : page;
}

static int answer(unsigned long request, char *call)
{
    size_t alloc = state->alloc_size;
    state->calls++;
    if (request == FREE && own(word(call, 0), word(call, 0)) == NULL) {
        put(call, 12, violate("somebody else's object is freed", word(call, 8)));
    } else if (request == FREE) {
        destroy(word(call, 0), word(call, 8));
        put(call, 12, 0);
    } else if (request == CONTROL) {
        put(call, 28, control(call));
    } else if (request == MAP_MEMORY) {
        put(call, 40, announce(call));
    } else if (request == ALLOC_21 && alloc == 0) {
        put(call, 28, allocate(call, word(call, 24)));
    } else if ((request == ALLOC_64 && alloc == 0) ||
               (alloc != 0 && request == (0xc0000000ul | alloc << 16 | ALLOC_NUMBER))) {
        put(call, 40, allocate(call, word(call, 32)));
    } else if (request != CARD_INFO) {
        violate("an unknown call", request);
        errno = EINVAL;
        return -1;
    }
    return 0;
}

/* On a GPU's file: tells the driver which client's that is. */
static int register_fd(unsigned long request, const char *argument)
{
    if (request != REGISTER_FD || !is_control_device((int)word(argument, 0))) {
        violate("an unknown call to a GPU's file", request);
        errno = EINVAL;
        return -1;
    }
    for (int i = 0; i < RM_REGISTERED && !is_registered(getpid()); i++) {
        if (state->registered[i] == 0 || is_gone(state->registered[i])) {
            state->registered[i] = getpid();
        }
    }
    return 0;
}

EXPORTED int ioctl(int fd, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    char *argument = va_arg(arguments, char *);
    va_end(arguments);
    bool of_gpu = is_file(fd, "nvidia0") || is_file(fd, "nvidia1");
    if ((!of_gpu && !is_control_device(fd)) || rm_state() == NULL) {
        return (int)syscall(SYS_ioctl, fd, request, argument);
    }
    lock();
    int result = of_gpu ? register_fd(request, argument) : answer(request, argument);
    unlock();
    return result;
}

EXPORTED uint64_t rm_slice(uint32_t client, uint32_t group)
{
    lock();
    struct rm_object *object = find(client, group);
    uint64_t slice = object == NULL ? 0 : object->slice;
    unlock();
    return slice;
}

EXPORTED uint32_t rm_disabled(uint32_t client, uint32_t channel)
{
    lock();
    struct rm_object *object = find(client, channel);
    uint32_t disabled = object == NULL ? NONE : object->disabled;
    unlock();
    return disabled;
}

static uint32_t count_of(uint32_t client, bool (*counts)(const struct rm_object *channel))
{
    uint32_t count = 0;
    lock();
    for (int i = 0; i < RM_OBJECTS; i++) {
        const struct rm_object *object = &state->objects[i];
        count += object->class != NONE && object->client == client && counts(object);
    }
    unlock();
    return count;
}

static bool is_disabled(const struct rm_object *channel)
{
    return channel->disabled != 0;
}

static bool is_only_scheduling(const struct rm_object *channel)
{
    return channel->only_scheduling;
}

static bool is_forgotten(const struct rm_object *channel)
{
    return channel->forgotten && channel->disabled == 0;
}

EXPORTED bool rm_runs(uint32_t client, uint32_t channel)
{
    lock();
    const struct rm_object *object = find(client, channel);
    bool runs = object != NULL && object->disabled == 0 && !object->forgotten;
    unlock();
    return runs;
}

EXPORTED uint32_t rm_disabled_of(uint32_t client)
{
    return count_of(client, is_disabled);
}

EXPORTED uint32_t rm_only_scheduling_of(uint32_t client)
{
    return count_of(client, is_only_scheduling);
}

EXPORTED uint32_t rm_forgotten_of(uint32_t client)
{
    return count_of(client, is_forgotten);
}

EXPORTED bool rm_is_clean(void)
{
    if (state->violations != 0) {
        fprintf(stderr, "the driver saw what it should not: %s\n", state->violation);
    }
    return state->violations == 0;
}
