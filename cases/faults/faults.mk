# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# The seeded faults: $(BUILD)/libfaults.so is preloaded, $(BUILD)/libfaultjvm.so takes the place of libjvm.so. Included by
# cases/build.mk.

FAULTS_COMMON := $(patsubst %.c,$(BUILD)/obj/%.o,$(addprefix cases/faults/,rules.c spoil.c front.c))
FAULTS_PRELOAD := $(FAULTS_COMMON) $(BUILD)/obj/cases/faults/preload.o
FAULTS_JVM := $(FAULTS_COMMON) $(BUILD)/obj/cases/faults/jvm.o
FAULTS_TESTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(sort $(wildcard cases/faults/tests/*.c)))

cases: $(BUILD)/libfaults.so $(BUILD)/libfaultjvm.so

# No sanitizer: the program that loads these libraries has no sanitizer's runtime.
$(BUILD)/libfaults.so: $(FAULTS_PRELOAD)
$(BUILD)/libfaultjvm.so: $(FAULTS_JVM)
$(BUILD)/libfaults.so $(BUILD)/libfaultjvm.so: override SANITIZE :=
$(BUILD)/libfaults.so $(BUILD)/libfaultjvm.so:
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-z,now -Wl,-z,defs -o $@ $^ -ldl

# The tests are compiled from the sources, with the sanitizer if there is one.
$(FAULTS_TESTS): ALL_CFLAGS += -Icases/faults
$(BUILD)/tests/faults: $(FAULTS_TESTS) cases/faults/rules.c cases/faults/spoil.c cases/faults/front.c
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -lcriterion
-include $(FAULTS_PRELOAD:.o=.d) $(FAULTS_JVM:.o=.d) $(FAULTS_TESTS:.o=.d)

.PHONY: bad-jdk
bad-jdk: $(BUILD)/libfaultjvm.so ## a directory like a JDK with a fault in it: JDK=DIR FAULT=truncate:0.01 OUT=DIR
	$(Q)cases/faults/bad-jdk $(BUILD)/libfaultjvm.so "$(JDK)" "$(FAULT)" "$(OUT)"
