/*
 * The same stand-in by HIP's names. What HIP has otherwise is at the end: a current device for each
 * thread in place of contexts, and a compiler.
 */
#define cuInit hipInit
#define cuGetErrorName cu_error_name
#define cuGetErrorString cu_error_string
#define cuDeviceGetCount hipGetDeviceCount
#define cuDeviceGet hipDeviceGet
#define cuDeviceGetName hipDeviceGetName
#define cuDeviceGetUuid cu_uuid
#define cuDeviceGetAttribute cu_attribute
#define cuStreamCreate hipStreamCreateWithFlags
#define cuStreamDestroy_v2 hipStreamDestroy
#define cuStreamBeginCapture_v2 hipStreamBeginCapture
#define cuStreamEndCapture hipStreamEndCapture
#define cuEventCreate hipEventCreateWithFlags
#define cuEventRecord hipEventRecord
#define cuEventSynchronize hipEventSynchronize
#define cuEventDestroy_v2 hipEventDestroy
#define cuModuleGetFunction hipModuleGetFunction
#define cuModuleUnload hipModuleUnload
#define cuLaunchKernel hipModuleLaunchKernel
#define cuMemAlloc_v2 hipMalloc
#define cuMemFree_v2 hipFree
#define cuMemHostAlloc hipHostMalloc
#define cuMemFreeHost hipHostFree
#define cuMemcpyHtoDAsync_v2 hipMemcpyHtoDAsync
#define cuMemcpyDtoHAsync_v2 hipMemcpyDtoHAsync
#define cuMemcpyDtoDAsync_v2 hipMemcpyDtoDAsync
#define cuMemsetD8Async hipMemsetD8Async
#define cuGraphInstantiateWithFlags hipGraphInstantiateWithFlags
#define cuGraphLaunch hipGraphLaunch
#define cuGraphDestroy hipGraphDestroy
#define cuGraphExecDestroy hipGraphExecDestroy
#include "standin_cuda.c"

/* 0 until a thread chooses; calls on it fail as they do without a context. */
int hipGetDevice(int *device) { *device = pushed; return OK; }
int hipSetDevice(int device) { pushed = device; return OK; }

const char *hipGetErrorName(int code) {
  switch (code) {
    case INVALID_VALUE: return "hipErrorInvalidValue";
    case OUT_OF_MEMORY: return "hipErrorOutOfMemory";
    case INVALID_CONTEXT: return "hipErrorInvalidContext";
    case NOT_FOUND: return "hipErrorNotFound";
    default: return "hipErrorUnknown";
  }
}

const char *hipGetErrorString(int code) { (void)code; return "as the stand-in puts it"; }

#ifndef WITHOUT_UUID
int hipDeviceGetUuid(unsigned char uuid[16], int device) {
#ifdef ZERO_UUID
  memset(uuid, 0, 16);
  return device == 40 ? OK : INVALID_VALUE;
#else
  return cu_uuid(uuid, device);
#endif
}
#endif

int hipDeviceGetPCIBusId(char *text, int size, int device) {
  snprintf(text, size, "0000:0c:00.0");
  return device == 40 ? OK : INVALID_VALUE;
}

/* One that does not know its clock, as those before ROCm 5.3. */
int hipDeviceGetAttribute(int *value, int attribute, int device) {
  switch (attribute) {
    case 56: return cu_attribute(value, 1, device);
    case 57: return cu_attribute(value, 39, device);
    case 63: return cu_attribute(value, 16, device);
    default: return INVALID_VALUE;
  }
}

int hipModuleLoadData(void **out, const char *code) {
  NEED_CONTEXT;
  *out = strdup(code);
  __atomic_add_fetch(&modules, 1, __ATOMIC_SEQ_CST);
  return OK;
}

/* What it compiles to is the source. */
int hiprtcCreateProgram(void **program, const char *source, const char *name, int count,
                        const char *const *headers, const char *const *names) {
  (void)name;
  *program = strdup(source);
  return count == 0 && !headers && !names ? OK : INVALID_VALUE;
}

int hiprtcCompileProgram(const char *program, int count, const char *const *options) {
  return count == 0 && !options && strstr(program, "__global__") ? OK : 6;
}

int hiprtcGetProgramLogSize(const char *program, size_t *size) {
  (void)program;
  *size = sizeof "line 1: no kernel";
  return OK;
}

int hiprtcGetProgramLog(const char *program, char *log) {
  (void)program;
  strcpy(log, "line 1: no kernel");
  return OK;
}

int hiprtcGetCodeSize(const char *program, size_t *size) {
  *size = strlen(program) + 1;
  return OK;
}

int hiprtcGetCode(const char *program, char *code) {
  strcpy(code, program);
  return OK;
}

int hiprtcDestroyProgram(void **program) {
  free(*program);
  return OK;
}
