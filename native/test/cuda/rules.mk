# Tests of the library in front of a driver that stands in for CUDA's.

# One as today's, and an older one that lacks some functions.
STANDIN_CUDA := $(OUT)/test/cuda/libcuda.so.1 $(OUT)/test/cuda/old/libcuda.so.1
OLD := cuLaunchKernelEx|BatchAsync|cuStreamWriteValue|cuGetProcAddress_v2|cuThreadExchange
$(OUT)/test/cuda/libcuda.so.1: GENERATE := -v without=
$(OUT)/test/cuda/old/libcuda.so.1: GENERATE := -v without='$(OLD)'
$(OUT)/test/cuda/old/libcuda.so.1: DEFINE := -DOLD
$(STANDIN_CUDA): $(wildcard test/cuda/driver.c test/cuda/machine.* test/cuda/standin.h) \
  test/cuda/generate.awk shim/cuda.table
	@mkdir -p $(@D)
	awk -v part=driver $(GENERATE) -f test/cuda/generate.awk shim/cuda.table > $(@D)/driver.gen.c
	$(CC) $(CUDA_TEST_FLAGS) $(DEFINE) -I$(@D) -shared -Wl,-soname,libcuda.so.1 -Wl,-Bsymbolic \
	  -o $@ test/cuda/driver.c test/cuda/machine.c
	ln -sf libcuda.so.1 $(@D)/libcuda.so

CUDA_TEST_FLAGS = $(filter-out -Wmissing-prototypes,$(FLAGS)) $(CFLAGS)
$(OUT)/test/cuda/callers.gen.c: shim/cuda.table test/cuda/generate.awk
	@mkdir -p $(@D)
	awk -v part=callers -f test/cuda/generate.awk $< > $@
$(OUT)/test/cuda/callers.o: $(OUT)/test/cuda/callers.gen.c
$(OUT)/test/cuda/%.o: test/cuda/%.c
	@mkdir -p $(@D)
	$(CC) $(CUDA_TEST_FLAGS) -I$(OUT)/test/cuda -MMD -c -o $@ $<

# Libraries that use the driver, linked with it and not.
CUDA_USERS := $(OUT)/test/cuda/libuser.so $(OUT)/test/cuda/libopener.so
$(OUT)/test/cuda/libuser.so: test/cuda/user.c $(OUT)/test/cuda/callers.o \
  $(OUT)/test/cuda/libcuda.so.1
	$(CC) $(FLAGS) $(CFLAGS) -DLINKED -shared -o $@ $(filter %.c %.o,$^) -L$(@D) -lcuda -ldl
$(OUT)/test/cuda/libopener.so: test/cuda/user.c
	$(CC) $(FLAGS) $(CFLAGS) -shared -o $@ $< -ldl

# Where a sanitizer wants to be loaded first, the library is part of the program.
CUDA_PROGRAMS := $(CUDA_TESTS:%=$(OUT)/test/cuda/%)
$(CUDA_PROGRAMS): $(OUT)/test/cuda/%: $(OUT)/test/cuda/%.o $(OUT)/test/cuda/program.o \
  $(OUT)/test/cuda/callers.o $(OUT)/test/harness.o $(OUT)/test/standin.o \
  $(if $(SANITIZE),$(SHIM_OBJECTS) $(API_OBJECTS) $(CLIENT_OBJECTS)) \
  $(STANDIN_CUDA) $(CUDA_USERS) $(OUT)/libxsched.so
	$(CC) $(CFLAGS) -rdynamic -pthread -o $@ $(filter %.o,$^) -L$(@D) -lcuda -ldl -lm \
	  -Wl,-rpath,'$$ORIGIN'
ifdef SANITIZE
$(OUT)/test/cuda/%.o: FLAGS += -DSHIM_LINKED_IN
endif
