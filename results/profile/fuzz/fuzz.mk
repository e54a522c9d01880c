# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# The fuzzer of ProfileReader's text. Included by the GNUmakefile after instrument/fuzz/fuzz.mk, which has FUZZ_CC,
# FUZZ_SANITIZE and the rule for $(BUILD)/fuzz/obj.

FUZZ_PROFILE := $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,results/profile/text.c results/profile/fuzz/profile_target.c)
$(FUZZ_PROFILE): ALL_CFLAGS += -Iresults/profile
$(BUILD)/fuzz/obj/results/profile/text.o: FUZZ_COVERAGE := -fsanitize=fuzzer-no-link
$(BUILD)/fuzz-profile/profile: $(FUZZ_PROFILE)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(FUZZ_SANITIZE) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^
-include $(FUZZ_PROFILE:.o=.d)

.PHONY: fuzz-profile
fuzz-profile: $(BUILD)/fuzz-profile/profile ## fuzz the reader of profilers' samples: SECONDS= JOBS=
	$(Q)results/record/fuzz/run $(BUILD) $(or $(SECONDS),60) $(or $(JOBS),1) profile results/profile/fuzz/seeds
