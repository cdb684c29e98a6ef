/*
 * Stands in for NVIDIA's driver where there is none, so that our side of each call can be tested:
 * that arguments arrive, contexts are current, events are given back. It executes a command at once,
 * on the host. It proves nothing about a device; CudaProof on a real one does.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;

enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_CONTEXT = 201, INVALID_PTX = 218,
       NOT_FOUND = 500 };

/* Kernels alone are captured, a few of them. */
enum { MOST_LAUNCHES = 16, MOST_ARGUMENTS = 4 };
struct Launch { uintptr_t function; unsigned threads; uint64_t arguments[MOST_ARGUMENTS]; };
struct Graph { int count; struct Launch launches[MOST_LAUNCHES]; };
struct Stream { struct Graph *capturing; };

static int context; /* its address is the only context */
static _Thread_local int pushed;
static int streams, events, buffers, modules, graphs, hosts, retained;

#define NEED_CONTEXT if (pushed == 0) return INVALID_CONTEXT

/* What is open, for the test: all zero when everything was given back. */
void standin_open(int32_t counts[7]) {
  int now[7] = {streams, events, buffers, modules, graphs, hosts, retained};
  memcpy(counts, now, sizeof now);
}

CUresult cuInit(unsigned flags) { return flags == 0 ? OK : INVALID_VALUE; }

CUresult cuGetErrorName(CUresult code, const char **name) {
  switch (code) {
    case INVALID_VALUE: *name = "CUDA_ERROR_INVALID_VALUE"; return OK;
    case OUT_OF_MEMORY: *name = "CUDA_ERROR_OUT_OF_MEMORY"; return OK;
    case INVALID_CONTEXT: *name = "CUDA_ERROR_INVALID_CONTEXT"; return OK;
    case INVALID_PTX: *name = "CUDA_ERROR_INVALID_PTX"; return OK;
    case NOT_FOUND: *name = "CUDA_ERROR_NOT_FOUND"; return OK;
    default: return INVALID_VALUE;
  }
}

CUresult cuGetErrorString(CUresult code, const char **text) {
  *text = "as the stand-in puts it";
  return code == OK ? INVALID_VALUE : OK;
}

CUresult cuDeviceGetCount(int *count) { *count = 1; return OK; }
CUresult cuDeviceGet(CUdevice *device, int number) { *device = 40 + number; return OK; }

CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
  snprintf(name, size, "stand-in %d", device);
  return OK;
}

CUresult cuDeviceGetUuid(unsigned char uuid[16], CUdevice device) {
  for (int i = 0; i < 16; i++) uuid[i] = device + i;
  return OK;
}

CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  *value = attribute == 1 ? 1024 : attribute == 16 ? 4 : attribute == 39 ? 2048 : -1;
  return device == 40 ? OK : INVALID_VALUE;
}

CUresult cuDevicePrimaryCtxRetain(void **out, CUdevice device) {
  *out = &context;
  __atomic_add_fetch(&retained, 1, __ATOMIC_SEQ_CST);
  return device == 40 ? OK : INVALID_VALUE;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  __atomic_sub_fetch(&retained, 1, __ATOMIC_SEQ_CST);
  return device == 40 ? OK : INVALID_VALUE;
}

CUresult cuCtxPushCurrent_v2(void *pushed_context) {
  if (pushed_context != &context || retained == 0) return INVALID_CONTEXT;
  pushed++;
  return OK;
}

CUresult cuCtxPopCurrent_v2(void **out) {
  NEED_CONTEXT;
  pushed--;
  *out = &context;
  return OK;
}

CUresult cuStreamCreate(struct Stream **out, unsigned flags) {
  NEED_CONTEXT;
  *out = calloc(1, sizeof **out);
  __atomic_add_fetch(&streams, 1, __ATOMIC_SEQ_CST);
  return flags == 1 ? OK : INVALID_VALUE;
}

CUresult cuStreamGetCtx(struct Stream *stream, void **out) {
  (void)stream;
  *out = &context;
  return OK;
}

CUresult cuStreamDestroy_v2(struct Stream *stream) {
  NEED_CONTEXT;
  free(stream);
  __atomic_sub_fetch(&streams, 1, __ATOMIC_SEQ_CST);
  return OK;
}

CUresult cuStreamBeginCapture_v2(struct Stream *stream, int mode) {
  stream->capturing = calloc(1, sizeof *stream->capturing);
  return mode == 2 ? OK : INVALID_VALUE;
}

CUresult cuStreamEndCapture(struct Stream *stream, struct Graph **out) {
  *out = stream->capturing;
  stream->capturing = NULL;
  __atomic_add_fetch(&graphs, 1, __ATOMIC_SEQ_CST);
  return OK;
}

CUresult cuEventCreate(void **out, unsigned flags) {
  NEED_CONTEXT;
  *out = malloc(8);
  __atomic_add_fetch(&events, 1, __ATOMIC_SEQ_CST);
  return flags == 3 ? OK : INVALID_VALUE;
}

CUresult cuEventRecord(void *event, struct Stream *stream) {
  NEED_CONTEXT;
  (void)stream;
  return event ? OK : INVALID_VALUE;
}

CUresult cuEventSynchronize(void *event) {
  NEED_CONTEXT;
  return event ? OK : INVALID_VALUE;
}

CUresult cuEventDestroy_v2(void *event) {
  NEED_CONTEXT;
  free(event);
  __atomic_sub_fetch(&events, 1, __ATOMIC_SEQ_CST);
  return OK;
}

