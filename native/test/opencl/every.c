/*
 * Makes every call of OpenCL that puts work on a queue, once. Built twice: linked with OpenCL, and
 * not linked, to find the functions as its argument says. After each it says the call's name, and
 * waits for a line; at last it says whether the results are right.
 *
 *   every-linked linked | default
 *   every dlopen | /path/of/libOpenCL.so.1
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(X)                                                                               \
    X(clGetPlatformIDs)                                                                            \
    X(clGetDeviceIDs)                                                                              \
    X(clCreateContext)                                                                             \
    X(clCreateCommandQueue)                                                                        \
    X(clCreateBuffer)                                                                              \
    X(clCreateImage)                                                                               \
    X(clCreateProgramWithSource)                                                                   \
    X(clBuildProgram)                                                                              \
    X(clCreateKernel)                                                                              \
    X(clSetKernelArg)                                                                              \
    X(clSVMAlloc)                                                                                  \
    X(clFinish)                                                                                    \
    X(clWaitForEvents)                                                                             \
    X(clReleaseEvent)                                                                              \
    X(clRetainCommandQueue)                                                                        \
    X(clReleaseCommandQueue)                                                                       \
    X(clEnqueueReadBuffer)                                                                         \
    X(clEnqueueReadBufferRect)                                                                     \
    X(clEnqueueWriteBuffer)                                                                        \
    X(clEnqueueWriteBufferRect)                                                                    \
    X(clEnqueueFillBuffer)                                                                         \
    X(clEnqueueCopyBuffer)                                                                         \
    X(clEnqueueCopyBufferRect)                                                                     \
    X(clEnqueueReadImage)                                                                          \
    X(clEnqueueWriteImage)                                                                         \
    X(clEnqueueFillImage)                                                                          \
    X(clEnqueueCopyImage)                                                                          \
    X(clEnqueueCopyImageToBuffer)                                                                  \
    X(clEnqueueCopyBufferToImage)                                                                  \
    X(clEnqueueMapBuffer)                                                                          \
    X(clEnqueueMapImage)                                                                           \
    X(clEnqueueUnmapMemObject)                                                                     \
    X(clEnqueueMigrateMemObjects)                                                                  \
    X(clEnqueueNDRangeKernel)                                                                      \
    X(clEnqueueTask)                                                                               \
    X(clEnqueueNativeKernel)                                                                       \
    X(clEnqueueSVMFree)                                                                            \
    X(clEnqueueSVMMemcpy)                                                                          \
    X(clEnqueueSVMMemFill)                                                                         \
    X(clEnqueueSVMMap)                                                                             \
    X(clEnqueueSVMUnmap)                                                                           \
    X(clEnqueueSVMMigrateMem)

#define POINTER(function) __typeof__(function) *function;
static struct {
    FUNCTIONS(POINTER)
} cl;

#ifdef LINKED
#define LINK(function) cl.function = function;
#endif
#define LOOK_UP(function) cl.function = (__typeof__(function) *)dlsym(handle, #function);

#define SIDE 16
#define INTS (SIDE * SIDE)
#define BYTES (INTS * sizeof(int))

static cl_command_queue queue;
static cl_mem a, b, image, other_image;
static cl_kernel kernel;
static int *svm, *other_svm;
static int from[INTS], to[INTS];
static bool native_ran;

static const char source[] = "__kernel void add(__global int *x) { x[get_global_id(0)] += 1; }";

static void find_functions(const char *how)
{
    void *handle = RTLD_DEFAULT;
#ifdef LINKED
    if (strcmp(how, "linked") == 0) {
        FUNCTIONS(LINK)
        return;
    }
#else
    handle = dlopen(strcmp(how, "dlopen") == 0 ? "libOpenCL.so.1" : how, RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL) {
        puts("none");
        exit(0);
    }
#endif
    FUNCTIONS(LOOK_UP)
}

/* The call counts whether or not the device can do it: if not, it has completed at once. */
static void called(const char *name, int result)
{
    char line[16];
    printf("%s %d\n", name, result);
    fflush(stdout);
    if (fgets(line, sizeof line, stdin) == NULL) {
        exit(3);
    }
}

#define CALL(function, ...) called(#function, cl.function(queue, __VA_ARGS__))

static void must(const char *what, bool succeeded)
{
    if (!succeeded) {
        printf("wrong %s\n", what);
        exit(1);
    }
}

static void set_up(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int error = -1;
    if (cl.clGetPlatformIDs(1, &platform, NULL) != 0 ||
        cl.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != 0) {
        puts("none");
        exit(0);
    }
    cl_context context = cl.clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    must("context", error == 0);
    queue = cl.clCreateCommandQueue(context, device, 0, &error);
    must("queue", error == 0);
    a = cl.clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &error);
    b = cl.clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &error);
    must("buffers", error == 0);
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc description = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    image = cl.clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, NULL, &error);
    other_image = cl.clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, NULL, &error);
    svm = cl.clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
    other_svm = cl.clSVMAlloc(context, CL_MEM_READ_WRITE, BYTES, 0);
    const char *text = source;
    cl_program program = cl.clCreateProgramWithSource(context, 1, &text, NULL, &error);
    must("program", error == 0 && cl.clBuildProgram(program, 1, &device, "", NULL, NULL) == 0);
    kernel = cl.clCreateKernel(program, "add", &error);
    must("kernel", error == 0 && cl.clSetKernelArg(kernel, 0, sizeof b, &b) == 0);
    for (int i = 0; i < INTS; i++) {
        from[i] = i * 7;
    }
}

