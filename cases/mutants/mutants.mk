# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# Mutants of a JVM's walkers: $(BUILD)/mutants lists and makes them, $(BUILD)/libreach.so is preloaded to learn which
# sites a JVM reaches. Included by cases/build.mk.

MUTANTS_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(addprefix cases/mutants/,spoil.c find.c write.c))
MUTANTS_MAIN := $(BUILD)/obj/cases/mutants/main.o
MUTANTS_REACH := $(BUILD)/obj/cases/mutants/reach.o
MUTANTS_TESTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard cases/mutants/tests/*.c)))
LIBS_mutants := -lelf -liberty -lcapstone

$(BUILD)/mutants: $(MUTANTS_MAIN) $(MUTANTS_OBJECTS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS_mutants)

# No sanitizer: the JVM that loads this library has no sanitizer's runtime. override: make asan sets it on the command line.
$(BUILD)/libreach.so: override SANITIZE :=
$(BUILD)/libreach.so: $(MUTANTS_REACH)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-z,now -Wl,-z,defs -o $@ $^

# The tests execute copies of a small library that has the walkers' names.
MUTANTS_FIXTURE := $(BUILD)/tests/mutants-fixture/libjvm.so $(BUILD)/tests/mutants-fixture/call
$(MUTANTS_FIXTURE): override SANITIZE :=
$(BUILD)/tests/mutants-fixture/libjvm.so: $(BUILD)/obj/cases/mutants/tests/fixture/walker.o
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -o $@ $^
$(BUILD)/tests/mutants-fixture/call: $(BUILD)/obj/cases/mutants/tests/fixture/call.o
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -ldl

$(MUTANTS_TESTS): ALL_CFLAGS += -Icases/mutants
$(BUILD)/tests/mutants: $(MUTANTS_TESTS) $(MUTANTS_OBJECTS) | $(MUTANTS_FIXTURE) $(BUILD)/libreach.so
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -lcriterion $(LIBS_mutants)
-include $(MUTANTS_OBJECTS:.o=.d) $(MUTANTS_MAIN:.o=.d) $(MUTANTS_REACH:.o=.d) $(MUTANTS_TESTS:.o=.d)

.PHONY: check-walker-mutants
check-walker-mutants: all $(BUILD)/mutants $(BUILD)/libreach.so ## walkers broken on purpose, an instruction each, are noticed: JDK=DIR COUNT= SEED= KINDS= MUTANTS= RUNS="CASE/MODE ..." SECONDS= AGAIN=1 FRESH=1 EQUIVALENT=skip
	$(Q)COUNT="$(COUNT)" SEED="$(SEED)" KINDS="$(KINDS)" MUTANTS="$(MUTANTS)" RUNS="$(RUNS)" SECONDS_OF_RUN="$(SECONDS)" \
	  AGAIN="$(AGAIN)" FRESH="$(FRESH)" EQUIVALENT="$(EQUIVALENT)" .checks/check-walker-mutants $(BUILD) "$(JDK)"
