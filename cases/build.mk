# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# The cases: Java into $(BUILD)/cases/classes, C into $(BUILD)/cases/libcases.so, and the list.
# Included by the GNUmakefile, whose variables it uses: BUILD Q JAVAC CC ALL_CFLAGS JAVA_INCLUDES.

CASES_JAVA := $(sort $(wildcard cases/lib/plumblinecase/*.java cases/*/*.java))
CASES_STUB := cases/bench/stub/plumbline/Trace.java
# For the boot class path of the cases that say whitebox = 1. sun.hotspot.WhiteBox is made from jdk.test's.
CASES_BOOT := $(sort $(wildcard cases/lib/boot/plumblinebox/*.java)) cases/lib/boot/jdk/test/whitebox/WhiteBox.java
CASES_OBJECTS := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out cases/faults/% cases/mutants/% cases/standin/%,$(sort $(wildcard cases/*/*.c))))
# All releases under test load class files of Java 8. -options: javac need not warn that 8 is obsolete.
CASES_JAVACFLAGS := --release 8 -g -Xlint:all,-options $(if $(CI),-Werror)

.PHONY: cases
cases: $(BUILD)/cases/classes.stamp $(BUILD)/cases/libcases.so $(BUILD)/cases/cases.ini $(BUILD)/cases/expectations.ini \
       $(BUILD)/cases/programs.ini $(BUILD)/cases/programs.stamp $(BUILD)/cases/sources.stamp $(BUILD)/cases/findings.md

# All classes are compiled at once, into a clean directory: otherwise a class that its source has lost would stay. The stub
# is on the class path of the compiler only; at run time the agent defines the real class.
$(BUILD)/cases/classes.stamp: $(CASES_JAVA) $(CASES_STUB) $(CASES_BOOT) cases/build.mk | $(FIRST)
	@rm -rf $(BUILD)/cases/classes $(BUILD)/cases/stub $(BUILD)/cases/boot $(BUILD)/cases/boot-source
	@mkdir -p $(BUILD)/cases/classes $(BUILD)/cases/stub $(BUILD)/cases/boot $(BUILD)/cases/boot-source
	$(Q)sed 's/^package jdk.test.whitebox;/package sun.hotspot;/' \
		cases/lib/boot/jdk/test/whitebox/WhiteBox.java > $(BUILD)/cases/boot-source/WhiteBox.java
	$(Q)$(JAVAC) $(CASES_JAVACFLAGS) -d $(BUILD)/cases/boot $(CASES_BOOT) $(BUILD)/cases/boot-source/WhiteBox.java
	$(Q)$(JAVAC) $(CASES_JAVACFLAGS) -d $(BUILD)/cases/stub $(CASES_STUB)
	$(Q)$(JAVAC) $(CASES_JAVACFLAGS) -cp $(BUILD)/cases/stub:$(BUILD)/cases/boot -d $(BUILD)/cases/classes $(CASES_JAVA)
	@touch $@

$(BUILD)/obj/cases/%.o: ALL_CFLAGS += $(JAVA_INCLUDES)

# No sanitizer: the JVM that loads this library has no sanitizer's runtime.
$(BUILD)/cases/libcases.so: override SANITIZE :=
$(BUILD)/cases/libcases.so: $(CASES_OBJECTS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -o $@ $^ -lpthread
-include $(CASES_OBJECTS:.o=.d)

$(addprefix $(BUILD)/cases/,cases.ini programs.ini findings.md): $(BUILD)/cases/%: cases/%
	@mkdir -p $(@D)
	$(Q)cp $< $@
# What was measured on another processor says nothing of this one.
$(BUILD)/cases/expectations.ini: cases/expectations$(if $(filter aarch64,$(ARCH)),-aarch64).ini
	@mkdir -p $(@D)
	$(Q)cp $< $@

# The files of the programs of programs.ini.
PROGRAMS_FILES := $(sort $(wildcard cases/programs/* cases/programs/*/*))
$(BUILD)/cases/programs.stamp: $(PROGRAMS_FILES)
	@rm -rf $(BUILD)/cases/programs && mkdir -p $(BUILD)/cases
	$(Q)cp -r cases/programs $(BUILD)/cases/programs
	@touch $@

# The sources of the cases, for bug reports.
CASES_SOURCES := $(sort $(wildcard $(addsuffix *,$(filter-out cases/lib/ cases/bench/ cases/faults/ cases/mutants/ cases/programs/ cases/standin/ cases/stepper/,$(wildcard cases/*/)))))
$(BUILD)/cases/sources.stamp: $(CASES_SOURCES)
	@rm -rf $(BUILD)/cases/sources && mkdir -p $(BUILD)/cases/sources
	$(Q)for f in $^; do d=$(BUILD)/cases/sources/$$(basename $$(dirname $$f)); mkdir -p $$d && cp $$f $$d/ || exit 1; done
	@touch $@

# The cases as a suite for jtreg, made from cases.ini.
JTREG_SUITE := $(BUILD)/jtreg-suite
JTREG_FILES := cases/lib/jtreg/make-suite $(addprefix cases/lib/jtreg/,TEST.ROOT ProblemList.txt RunCase.java \
               jtreg/SkippedException.java)
.PHONY: jtreg-suite
jtreg-suite: $(JTREG_SUITE)/TEST.groups ## make the jtreg suite of the cases, in build/jtreg-suite
$(JTREG_SUITE)/TEST.groups: cases/cases.ini $(JTREG_FILES)
	$(Q)cases/lib/jtreg/make-suite cases $(JTREG_SUITE)

include cases/faults/faults.mk
include cases/mutants/mutants.mk
include cases/stepper/stepper.mk
include cases/standin/standin.mk
