# A CUDA program that checks its results. It comes with the archive, as the worker does.

CHECKED_OBJECTS := $(patsubst %,$(OUT)/bench/checked.o/%.o,gpu main pulse sums)
$(OUT)/bench/checked.o/%.o: bench/checked/%.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(CFLAGS) -MMD -c -o $@ $<
ifndef SANITIZE
$(CHECKED_OBJECTS): FLAGS += -include bench/worker/old_glibc.h
$(OUT)/bench/checked: LDFLAGS += -nostartfiles
$(OUT)/bench/checked: $(OUT)/probe/start.o
endif
$(OUT)/bench/checked: $(CHECKED_OBJECTS)
	$(CC) $(CFLAGS) $(LDFLAGS) -pthread -o $@.new $^ -ldl $(OLD_LIBRARIES)
	mv -f $@.new $@
-include $(CHECKED_OBJECTS:.o=.d)

$(OUT)/test/checked/%.o: FLAGS += -Ibench/checked
$(OUT)/test/checked/sums: $(OUT)/bench/checked.o/sums.o
