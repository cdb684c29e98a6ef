# Tests of the library in front of a driver that stands in for CUDA's.

# One as today's, and an older one that lacks some functions.
STANDIN_CUDA := $(OUT)/test/cuda/libcuda.so.1 $(OUT)/test/cuda/old/libcuda.so.1
OLD := cuLaunchKernelEx|BatchAsync|cuStreamWriteValue|cuStreamWaitValue|cuGetProcAddress_v2|cuThreadExchange
# And one that asks the kernel's side whether it may work.
DRIVER_ON_RM := $(OUT)/test/nvidia/driver/libcuda.so.1
$(DRIVER_ON_RM): test/nvidia/gpu.c test/nvidia/library.c $(OUT)/test/nvidia/libnvrm.so
$(DRIVER_ON_RM): MORE = -L$(OUT)/test/nvidia -lnvrm
$(OUT)/test/cuda/libcuda.so.1: GENERATE := -v without=
$(OUT)/test/cuda/old/libcuda.so.1: GENERATE := -v without='$(OLD)'
$(OUT)/test/cuda/old/libcuda.so.1: DEFINE := -DOLD
STANDIN_SOURCES := test/cuda/driver.c test/cuda/machine.c test/cuda/compute.c bench/checked/sums.c
$(STANDIN_CUDA) $(DRIVER_ON_RM): $(STANDIN_SOURCES) $(wildcard test/cuda/*.h bench/checked/sums.h) \
  test/cuda/generate.awk shim/cuda.table
	@mkdir -p $(@D)
	awk -v part=driver $(GENERATE) -f test/cuda/generate.awk shim/cuda.table > $(@D)/driver.gen.c
	$(CC) $(CUDA_TEST_FLAGS) $(DEFINE) -I$(@D) -shared -Wl,-soname,libcuda.so.1 -Wl,-Bsymbolic \
	  -o $@ $(filter %.c,$^) $(MORE)
	ln -sf libcuda.so.1 $(@D)/libcuda.so

CUDA_TEST_FLAGS = $(filter-out -Wmissing-prototypes,$(FLAGS)) $(CFLAGS)
$(OUT)/test/cuda/callers.gen.c: shim/cuda.table test/cuda/generate.awk
	@mkdir -p $(@D)
	awk -v part=callers -f test/cuda/generate.awk $< > $@
$(OUT)/test/cuda/callers.o: $(OUT)/test/cuda/callers.gen.c
$(OUT)/test/cuda/%.o: test/cuda/%.c
	@mkdir -p $(@D)
	$(CC) $(CUDA_TEST_FLAGS) -I$(OUT)/test/cuda -MMD -c -o $@ $<

# Libraries that use the driver: linked with it, bound late or at once, and not linked with it.
CUDA_USERS := $(patsubst %,$(OUT)/test/cuda/lib%.so,user user_now opener own interposer)
CUDA_LIBRARY = $(CC) $(FLAGS) $(CFLAGS) -shared -o $@
$(OUT)/test/cuda/libuser.so: test/cuda/user.c $(OUT)/test/cuda/callers.o \
  $(OUT)/test/cuda/libcuda.so.1
	$(CUDA_LIBRARY) -DLINKED $(filter %.c %.o,$^) -Wl,-z,lazy -L$(@D) -lcuda -ldl
$(OUT)/test/cuda/libuser_now.so: test/cuda/user.c test/cuda/callers.c \
  $(OUT)/test/cuda/callers.gen.c $(OUT)/test/cuda/libcuda.so.1
	$(CC) $(CUDA_TEST_FLAGS) -DLINKED -fno-plt -I$(@D) -shared -o $@ test/cuda/user.c \
	  test/cuda/callers.c -Wl,-z,now,-z,relro -L$(@D) -lcuda -ldl
$(OUT)/test/cuda/libopener.so: test/cuda/user.c
	$(CUDA_LIBRARY) $< -ldl
$(OUT)/test/cuda/libown.so: test/cuda/user.c $(OUT)/test/cuda/libcuda.so.1
	$(CUDA_LIBRARY) -DOWN $< -L$(@D) -lcuda -ldl
$(OUT)/test/cuda/libinterposer.so: test/cuda/interposer.c
	$(CUDA_LIBRARY) $< -ldl

# Where a sanitizer wants to be loaded first, the library is part of the program.
CUDA_PROGRAMS := $(CUDA_TESTS:%=$(OUT)/test/cuda/%)
CUDA_COMMON := $(OUT)/test/cuda/program.o $(OUT)/test/harness.o $(OUT)/test/standin.o \
  $(if $(SANITIZE),$(SHIM_OBJECTS) $(API_OBJECTS) $(CLIENT_OBJECTS))
$(filter-out %/absent,$(CUDA_PROGRAMS)): $(OUT)/test/cuda/%: $(OUT)/test/cuda/%.o \
  $(OUT)/test/cuda/linked.o $(OUT)/test/cuda/callers.o $(CUDA_COMMON) \
  $(STANDIN_CUDA) $(CUDA_USERS) $(OUT)/libxsched.so
	$(CC) $(CFLAGS) -rdynamic -pthread -o $@ $(filter %.o,$^) -L$(@D) -lcuda -ldl \
	  -Wl,-rpath,'$$ORIGIN'
$(OUT)/test/cuda/absent: $(OUT)/test/cuda/absent.o $(CUDA_COMMON) $(STANDIN_CUDA) \
  $(OUT)/libxsched.so $(OUT)/marks
	$(CC) $(CFLAGS) -rdynamic -pthread -o $@ $(filter %.o,$^) -ldl
ifdef SANITIZE
$(OUT)/test/cuda/%.o: FLAGS += -DSHIM_LINKED_IN
endif
