package dev.xsched.gpu;

/** Memory of a device, which can be an argument of a kernel. */
public interface DeviceMemory {
  /** What the driver knows it by; 8 bytes under every driver here. */
  Handle handle();
}
