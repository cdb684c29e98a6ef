package dev.xsched.cuda;

import dev.xsched.gpu.StreamChecks;

/** The checks on a device of CUDA. */
final class CudaChecks {
  private static final String PTX =
      """
      .version 6.0
      .target sm_50
      .address_size 64

      .visible .entry vector_add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
      {
        .reg .pred %outside;
        .reg .b32 %i, %block, %size, %thread, %count, %x, %y;
        .reg .b64 %pa, %pb, %pc, %offset;
        mov.u32 %block, %ctaid.x;
        mov.u32 %size, %ntid.x;
        mov.u32 %thread, %tid.x;
        mad.lo.u32 %i, %block, %size, %thread;
        ld.param.u32 %count, [n];
        setp.ge.u32 %outside, %i, %count;
        @%outside bra DONE;
        ld.param.u64 %pa, [a];
        ld.param.u64 %pb, [b];
        ld.param.u64 %pc, [c];
        mul.wide.u32 %offset, %i, 4;
        add.u64 %pa, %pa, %offset;
        add.u64 %pb, %pb, %offset;
        add.u64 %pc, %pc, %offset;
        ld.global.u32 %x, [%pa];
        ld.global.u32 %y, [%pb];
        add.u32 %x, %x, %y;
        st.global.u32 [%pc], %x;
      DONE:
        ret;
      }

      .visible .entry advance(.param .u64 p, .param .u32 i)
      {
        .reg .b32 %x, %add;
        .reg .b64 %at;
        ld.param.u64 %at, [p];
        ld.param.u32 %add, [i];
        ld.global.u32 %x, [%at];
        mad.lo.u32 %x, %x, 3, %add;
        st.global.u32 [%at], %x;
        ret;
      }

      .visible .entry store_at(.param .u64 p, .param .u32 index, .param .u32 value)
      {
        .reg .b32 %i, %x;
        .reg .b64 %at, %offset;
        ld.param.u64 %at, [p];
        ld.param.u32 %i, [index];
        ld.param.u32 %x, [value];
        mul.wide.u32 %offset, %i, 4;
        add.u64 %at, %at, %offset;
        st.global.u32 [%at], %x;
        ret;
      }
      """;

  private CudaChecks() {}

  static StreamChecks on(CudaDevice device) {
    return new StreamChecks(
        device,
        device.load(PTX),
        new StreamChecks.Dialect(
            "CUDA_ERROR_INVALID_VALUE",
            "CUDA_ERROR_NOT_FOUND",
            () -> device.load("nonsense").close(),
            true));
  }
}
