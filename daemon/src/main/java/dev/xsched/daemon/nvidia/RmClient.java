package dev.xsched.daemon.nvidia;

import static dev.xsched.daemon.nvidia.RmLayouts.ALLOC;
import static dev.xsched.daemon.nvidia.RmLayouts.CONTROL;
import static dev.xsched.daemon.nvidia.RmLayouts.DISABLE_CHANNELS;
import static dev.xsched.daemon.nvidia.RmLayouts.NV2080_CTRL_FIFO_DISABLE_CHANNELS_MAX_ENTRIES;
import static dev.xsched.daemon.nvidia.RmLayouts.offset;
import static dev.xsched.daemon.nvidia.RmLayouts.request;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.xsched.link.Gpu.Channel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.nio.file.Path;
import java.util.List;

/**
 * A client of NVIDIA's resource manager: no CUDA, just the driver's files, with a root, a device
 * and a subdevice object of its own. The channels that it switches belong to other clients. Tried
 * on an H200 with driver 580.159.
 */
public final class RmClient implements ChannelSwitch {
  private static final String CONTROL_FILE = "/dev/nvidiactl";
  private static final Path GPUS = Path.of("/proc/driver/nvidia/gpus");

  /** The driver's own limit; our lists are as long as its. */
  private static final int MOST = NV2080_CTRL_FIFO_DISABLE_CHANNELS_MAX_ENTRIES;

  private final DriverCalls calls = new DriverCalls();
  private final Arena arena = Arena.ofShared();
  private final int controlFd;
  private int gpuFd = -1;
  private int client;
  private int subdevice;

  /**
   * Opens that GPU.
   *
   * @param device the name that programs have for it
   * @param instance the RM's number for it, which need not be that of its file
   * @throws IOException with the reason why that cannot be done
   */
  public static RmClient open(String device, int instance) throws IOException {
    return new RmClient(GpuFiles.find(GPUS, device), instance);
  }

  private RmClient(String file, int instance) throws IOException {
    controlFd = calls.open(CONTROL_FILE);
    try {
      gpuFd = calls.open(file);
      register();
      client = allocate(0, RmLayouts.NV01_ROOT, MemorySegment.NULL);
      MemorySegment device0 = arena.allocate(RmLayouts.DEVICE);
      device0.set(JAVA_INT, offset(RmLayouts.DEVICE, "deviceId"), instance);
      int parent = allocate(client, RmLayouts.NV01_DEVICE_0, device0);
      subdevice = allocate(parent, RmLayouts.NV20_SUBDEVICE_0, arena.allocate(RmLayouts.SUBDEVICE));
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /**
   * Has the code ready by which the driver is called. Java makes it when it is first needed, and a
   * program would wait for that. No file of the driver is opened.
   */
  public static void prepare() {
    DriverCalls calls = new DriverCalls();
    try {
      calls.close(calls.open("/dev/null"));
      calls.ioctl("nothing", -1, request(RmLayouts.NV_ESC_RM_CONTROL, CONTROL), MemorySegment.NULL);
    } catch (IOException e) {
      // There is no such descriptor.
    }
  }

  @Override
  public void turn(List<Channel> channels, Turn turn) throws IOException {
    for (int i = 0; i < channels.size(); i += MOST) {
      turnSome(channels.subList(i, Math.min(channels.size(), i + MOST)), turn);
    }
  }

  private void turnSome(List<Channel> channels, Turn turn) throws IOException {
    try (Arena local = Arena.ofConfined()) {
      MemorySegment some = local.allocate(DISABLE_CHANNELS);
      some.set(JAVA_BYTE, offset(DISABLE_CHANNELS, "bDisable"), flag(turn != Turn.ON));
      some.set(
          JAVA_BYTE,
          offset(DISABLE_CHANNELS, "bOnlyDisableScheduling"),
          flag(turn == Turn.OFF_AFTER_SLICE));
      some.set(JAVA_INT, offset(DISABLE_CHANNELS, "numChannels"), channels.size());
      long clients = offset(DISABLE_CHANNELS, "hClientList");
      long handles = offset(DISABLE_CHANNELS, "hChannelList");
      for (int i = 0; i < channels.size(); i++) {
        Channel channel = channels.get(i);
        some.set(JAVA_INT, clients + 4L * i, channel.client());
        some.set(JAVA_INT, handles + 4L * i, channel.handle());
      }
      MemorySegment call = local.allocate(CONTROL);
      call.set(JAVA_INT, offset(CONTROL, "hClient"), client);
      call.set(JAVA_INT, offset(CONTROL, "hObject"), subdevice);
      call.set(JAVA_INT, offset(CONTROL, "cmd"), RmLayouts.NV2080_CTRL_CMD_FIFO_DISABLE_CHANNELS);
      call.set(JAVA_LONG, offset(CONTROL, "params"), some.address());
      call.set(JAVA_INT, offset(CONTROL, "paramsSize"), (int) some.byteSize());
      call("DISABLE_CHANNELS", RmLayouts.NV_ESC_RM_CONTROL, CONTROL, call);
    }
  }

  private static byte flag(boolean value) {
    return (byte) (value ? 1 : 0);
  }

  /** Gives all objects back. */
  @Override
  public void close() {
    if (client != 0) {
      MemorySegment call = arena.allocate(RmLayouts.FREE);
      call.set(JAVA_INT, offset(RmLayouts.FREE, "hRoot"), client);
      call.set(JAVA_INT, offset(RmLayouts.FREE, "hObjectOld"), client);
      try {
        call("RM_FREE", RmLayouts.NV_ESC_RM_FREE, RmLayouts.FREE, call);
      } catch (IOException e) {
        // They go with the descriptor anyway.
      }
    }
    if (gpuFd != -1) {
      calls.close(gpuFd);
    }
    calls.close(controlFd);
    arena.close();
  }

  private void register() throws IOException {
    MemorySegment call = arena.allocate(RmLayouts.REGISTER_FD);
    call.set(JAVA_INT, offset(RmLayouts.REGISTER_FD, "ctl_fd"), controlFd);
    long request = request(RmLayouts.NV_ESC_REGISTER_FD, RmLayouts.REGISTER_FD);
    calls.ioctl("REGISTER_FD", gpuFd, request, call);
  }

  /** Makes an object; returns the handle that the RM gave it. */
  private int allocate(int parent, int kind, MemorySegment parameters) throws IOException {
    MemorySegment call = arena.allocate(ALLOC);
    call.set(JAVA_INT, offset(ALLOC, "hRoot"), client);
    call.set(JAVA_INT, offset(ALLOC, "hObjectParent"), parent);
    call.set(JAVA_INT, offset(ALLOC, "hClass"), kind);
    call.set(JAVA_LONG, offset(ALLOC, "pAllocParms"), parameters.address());
    call.set(JAVA_INT, offset(ALLOC, "paramsSize"), (int) parameters.byteSize());
    call("RM_ALLOC of class 0x%x".formatted(kind), RmLayouts.NV_ESC_RM_ALLOC, ALLOC, call);
    return call.get(JAVA_INT, offset(ALLOC, "hObjectNew"));
  }

  private void call(String name, int escape, StructLayout structure, MemorySegment argument)
      throws IOException {
    calls.ioctl(name, controlFd, request(escape, structure), argument);
    int status = argument.get(JAVA_INT, offset(structure, "status"));
    if (status != RmLayouts.NV_OK) {
      throw new IOException("the driver refuses %s with status 0x%x".formatted(name, status));
    }
  }
}
