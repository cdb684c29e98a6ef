/*
 * Where functions are in the table by which HIP's runtime calls itself (HipDispatchTable of
 * <hip/amd_detail/hip_api_trace.hpp>), counted from the one behind its size. The order is promised:
 * new ones are put at the end, none is ever moved. The numbers are those that rocprofiler-sdk checks
 * when it is compiled, as far as its list went that was at hand, up to 475; later functions are left to
 * be found by name.
 */
#ifndef XSCHED_SHIM_HIP_SLOTS_H
#define XSCHED_SHIM_HIP_SLOTS_H

#define HIP_SLOTS(SLOT)                                                                            \
    SLOT(hipCtxSynchronize, 31)                                                                    \
    SLOT(hipDevicePrimaryCtxReset, 57)                                                             \
    SLOT(hipDeviceReset, 60)                                                                       \
    SLOT(hipDeviceSynchronize, 66)                                                                 \
    SLOT(hipDrvMemcpy2DUnaligned, 72)                                                              \
    SLOT(hipDrvMemcpy3D, 73)                                                                       \
    SLOT(hipDrvMemcpy3DAsync, 74)                                                                  \
    SLOT(hipEventQuery, 80)                                                                        \
    SLOT(hipEventSynchronize, 82)                                                                  \
    SLOT(hipExtLaunchKernel, 84)                                                                   \
    SLOT(hipExtLaunchMultiKernelMultiDevice, 85)                                                   \
    SLOT(hipFreeAsync, 92)                                                                         \
    SLOT(hipGraphLaunch, 166)                                                                      \
    SLOT(hipLaunchByPtr, 210)                                                                      \
    SLOT(hipLaunchCooperativeKernel, 211)                                                          \
    SLOT(hipLaunchCooperativeKernelMultiDevice, 212)                                               \
    SLOT(hipLaunchHostFunc, 213)                                                                   \
    SLOT(hipLaunchKernel, 214)                                                                     \
    SLOT(hipMallocAsync, 219)                                                                      \
    SLOT(hipMallocFromPoolAsync, 220)                                                              \
    SLOT(hipMemMapArrayAsync, 239)                                                                 \
    SLOT(hipMemPrefetchAsync, 251)                                                                 \
    SLOT(hipMemcpy, 259)                                                                           \
    SLOT(hipMemcpy2D, 260)                                                                         \
    SLOT(hipMemcpy2DAsync, 261)                                                                    \
    SLOT(hipMemcpy2DFromArray, 262)                                                                \
    SLOT(hipMemcpy2DFromArrayAsync, 263)                                                           \
    SLOT(hipMemcpy2DToArray, 264)                                                                  \
    SLOT(hipMemcpy2DToArrayAsync, 265)                                                             \
    SLOT(hipMemcpy3D, 266)                                                                         \
    SLOT(hipMemcpy3DAsync, 267)                                                                    \
    SLOT(hipMemcpyAsync, 268)                                                                      \
    SLOT(hipMemcpyAtoH, 269)                                                                       \
    SLOT(hipMemcpyDtoD, 270)                                                                       \
    SLOT(hipMemcpyDtoDAsync, 271)                                                                  \
    SLOT(hipMemcpyDtoH, 272)                                                                       \
    SLOT(hipMemcpyDtoHAsync, 273)                                                                  \
    SLOT(hipMemcpyFromArray, 274)                                                                  \
    SLOT(hipMemcpyFromSymbol, 275)                                                                 \
    SLOT(hipMemcpyFromSymbolAsync, 276)                                                            \
    SLOT(hipMemcpyHtoA, 277)                                                                       \
    SLOT(hipMemcpyHtoD, 278)                                                                       \
    SLOT(hipMemcpyHtoDAsync, 279)                                                                  \
    SLOT(hipMemcpyParam2D, 280)                                                                    \
    SLOT(hipMemcpyParam2DAsync, 281)                                                               \
    SLOT(hipMemcpyPeer, 282)                                                                       \
    SLOT(hipMemcpyPeerAsync, 283)                                                                  \
    SLOT(hipMemcpyToArray, 284)                                                                    \
    SLOT(hipMemcpyToSymbol, 285)                                                                   \
    SLOT(hipMemcpyToSymbolAsync, 286)                                                              \
    SLOT(hipMemcpyWithStream, 287)                                                                 \
    SLOT(hipMemset, 288)                                                                           \
    SLOT(hipMemset2D, 289)                                                                         \
    SLOT(hipMemset2DAsync, 290)                                                                    \
    SLOT(hipMemset3D, 291)                                                                         \
    SLOT(hipMemset3DAsync, 292)                                                                    \
    SLOT(hipMemsetAsync, 293)                                                                      \
    SLOT(hipMemsetD16, 294)                                                                        \
    SLOT(hipMemsetD16Async, 295)                                                                   \
    SLOT(hipMemsetD32, 296)                                                                        \
    SLOT(hipMemsetD32Async, 297)                                                                   \
    SLOT(hipMemsetD8, 298)                                                                         \
    SLOT(hipMemsetD8Async, 299)                                                                    \
    SLOT(hipModuleLaunchCooperativeKernel, 306)                                                    \
    SLOT(hipModuleLaunchCooperativeKernelMultiDevice, 307)                                         \
    SLOT(hipModuleLaunchKernel, 308)                                                               \
    SLOT(hipStreamAddCallback, 331)                                                                \
    SLOT(hipStreamBeginCapture, 333)                                                               \
    SLOT(hipStreamDestroy, 337)                                                                    \
    SLOT(hipStreamEndCapture, 338)                                                                 \
    SLOT(hipStreamQuery, 345)                                                                      \
    SLOT(hipStreamSynchronize, 346)                                                                \
    SLOT(hipExtModuleLaunchKernel, 388)                                                            \
    SLOT(hipHccModuleLaunchKernel, 389)                                                            \
    SLOT(hipMemcpy_spt, 390)                                                                       \
    SLOT(hipMemcpyToSymbol_spt, 391)                                                               \
    SLOT(hipMemcpyFromSymbol_spt, 392)                                                             \
    SLOT(hipMemcpy2D_spt, 393)                                                                     \
    SLOT(hipMemcpy2DFromArray_spt, 394)                                                            \
    SLOT(hipMemcpy3D_spt, 395)                                                                     \
    SLOT(hipMemset_spt, 396)                                                                       \
    SLOT(hipMemsetAsync_spt, 397)                                                                  \
    SLOT(hipMemset2D_spt, 398)                                                                     \
    SLOT(hipMemset2DAsync_spt, 399)                                                                \
    SLOT(hipMemset3DAsync_spt, 400)                                                                \
    SLOT(hipMemset3D_spt, 401)                                                                     \
    SLOT(hipMemcpyAsync_spt, 402)                                                                  \
    SLOT(hipMemcpy3DAsync_spt, 403)                                                                \
    SLOT(hipMemcpy2DAsync_spt, 404)                                                                \
    SLOT(hipMemcpyFromSymbolAsync_spt, 405)                                                        \
    SLOT(hipMemcpyToSymbolAsync_spt, 406)                                                          \
    SLOT(hipMemcpyFromArray_spt, 407)                                                              \
    SLOT(hipMemcpy2DToArray_spt, 408)                                                              \
    SLOT(hipMemcpy2DFromArrayAsync_spt, 409)                                                       \
    SLOT(hipMemcpy2DToArrayAsync_spt, 410)                                                         \
    SLOT(hipStreamQuery_spt, 411)                                                                  \
    SLOT(hipStreamSynchronize_spt, 412)                                                            \
    SLOT(hipStreamAddCallback_spt, 416)                                                            \
    SLOT(hipLaunchCooperativeKernel_spt, 418)                                                      \
    SLOT(hipLaunchKernel_spt, 419)                                                                 \
    SLOT(hipGraphLaunch_spt, 420)                                                                  \
    SLOT(hipStreamBeginCapture_spt, 421)                                                           \
    SLOT(hipStreamEndCapture_spt, 422)                                                             \
    SLOT(hipLaunchHostFunc_spt, 426)                                                               \
    SLOT(hipGetProcAddress, 442)                                                                   \
    SLOT(hipStreamBeginCaptureToGraph, 443)                                                        \
    SLOT(hipMemcpyAtoD, 446)                                                                       \
    SLOT(hipMemcpyDtoA, 447)                                                                       \
    SLOT(hipMemcpyAtoA, 448)                                                                       \
    SLOT(hipMemcpyAtoHAsync, 449)                                                                  \
    SLOT(hipMemcpyHtoAAsync, 450)                                                                  \
    SLOT(hipMemcpy2DArrayToArray, 451)                                                             \
    SLOT(hipLaunchKernelExC, 474)                                                                  \
    SLOT(hipDrvLaunchKernelEx, 475)

#endif
