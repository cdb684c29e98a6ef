package dev.xsched.link;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.invoke.VarHandle;

/**
 * The mirror of native/include/xsched_control.h: the same structs with the same names. A test
 * compiles that file and compares every offset and size.
 */
final class Layouts {
  static final int PROTOCOL = 2;
  static final int BLOCK_MAGIC = 0x4b4c4258;
  static final int BOARD_MAGIC = 0x44524258;
  static final int HELLO_MAGIC = 0x4f4c4858;
  static final int WELCOME_MAGIC = 0x434c5758;
  static final int SLOTS = 256;
  static final int CEILINGS = 64;
  static final int BOARD_PROGRAMS = 1024;
  static final int HINTS = 12;
  static final int GPUS = 8;
  static final int GPU_GROUPS = 8;
  static final int GPU_CHANNELS = 64;
  static final int BEGUN = 15;

  static final StructLayout ASKS =
      structLayout(
              JAVA_INT.withName("seq"),
              JAVA_INT.withName("mask"),
              sequenceLayout(HINTS, JAVA_LONG).withName("values"),
              paddingLayout(24))
          .withName("xsched_asks");

  static final StructLayout SLOT =
      structLayout(
              JAVA_INT.withName("state"),
              JAVA_INT.withName("generation"),
              JAVA_INT.withName("levels"),
              JAVA_INT.withName("buffered"),
              text("name", 48),
              text("device", 64),
              JAVA_LONG.withName("ready_since"),
              JAVA_LONG.withName("changes"),
              JAVA_LONG.withName("submitted"),
              JAVA_LONG.withName("launched"),
              JAVA_LONG.withName("completed"),
              JAVA_LONG.withName("command_nanos"),
              JAVA_LONG.withName("busy_nanos"),
              JAVA_LONG.withName("gate_waits"),
              JAVA_LONG.withName("gate_wait_nanos"),
              JAVA_LONG.withName("stopped"),
              JAVA_INT.withName("waiters"),
              JAVA_INT.withName("awaited"),
              JAVA_LONG.withName("syncs"),
              JAVA_LONG.withName("sync_nanos"),
              paddingLayout(24),
              ASKS.withName("asks"),
              JAVA_INT.withName("gate"),
              JAVA_INT.withName("rank"),
              JAVA_INT.withName("ceiling"),
              JAVA_INT.withName("level"),
              JAVA_LONG.withName("window_nanos"),
              JAVA_INT.withName("window_commands"),
              JAVA_INT.withName("window_batch"),
              JAVA_INT.withName("others"),
              paddingLayout(92))
          .withName("xsched_slot");

  static final StructLayout GPU_OBJECT =
      structLayout(JAVA_INT.withName("client"), JAVA_INT.withName("handle"))
          .withName("xsched_gpu_object");

  static final StructLayout GPU =
      structLayout(
              JAVA_INT.withName("state"),
              JAVA_INT.withName("changes"),
              JAVA_INT.withName("offers"),
              JAVA_INT.withName("instance"),
              JAVA_INT.withName("client"),
              JAVA_INT.withName("subdevice"),
              JAVA_INT.withName("group_count"),
              JAVA_INT.withName("channel_count"),
              text("device", 64),
              text("reason", 96),
              sequenceLayout(GPU_GROUPS, GPU_OBJECT).withName("groups"),
              sequenceLayout(GPU_CHANNELS, GPU_OBJECT).withName("channels"),
              JAVA_LONG.withName("slice_micros"),
              JAVA_INT.withName("interrupted"),
              JAVA_INT.withName("interrupt_seq"),
              JAVA_INT.withName("priority"),
              JAVA_INT.withName("reminds"),
              JAVA_LONG.withName("early_turns"),
              JAVA_LONG.withName("early_in_vain"),
              paddingLayout(24),
              JAVA_LONG.withName("slice_order"),
              JAVA_INT.withName("interrupt_order"),
              JAVA_INT.withName("interrupt_order_seq"),
              JAVA_INT.withName("priority_order"),
              paddingLayout(4),
              JAVA_LONG.withName("early_at"),
              JAVA_LONG.withName("early_every"),
              JAVA_LONG.withName("early_lead"),
              JAVA_LONG.withName("early_slack"),
              JAVA_LONG.withName("early_until"),
              JAVA_LONG.withName("begins"),
              sequenceLayout(BEGUN, JAVA_LONG).withName("begun"))
          .withName("xsched_gpu");

  static final StructLayout BLOCK =
      structLayout(
              JAVA_INT.withName("magic"),
              JAVA_INT.withName("version"),
              JAVA_INT.withName("size"),
              JAVA_INT.withName("slots"),
              paddingLayout(48),
              ASKS.withName("asks"),
              sequenceLayout(SLOTS / 64, JAVA_LONG).withName("changed"),
              paddingLayout(32),
              JAVA_LONG.withName("heartbeat"),
              JAVA_INT.withName("orders"),
              JAVA_INT.withName("watchers"),
              JAVA_INT.withName("scheduled"),
              JAVA_INT.withName("ignore_ceilings"),
              JAVA_INT.withName("gpu_orders"),
              JAVA_INT.withName("gpu_watchers"),
              paddingLayout(32 + 3776),
              sequenceLayout(SLOTS, SLOT).withName("slot"),
              sequenceLayout(GPUS, GPU).withName("gpu"))
          .withName("xsched_block");

  static final StructLayout CEILING =
      structLayout(JAVA_LONG.withName("word"), JAVA_INT.withName("watched"), paddingLayout(52))
          .withName("xsched_ceiling");

  static final StructLayout BOARD =
      structLayout(
              JAVA_INT.withName("magic"),
              JAVA_INT.withName("version"),
              JAVA_INT.withName("size"),
              JAVA_INT.withName("ceilings"),
              paddingLayout(48),
              JAVA_INT.withName("bell"),
              paddingLayout(60),
              JAVA_INT.withName("asleep"),
              paddingLayout(60),
              sequenceLayout(BOARD_PROGRAMS / 64, JAVA_LONG).withName("rung"),
              paddingLayout(3776),
              sequenceLayout(CEILINGS, CEILING).withName("ceiling"))
          .withName("xsched_board");

  static final StructLayout HELLO =
      structLayout(
              JAVA_INT.withName("magic"),
              JAVA_INT.withName("version"),
              JAVA_INT.withName("kind"),
              JAVA_INT.withName("reserved"),
              text("name", 64))
          .withName("xsched_hello");

  static final StructLayout WELCOME =
      structLayout(
              JAVA_INT.withName("magic"),
              JAVA_INT.withName("version"),
              JAVA_INT.withName("status"),
              JAVA_INT.withName("board_index"),
              JAVA_LONG.withName("program"),
              text("message", 232))
          .withName("xsched_welcome");

  /** Plain, ordered and atomic access by (segment, offset). */
  static final VarHandle INT = JAVA_INT.varHandle();

  static final VarHandle LONG = JAVA_LONG.varHandle();

  private Layouts() {}

  /** The offset of a member, also of a nested one: {@code offset(SLOT, "asks", "seq")}. */
  static long offset(MemoryLayout layout, String... path) {
    PathElement[] elements = new PathElement[path.length];
    for (int i = 0; i < path.length; i++) {
      elements[i] = PathElement.groupElement(path[i]);
    }
    return layout.byteOffset(elements);
  }

  private static SequenceLayout text(String name, int bytes) {
    return sequenceLayout(bytes, JAVA_BYTE).withName(name);
  }
}