static void use_buffers(void)
{
    size_t origin[3] = {0}, region[3] = {SIDE * sizeof(int), SIDE, 1};
    size_t pitch = SIDE * sizeof(int), size = INTS;
    int zero = 0;
    cl_int error = 0;
    CALL(clEnqueueWriteBuffer, a, CL_FALSE, 0, BYTES, from, 0, NULL, NULL);
    CALL(clEnqueueFillBuffer, b, &zero, sizeof zero, 0, BYTES, 0, NULL, NULL);
    CALL(clEnqueueCopyBuffer, a, b, 0, 0, BYTES, 0, NULL, NULL);
    CALL(clEnqueueNDRangeKernel, kernel, 1, NULL, &size, NULL, 0, NULL, NULL);
    CALL(clEnqueueTask, kernel, 0, NULL, NULL);
    CALL(clEnqueueReadBuffer, b, CL_TRUE, 0, BYTES, to, 0, NULL, NULL);
    for (int i = 0; i < INTS; i++) {
        must("sum", to[i] == from[i] + 1 + (i == 0));
    }
    CALL(clEnqueueWriteBufferRect, a, CL_FALSE, origin, origin, region, pitch, 0, pitch, 0, to, 0,
         NULL, NULL);
    CALL(clEnqueueCopyBufferRect, a, b, origin, origin, region, pitch, 0, pitch, 0, 0, NULL, NULL);
    memset(from, 0, sizeof from);
    CALL(clEnqueueReadBufferRect, b, CL_TRUE, origin, origin, region, pitch, 0, pitch, 0, from, 0,
         NULL, NULL);
    must("rectangle", memcmp(from, to, sizeof from) == 0);
    CALL(clEnqueueMigrateMemObjects, 1, &a, 0, 0, NULL, NULL);
    int *mapped = cl.clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL,
                                        &error);
    must("mapping", mapped != NULL && memcmp(mapped, to, sizeof to) == 0);
    called("clEnqueueMapBuffer", error);
    CALL(clEnqueueUnmapMemObject, b, mapped, 0, NULL, NULL);
}

static void use_images(void)
{
    size_t origin[3] = {0}, region[3] = {SIDE, SIDE, 1}, row = 0, slice = 0;
    unsigned colour[4] = {1, 2, 3, 4};
    cl_int error = 0;
    CALL(clEnqueueWriteImage, image, CL_FALSE, origin, region, 0, 0, from, 0, NULL, NULL);
    CALL(clEnqueueCopyImage, image, other_image, origin, origin, region, 0, NULL, NULL);
    CALL(clEnqueueCopyImageToBuffer, other_image, a, origin, region, 0, 0, NULL, NULL);
    CALL(clEnqueueCopyBufferToImage, a, image, 0, origin, region, 0, NULL, NULL);
    CALL(clEnqueueReadImage, image, CL_TRUE, origin, region, 0, 0, to, 0, NULL, NULL);
    must("image", memcmp(from, to, sizeof from) == 0);
    CALL(clEnqueueFillImage, image, colour, origin, region, 0, NULL, NULL);
    void *mapped = cl.clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin, region, &row,
                                        &slice, 0, NULL, NULL, &error);
    called("clEnqueueMapImage", error);
    must("colour", mapped != NULL && memcmp(mapped, "\1\2\3\4", 4) == 0);
    CALL(clEnqueueUnmapMemObject, image, mapped, 0, NULL, NULL);
}

static void use_svm(void)
{
    int pattern = 5;
    cl_event event;
    CALL(clEnqueueSVMMemcpy, CL_TRUE, svm, from, BYTES, 0, NULL, NULL);
    CALL(clEnqueueSVMMemFill, other_svm, &pattern, sizeof pattern, BYTES, 0, NULL, NULL);
    CALL(clEnqueueSVMMap, CL_TRUE, CL_MAP_READ, svm, BYTES, 0, NULL, NULL);
    must("shared memory", memcmp(svm, from, sizeof from) == 0);
    CALL(clEnqueueSVMUnmap, svm, 0, NULL, &event);
    must("event", cl.clWaitForEvents(1, &event) == 0 && cl.clReleaseEvent(event) == 0);
    must("pattern", other_svm[INTS - 1] == 5);
    const void *pointer = svm;
    CALL(clEnqueueSVMMigrateMem, 1, &pointer, NULL, 0, 0, NULL, NULL);
    void *pointers[] = {svm};
    CALL(clEnqueueSVMFree, 1, pointers, NULL, NULL, 0, NULL, NULL);
}

static void CL_CALLBACK run_native(void *arguments)
{
    **(bool **)arguments = true;
}

int main(int count, char **arguments)
{
    bool *ran = &native_ran;
    find_functions(count > 1 ? arguments[1] : "");
    set_up();
    use_buffers();
    use_images();
    use_svm();
    cl_int result = cl.clEnqueueNativeKernel(queue, run_native, &ran, sizeof ran, 0, NULL, NULL, 0,
                                             NULL, NULL);
    called("clEnqueueNativeKernel", result);
    must("finish", cl.clFinish(queue) == 0);
    must("native kernel", result != 0 || native_ran);
    must("references",
         cl.clRetainCommandQueue(queue) == 0 && cl.clReleaseCommandQueue(queue) == 0);
    called("right", 0);
    return 0;
}
