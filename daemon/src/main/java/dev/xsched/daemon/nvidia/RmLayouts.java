package dev.xsched.daemon.nvidia;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;

/**
 * What the daemon uses of NVIDIA's resource manager (RM): numbers and structures under the names of
 * NVIDIA's public headers. A test compiles native/shim/nvidia_rm.h and compares them.
 */
final class RmLayouts {
  static final int NV_ESC_RM_FREE = 0x29;
  static final int NV_ESC_RM_CONTROL = 0x2A;
  static final int NV_ESC_RM_ALLOC = 0x2B;
  static final int NV_ESC_REGISTER_FD = 201;

  static final int NV_OK = 0;

  static final int NV01_ROOT = 0x0000;
  static final int NV01_DEVICE_0 = 0x0080;
  static final int NV20_SUBDEVICE_0 = 0x2080;

  static final int NV2080_CTRL_CMD_FIFO_DISABLE_CHANNELS = 0x2080110b;
  static final int NV2080_CTRL_FIFO_DISABLE_CHANNELS_MAX_ENTRIES = 64;

  static final StructLayout REGISTER_FD =
      structLayout(JAVA_INT.withName("ctl_fd")).withName("nv_ioctl_register_fd_t");

  static final StructLayout FREE =
      structLayout(
              JAVA_INT.withName("hRoot"),
              JAVA_INT.withName("hObjectParent"),
              JAVA_INT.withName("hObjectOld"),
              JAVA_INT.withName("status"))
          .withName("NVOS00_PARAMETERS");

  static final StructLayout ALLOC =
      structLayout(
              JAVA_INT.withName("hRoot"),
              JAVA_INT.withName("hObjectParent"),
              JAVA_INT.withName("hObjectNew"),
              JAVA_INT.withName("hClass"),
              JAVA_LONG.withName("pAllocParms"),
              JAVA_INT.withName("paramsSize"),
              JAVA_INT.withName("status"))
          .withName("NVOS21_PARAMETERS");

  static final StructLayout CONTROL =
      structLayout(
              JAVA_INT.withName("hClient"),
              JAVA_INT.withName("hObject"),
              JAVA_INT.withName("cmd"),
              JAVA_INT.withName("flags"),
              JAVA_LONG.withName("params"),
              JAVA_INT.withName("paramsSize"),
              JAVA_INT.withName("status"))
          .withName("NVOS54_PARAMETERS");

  static final StructLayout DEVICE =
      structLayout(
              JAVA_INT.withName("deviceId"),
              JAVA_INT.withName("hClientShare"),
              JAVA_INT.withName("hTargetClient"),
              JAVA_INT.withName("hTargetDevice"),
              JAVA_INT.withName("flags"),
              paddingLayout(4),
              JAVA_LONG.withName("vaSpaceSize"),
              JAVA_LONG.withName("vaStartInternal"),
              JAVA_LONG.withName("vaLimitInternal"),
              JAVA_INT.withName("vaMode"),
              paddingLayout(4))
          .withName("NV0080_ALLOC_PARAMETERS");

  static final StructLayout SUBDEVICE =
      structLayout(JAVA_INT.withName("subDeviceId")).withName("NV2080_ALLOC_PARAMETERS");

  static final StructLayout DISABLE_CHANNELS =
      structLayout(
              JAVA_BYTE.withName("bDisable"),
              paddingLayout(3),
              JAVA_INT.withName("numChannels"),
              JAVA_BYTE.withName("bOnlyDisableScheduling"),
              JAVA_BYTE.withName("bRewindGpPut"),
              paddingLayout(6),
              JAVA_LONG.withName("pRunlistPreemptEvent"),
              sequenceLayout(NV2080_CTRL_FIFO_DISABLE_CHANNELS_MAX_ENTRIES, JAVA_INT)
                  .withName("hClientList"),
              sequenceLayout(NV2080_CTRL_FIFO_DISABLE_CHANNELS_MAX_ENTRIES, JAVA_INT)
                  .withName("hChannelList"))
          .withName("NV2080_CTRL_FIFO_DISABLE_CHANNELS_PARAMS");

  private RmLayouts() {}

  /** The number of an ioctl that reads and writes such a structure: _IOWR of NV_IOCTL_MAGIC. */
  static long request(int escape, StructLayout structure) {
    return 3L << 30 | structure.byteSize() << 16 | 'F' << 8 | escape;
  }

  static long offset(StructLayout structure, String member) {
    return structure.byteOffset(PathElement.groupElement(member));
  }
}
