"""Finds libxsched.so and knows the types of its functions."""

import ctypes
import os
import threading
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

from ._errors import XSchedError
from ._numbers import Result

#: ``XResult (*)(HwQueueHandle, void *)``
LaunchCallback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_void_p)

_HANDLE = ctypes.c_uint64
_INT64 = ctypes.c_int64
_NUMBERS = (ctypes.c_int, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64, ctypes.c_size_t)
_TO_HANDLE = ctypes.POINTER(ctypes.c_uint64)

#: All functions return a result as int.
SIGNATURES: Dict[str, List[Any]] = {
    "CudaQueueCreate": [_TO_HANDLE, ctypes.c_void_p],
    "CudaQueueGet": [_TO_HANDLE, ctypes.c_void_p],
    "HipQueueCreate": [_TO_HANDLE, ctypes.c_void_p],
    "OpenclQueueCreate": [_TO_HANDLE, ctypes.c_void_p],
    "HwQueueDestroy": [_HANDLE],
    "HwQueueLaunch": [_HANDLE, _HANDLE],
    "HwQueueSynchronize": [_HANDLE],
    "HwCommandCreateCallback": [_TO_HANDLE, LaunchCallback, ctypes.c_void_p],
    "HwCommandDestroy": [_HANDLE],
    "XQueueCreate": [_TO_HANDLE, _HANDLE, _INT64, _INT64],
    "XQueueDestroy": [_HANDLE],
    "XQueueGet": [_TO_HANDLE, _HANDLE],
    "XQueueSetPreemptLevel": [_HANDLE, _INT64],
    "XQueueSetLaunchConfig": [_HANDLE, _INT64, _INT64],
    "XQueueSubmit": [_HANDLE, _HANDLE],
    "XQueueWait": [_HANDLE, _HANDLE],
    "XQueueWaitAll": [_HANDLE],
    "XQueueQuery": [_HANDLE, ctypes.POINTER(ctypes.c_int)],
    "XQueueSuspend": [_HANDLE, _INT64],
    "XQueueResume": [_HANDLE, _INT64],
    "XQueueProfileHwCommandCount": [_HANDLE, ctypes.POINTER(ctypes.c_int64)],
    "XHintSetScheduler": [ctypes.c_int, ctypes.c_int],
    "XHintPriority": [_HANDLE, ctypes.c_int32],
    "XHintUtilization": [_HANDLE, ctypes.c_int32],
    "XHintTimeslice": [_INT64],
    "XHintDeadline": [_HANDLE, _INT64],
    "XHintKDeadline": [ctypes.c_size_t],
    "XHintLaxity": [_HANDLE, _INT64, ctypes.c_int32, ctypes.c_int32],
    "XHintLatencyGoal": [_HANDLE, _INT64],
    "XHintLatencyRatio": [_HANDLE, _INT64],
    "XHintProcessLatencyGoal": [_INT64],
    "XHintProcessLatencyRatio": [_INT64],
    "XHintProcessPriority": [ctypes.c_int32, ctypes.POINTER(ctypes.c_int32)],
}

_lock = threading.Lock()
_loaded: Optional[ctypes.CDLL] = None


def _candidates() -> Iterator[Optional[str]]:
    """Where the library may be, best first. None is this process, where `xsched run` put it."""
    named = os.environ.get("XSCHED_LIBRARY")
    if named:
        yield named
        return
    yield None
    root = Path(__file__).resolve().parent.parent.parent
    for place in (root / "lib", root / "native" / "target"):
        if (place / "libxsched.so").is_file():
            yield str(place / "libxsched.so")
    yield "libxsched.so"


def _open(name: Optional[str]) -> ctypes.CDLL:
    library = ctypes.CDLL(name)
    if not hasattr(library, "XQueueCreate"):
        raise OSError(f"{name or 'this process'} has no XQueueCreate")
    return library


def _load() -> ctypes.CDLL:
    tried: List[str] = []
    for name in _candidates():
        try:
            return _open(name)
        except OSError as error:
            tried.append(str(error))
    raise XSchedError(
        0,
        message="libxsched.so was not found; start the program with 'xsched run -- python3 ...', "
        f"or name the file in XSCHED_LIBRARY ({'; '.join(tried)})",
    )


def function(name: str) -> Any:
    """Returns a function of the library, with its types."""
    global _loaded
    with _lock:
        if _loaded is None:
            library = _load()
            for known, types in SIGNATURES.items():
                found = getattr(library, known)
                found.argtypes = types
                found.restype = ctypes.c_int
            _loaded = library
    return getattr(_loaded, name)


def _fits(kind: Any, value: Any) -> bool:
    """Whether C gets the same number: ctypes takes what it has room for, and no more."""
    return kind not in _NUMBERS or not isinstance(value, int) or kind(value).value == value


def call(name: str, *arguments: Any) -> None:
    """Calls a function and raises what it returns, unless that is success."""
    called = function(name)
    if not all(map(_fits, SIGNATURES[name], arguments)):
        raise XSchedError(Result.INVALID_VALUE, name)
    result = called(*arguments)
    if result != 0:
        raise XSchedError(result, name)


def call_for_handle(name: str, *arguments: Any) -> int:
    """The same for functions that put a handle where their first argument points to."""
    handle = ctypes.c_uint64()
    call(name, ctypes.byref(handle), *arguments)
    return handle.value


def pointer(value: Any) -> Tuple[str, Optional[int]]:
    """Returns the driver and the address of a stream of PyTorch, CuPy, PyOpenCL, or of a number."""
    if hasattr(value, "cuda_stream"):  # PyTorch, which calls streams of HIP so, too
        return ("hip" if _torch_has_hip() else "cuda"), int(value.cuda_stream)
    if hasattr(value, "__cuda_stream__"):
        return "cuda", int(value.__cuda_stream__()[1])
    if hasattr(value, "int_ptr"):  # PyOpenCL
        return "opencl", int(value.int_ptr)
    if hasattr(value, "ptr"):  # CuPy
        return "cuda", int(value.ptr)
    if isinstance(value, ctypes.c_void_p):
        return "cuda", value.value
    if value is None or isinstance(value, int):
        return "cuda", value
    raise TypeError(
        f"{type(value).__name__} is no stream; give one of PyTorch, CuPy, PyOpenCL, or an address"
    )


def _torch_has_hip() -> bool:
    import sys

    torch = sys.modules.get("torch")
    return getattr(getattr(torch, "version", None), "hip", None) is not None