CUresult cuModuleLoadDataEx(void **out, const char *ptx, unsigned n, int *options, void **values) {
  NEED_CONTEXT;
  if (strncmp(ptx, ".version", 8) != 0) {
    if (n == 2 && options[0] == 5 && options[1] == 6)
      snprintf(values[0], (uintptr_t)values[1], "line 1: no version\n");
    return INVALID_PTX;
  }
  *out = strdup(ptx);
  __atomic_add_fetch(&modules, 1, __ATOMIC_SEQ_CST);
  return OK;
}

CUresult cuModuleUnload(void *module) {
  NEED_CONTEXT;
  free(module);
  __atomic_sub_fetch(&modules, 1, __ATOMIC_SEQ_CST);
  return OK;
}

/* The kernels of CudaChecks, and the one that spins. */
enum Kernel { VECTOR_ADD = 1, ADVANCE, STORE, SPIN };

static const struct { const char *name; size_t sizes[5]; } kernels[] = {
  {"", {0}},
  {"vector_add", {8, 8, 8, 4}},
  {"advance", {8, 4}},
  {"store_at", {8, 4, 4}},
  {"xsched_spin", {8}},
};

CUresult cuModuleGetFunction(uintptr_t *out, const char *module, const char *name) {
  for (*out = VECTOR_ADD; *out <= SPIN; ++*out)
    if (strcmp(kernels[*out].name, name) == 0 && strstr(module, name)) return OK;
  return NOT_FOUND;
}

CUresult cuFuncGetParamInfo(uintptr_t function, size_t index, size_t *offset, size_t *size) {
  *offset = 0;
  *size = kernels[function].sizes[index];
  return *size ? OK : INVALID_VALUE;
}

static void execute(const struct Launch *launch) {
  const uint64_t *arguments = launch->arguments;
  int *first = (int *)arguments[0];
  switch (launch->function) {
    case VECTOR_ADD:
      for (unsigned i = 0; i < launch->threads; i++)
        if (i < (unsigned)arguments[3])
          ((int *)arguments[2])[i] = first[i] + ((int *)arguments[1])[i];
      break;
    case ADVANCE: *first = *first * 3 + (int)arguments[1]; break;
    case STORE: first[(int)arguments[1]] = (int)arguments[2]; break;
    default: break;
  }
}

CUresult cuLaunchKernel(uintptr_t function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                        unsigned by, unsigned bz, unsigned shared, struct Stream *stream,
                        void **arguments, void **extra) {
  NEED_CONTEXT;
  if (gy != 1 || gz != 1 || by != 1 || bz != 1 || shared || extra || bx > 1024)
    return INVALID_VALUE;
  struct Launch launch = {function, gx * bx, {0}};
  for (int i = 0; kernels[function].sizes[i]; i++)
    memcpy(&launch.arguments[i], arguments[i], kernels[function].sizes[i]);
  if (stream && stream->capturing) {
    stream->capturing->launches[stream->capturing->count++] = launch;
    return OK;
  }
  execute(&launch);
  return OK;
}

CUresult cuMemAlloc_v2(CUdeviceptr *out, size_t bytes) {
  NEED_CONTEXT;
  if (bytes == 0) return INVALID_VALUE;
  if (bytes > 1u << 30) return OUT_OF_MEMORY;
  *out = (CUdeviceptr)calloc(1, bytes);
  __atomic_add_fetch(&buffers, 1, __ATOMIC_SEQ_CST);
  return OK;
}

CUresult cuMemFree_v2(CUdeviceptr memory) {
  NEED_CONTEXT;
  free((void *)memory);
  __atomic_sub_fetch(&buffers, 1, __ATOMIC_SEQ_CST);
  return OK;
}

CUresult cuMemHostAlloc(void **out, size_t bytes, unsigned flags) {
  NEED_CONTEXT;
  *out = calloc(1, bytes);
  __atomic_add_fetch(&hosts, 1, __ATOMIC_SEQ_CST);
  return flags == 1 ? OK : INVALID_VALUE;
}

CUresult cuMemFreeHost(void *memory) {
  NEED_CONTEXT;
  free(memory);
  __atomic_sub_fetch(&hosts, 1, __ATOMIC_SEQ_CST);
  return OK;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, struct Stream *s) {
  NEED_CONTEXT;
  if (!s || !s->capturing) memcpy((void *)to, from, bytes);
  return OK;
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, struct Stream *s) {
  NEED_CONTEXT;
  if (!s || !s->capturing) memcpy(to, (void *)from, bytes);
  return OK;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, struct Stream *s) {
  return cuMemcpyDtoHAsync_v2((void *)to, from, bytes, s);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, struct Stream *s) {
  NEED_CONTEXT;
  if (!s || !s->capturing) memset((void *)to, value, bytes);
  return OK;
}

CUresult cuGraphInstantiateWithFlags(struct Graph **out, struct Graph *graph, uint64_t flags) {
  *out = malloc(sizeof **out);
  **out = *graph;
  __atomic_add_fetch(&graphs, 1, __ATOMIC_SEQ_CST);
  return flags == 0 ? OK : INVALID_VALUE;
}

CUresult cuGraphLaunch(struct Graph *graph, struct Stream *stream) {
  NEED_CONTEXT;
  (void)stream;
  for (int i = 0; i < graph->count; i++) execute(&graph->launches[i]);
  return OK;
}

CUresult cuGraphDestroy(struct Graph *graph) {
  free(graph);
  __atomic_sub_fetch(&graphs, 1, __ATOMIC_SEQ_CST);
  return OK;
}

CUresult cuGraphExecDestroy(struct Graph *graph) { return cuGraphDestroy(graph); }
