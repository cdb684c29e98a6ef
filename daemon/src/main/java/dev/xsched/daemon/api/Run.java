package dev.xsched.daemon.api;

/**
 * A time for which a queue was ready and allowed to run, or one for which its work was interrupted.
 *
 * @param number counts all runs that have ended; 0 while it lasts
 * @param endNanos {@link Long#MAX_VALUE} while it lasts; such a run comes again when it has ended
 * @param interrupted whether its work was taken off the GPU for that time
 * @param reason why it was interrupted; empty where it was not
 */
public record Run(
    long number,
    long queue,
    long program,
    int device,
    long startNanos,
    long endNanos,
    boolean interrupted,
    String reason) {}
