# Tests of the library in front of a runtime that stands in for HIP's.

# Names that the generator leaves to driver.c, and what ROCm 5.2 does not have yet.
HIP_BY_HAND := ^hipMemcpyPeer|^hipMemcpyWithStream|^hipExtLaunchKernel$$
HIP_NEWER := $(shell paste -sd'|' test/hip/newer-than-5.2.txt)
STANDIN_HIP := $(OUT)/test/hip/libamdhip64.so.6 $(OUT)/test/hip/old/libamdhip64.so.5
HIP_SOURCES := $(patsubst %,test/hip/%.c,driver device kernels modules objects) test/cuda/machine.c
$(OUT)/test/hip/old/libamdhip64.so.5: HIP_LEAVE_OUT = |^($(HIP_NEWER))$$
$(OUT)/test/hip/old/libamdhip64.so.5: DEFINE := -DOLD
# Not bound to itself: what it calls of its own goes the way that all calls go.
STANDIN_HIP_LIBRARY = mkdir -p $(@D) && \
  awk -v part=functions -v without='$(HIP_BY_HAND)$(HIP_LEAVE_OUT)' -f test/cuda/generate.awk \
    $(HIP_SLOTS) shim/hip.table > $(@D)/driver.gen.c && \
  $(CC) $(CUDA_TEST_FLAGS) $(DEFINE) -I$(@D) -shared -Wl,-soname,$(@F) -o $@ \
    $(filter %.c,$^) $(MORE) -ldl && \
  ln -sf $(@F) $(@D)/libamdhip64.so
HIP_NEEDS := $(HIP_SOURCES) $(wildcard test/hip/*.h test/cuda/*.h) shim/by_value.h \
  test/cuda/generate.awk shim/hip.table test/hip/newer-than-5.2.txt
# And one that shows its table to whoever wants to profile.
TABLED_HIP := $(OUT)/test/hip/tabled/libamdhip64.so.6
$(TABLED_HIP): HIP_SLOTS := shim/hip_slots.h
$(TABLED_HIP): MORE = -L$(@D) -l:librocprofiler-register.so.0 -Wl,-rpath,'$$ORIGIN'
$(TABLED_HIP): test/hip/dispatch.c $(OUT)/test/hip/tabled/librocprofiler-register.so.0 \
  shim/hip_slots.h
$(STANDIN_HIP) $(TABLED_HIP): $(HIP_NEEDS)
	$(STANDIN_HIP_LIBRARY)
$(OUT)/test/hip/tabled/librocprofiler-register.so.0: test/hip/register.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) -shared -Wl,-soname,$(@F) -o $@ $<
$(OUT)/test/hip/tabled/libnext.so: test/cuda/user.c $(TABLED_HIP)
	$(CC) $(FLAGS) $(CFLAGS) -shared -o $@ $< -Wl,--no-as-needed -L$(@D) -lamdhip64 -ldl

# Those of CUDA that hold here as well, with other names, and those of HIP alone.
HIP_AS_CUDA := capture lifetime streams
$(HIP_AS_CUDA:%=$(OUT)/test/hip/%.o) $(OUT)/test/hip/linked.o: $(OUT)/test/hip/%.o: test/cuda/%.c
	@mkdir -p $(@D)
	$(CC) $(CUDA_TEST_FLAGS) -include test/hip/names.h -MMD -c -o $@ $<
$(OUT)/test/hip/%.o: test/hip/%.c
	@mkdir -p $(@D)
	$(CC) $(CUDA_TEST_FLAGS) -I$(OUT)/test/hip -MMD -c -o $@ $<
$(OUT)/test/hip/callers.gen.c: shim/hip.table test/cuda/generate.awk
	@mkdir -p $(@D)
	awk -v part=callers -f test/cuda/generate.awk $< > $@
$(OUT)/test/hip/callers.o: $(OUT)/test/hip/callers.gen.c
$(OUT)/test/hip/lookup: $(OUT)/test/hip/callers.o
HIP_PROGRAMS := $(HIP_TESTS:%=$(OUT)/test/hip/%)
$(HIP_PROGRAMS): $(OUT)/test/hip/%: $(OUT)/test/hip/%.o $(CUDA_COMMON) $(STANDIN_HIP) \
  $(OUT)/libxsched.so
	$(CC) $(CFLAGS) -rdynamic -pthread -o $@ $(filter %.o,$^) $(HIP_LINK) -ldl
$(filter-out %/absent,$(HIP_PROGRAMS)): $(OUT)/test/hip/linked.o $(OUT)/test/hip/two_devices.o
$(filter-out %/absent,$(HIP_PROGRAMS)): HIP_LINK = -L$(@D) -lamdhip64 -Wl,-rpath,'$$ORIGIN'
# Before what LD_LIBRARY_PATH says.
$(OUT)/test/hip/table: HIP_LINK = -L$(@D)/tabled -lamdhip64 -l:librocprofiler-register.so.0 \
  -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/tabled'
$(OUT)/test/hip/table: $(TABLED_HIP) $(OUT)/test/hip/tabled/libnext.so
ifdef SANITIZE
$(OUT)/test/hip/%.o: FLAGS += -DSHIM_LINKED_IN
endif
