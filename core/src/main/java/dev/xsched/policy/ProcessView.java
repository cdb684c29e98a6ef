package dev.xsched.policy;

/**
 * A program as a policy sees it.
 *
 * @param id unique for the life of the scheduler, never used again
 * @param slot small and dense, so that policies can keep arrays; used again after the process ended
 * @param pid as the operating system knows it
 * @param nice the CPU nice value, -20 to 19
 */
public record ProcessView(long id, int slot, long pid, int nice) {}
