# Tests of what is done with AMD's kernel driver, in front of one that stands in for it.

AMD := $(OUT)/test/amd
$(AMD)/libkfd.so: $(AMD)/kfd.o
	$(CC) $(CFLAGS) -shared -Wl,-soname,libkfd.so -o $@ $^ -ldl
$(AMD)/watch $(AMD)/interrupts: $(AMD)/%: $(AMD)/%.o $(AMD)/runtime.o $(OUT)/test/orders.o \
  $(OUT)/test/hip/linked.o $(CUDA_COMMON) $(STANDIN_HIP) $(AMD)/libkfd.so $(OUT)/libxsched.so
	$(CC) $(CFLAGS) -rdynamic -pthread -o $@ $(filter %.o,$^) -L$(@D) -lkfd \
	  -L$(OUT)/test/hip -lamdhip64 -ldl -Wl,-rpath,'$$ORIGIN:$$ORIGIN/../hip'
$(AMD)/kfd.o: CFLAGS += -Wno-missing-prototypes

# For the tests between processes: a runtime that asks the kernel's side whether it may work, and a
# program that uses it.
$(AMD)/driver/libamdhip64.so.6: $(HIP_NEEDS) test/amd/gpu.c test/amd/runtime.c \
  $(AMD)/libkfd.so
	$(STANDIN_HIP_LIBRARY)
$(AMD)/driver/libamdhip64.so.6: MORE = -L$(AMD) -lkfd -Wl,-rpath,'$$ORIGIN/..'
$(AMD)/device: $(AMD)/device.o $(AMD)/runtime.o $(OUT)/test/orders.o $(OUT)/test/hip/linked.o \
  $(CUDA_COMMON) $(AMD)/driver/libamdhip64.so.6 $(OUT)/libxsched.so
	$(CC) $(CFLAGS) -rdynamic -pthread -o $@ $(filter %.o,$^) -L$(AMD) -lkfd -L$(AMD)/driver \
	  -lamdhip64 -ldl -Wl,-rpath,'$$ORIGIN:$$ORIGIN/driver'
ifndef SANITIZE
$(AMD)/interrupts: | $(AMD)/program
$(AMD)/program: $(AMD)/program.o $(OUT)/test/harness.o $(AMD)/driver/libamdhip64.so.6
	$(CC) $(CFLAGS) -pthread -o $@ $(filter %.o,$^) -L$(AMD) -lkfd -L$(AMD)/driver -lamdhip64 \
	  -Wl,-rpath,'$$ORIGIN:$$ORIGIN/driver'
endif

# The library's inside.
$(AMD)/names.o: FLAGS += -Ishim
$(AMD)/names: $(AMD)/names.o $(OUT)/test/harness.o $(AMD)/libkfd.so \
  $(OUT)/shim/amd_topology.o $(OUT)/shim/platforms.o
	$(CC) $(CFLAGS) -pthread -o $@ $(filter %.o,$^) -L$(@D) -lkfd -ldl -Wl,-rpath,'$$ORIGIN'

# Our numbers beside those of the header that is installed.
$(AMD)/numbers: $(AMD)/numbers.o $(AMD)/numbers-linux.o $(OUT)/test/harness.o
	$(CC) $(CFLAGS) -pthread -o $@ $^
$(AMD)/numbers-linux.o: test/amd/numbers.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) -DLINUX -Itest/amd -MMD -c -o $@ $<

# It stands before what sanitizers use themselves.
ifdef SANITIZE
$(AMD)/kfd.o: CFLAGS += -fno-sanitize=all
$(AMD)/%.o: FLAGS += -DSHIM_LINKED_IN
endif
