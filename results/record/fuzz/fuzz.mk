# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# The fuzzer of the reader of records. Included by the GNUmakefile after instrument/fuzz/fuzz.mk, which has FUZZ_CC,
# FUZZ_SANITIZE and the rule for $(BUILD)/fuzz/obj.

# The reader of records, with the oracle, the facts' texts and what prints evidence behind it.
FUZZ_RECORD_SOURCES := $(SOURCES_oracle) $(SOURCES_results/record) $(SOURCES_results/causes) $(addprefix results/report/,evidence.c traces.c context.c disassemble.c plain.c)
FUZZ_RECORD := $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(FUZZ_RECORD_SOURCES) results/record/fuzz/record_target.c)
$(FUZZ_RECORD): ALL_CFLAGS += -Iresults/record -DORACLE_NUMBERS_MAX=4096u
$(FUZZ_RECORD_SOURCES:%.c=$(BUILD)/fuzz/obj/%.o): \
  FUZZ_COVERAGE := -fsanitize=fuzzer-no-link
$(BUILD)/fuzz-record/record: $(FUZZ_RECORD)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(FUZZ_SANITIZE) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(LIBS_results/record) -lcapstone
$(BUILD)/obj/results/record/fuzz/seeds.o: ALL_CFLAGS += -Iresults/record -Iresults/tests
$(BUILD)/fuzz-record/seeds: $(BUILD)/obj/results/record/fuzz/seeds.o $(BUILD)/obj/results/tests/pieces.o $(call library,results/record results/causes oracle)
	@rm -rf $@ && mkdir -p $@
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $(@D)/make-seeds $^ $(LIBS_results/record) && $(@D)/make-seeds $@
-include $(FUZZ_RECORD:.o=.d) $(BUILD)/obj/results/record/fuzz/seeds.d

.PHONY: fuzz-record
fuzz-record: $(BUILD)/fuzz-record/record $(BUILD)/fuzz-record/seeds ## fuzz the reader of records: SECONDS= JOBS=
	$(Q)results/record/fuzz/run $(BUILD) $(or $(SECONDS),60) $(or $(JOBS),1)
