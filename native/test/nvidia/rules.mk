# Tests of what is done with NVIDIA's driver, in front of one that stands in for its kernel's side.

NVIDIA := $(OUT)/test/nvidia
$(NVIDIA)/libnvrm.so: $(NVIDIA)/rm.o $(NVIDIA)/doorbells.o
	$(CC) $(CFLAGS) -shared -Wl,-soname,libnvrm.so -o $@ $^ -ldl
$(NVIDIA)/libdeep.so: $(NVIDIA)/deep.o
	$(CC) $(CFLAGS) -shared -o $@ $^
$(NVIDIA_TESTS:%=$(NVIDIA)/%): $(NVIDIA)/%: $(NVIDIA)/%.o $(NVIDIA)/library.o \
  $(OUT)/test/cuda/linked.o $(CUDA_COMMON) $(STANDIN_CUDA) $(NVIDIA)/libnvrm.so \
  $(NVIDIA)/libdeep.so $(OUT)/libxsched.so
	$(CC) $(CFLAGS) -rdynamic -pthread -o $@ $(filter %.o,$^) -L$(@D) -lnvrm \
	  -L$(OUT)/test/cuda -lcuda -ldl -Wl,-rpath,'$$ORIGIN:$$ORIGIN/../cuda'
$(patsubst %,$(NVIDIA)/%,slices interrupts early): $(NVIDIA)/orders.o $(OUT)/test/orders.o
$(NVIDIA)/rm.o: CFLAGS += -Wno-missing-prototypes
# For the tests between processes.
ifndef SANITIZE
$(NVIDIA)/slices: | $(NVIDIA)/program
$(NVIDIA)/program: $(NVIDIA)/program.o $(NVIDIA)/library.o $(OUT)/test/harness.o \
  $(NVIDIA)/libnvrm.so $(STANDIN_CUDA)
	$(CC) $(CFLAGS) -pthread -o $@ $(filter %.o,$^) -L$(@D) -lnvrm -L$(OUT)/test/cuda -lcuda \
	  -Wl,-rpath,'$$ORIGIN:$$ORIGIN/../cuda'
$(NVIDIA)/slices: | $(NVIDIA)/driver/libcuda.so.1 $(NVIDIA)/machine
$(NVIDIA)/machine: $(NVIDIA)/machine.o $(NVIDIA)/libnvrm.so
	$(CC) $(CFLAGS) -o $@ $(filter %.o,$^) -L$(@D) -lnvrm -Wl,-rpath,'$$ORIGIN'
endif
# It stands before what sanitizers use themselves.
ifdef SANITIZE
$(NVIDIA)/rm.o $(NVIDIA)/doorbells.o: CFLAGS += -fno-sanitize=all
$(NVIDIA)/%.o: FLAGS += -DSHIM_LINKED_IN
endif
