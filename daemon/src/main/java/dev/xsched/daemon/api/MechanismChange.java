package dev.xsched.daemon.api;

/**
 * From that moment on, a queue on a GPU was kept apart from others in another way.
 *
 * @param number counts all changes
 * @param mechanism gate, slices or interrupt (slices, with others off the GPU meanwhile)
 * @param sliceMicros how long the GPU stays with it when others have work; 0 as the driver has it
 * @param reason why, in words
 */
public record MechanismChange(
    long number,
    long queue,
    long program,
    int device,
    long atNanos,
    String mechanism,
    long sliceMicros,
    String reason) {}
