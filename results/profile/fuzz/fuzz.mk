# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# The fuzzers of ProfileReader's text and of call trees. Included by the GNUmakefile after instrument/fuzz/fuzz.mk,
# which has FUZZ_CC, FUZZ_SANITIZE and the rule for $(BUILD)/fuzz/obj.

FUZZ_PROFILE := $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,results/profile/text.c results/profile/fuzz/profile_target.c)
$(FUZZ_PROFILE): ALL_CFLAGS += -Iresults/profile
$(BUILD)/fuzz/obj/results/profile/text.o: FUZZ_COVERAGE := -fsanitize=fuzzer-no-link
$(BUILD)/fuzz-profile/profile: $(FUZZ_PROFILE)
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(FUZZ_SANITIZE) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^
-include $(FUZZ_PROFILE:.o=.d)

$(BUILD)/fuzz-profile/seeds: results/profile/fuzz/seeds
$(BUILD)/fuzz-tree/seeds: results/profile/fuzz/trees
$(BUILD)/fuzz-profile/seeds $(BUILD)/fuzz-tree/seeds:
	@rm -rf $@ && mkdir -p $(@D) && cp -r $< $@

.PHONY: fuzz-profile
fuzz-profile: $(BUILD)/fuzz-profile/profile $(BUILD)/fuzz-profile/seeds ## fuzz the reader of profilers' samples: SECONDS= JOBS=
	$(Q)results/record/fuzz/run $(BUILD) $(or $(SECONDS),60) $(or $(JOBS),1) profile

FUZZ_TREE := $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(addprefix results/profile/,tree_file.c tree_cut.c fuzz/tree_target.c))
$(FUZZ_TREE): ALL_CFLAGS += -Iresults/profile
$(BUILD)/fuzz/obj/results/profile/tree_file.o $(BUILD)/fuzz/obj/results/profile/tree_cut.o: FUZZ_COVERAGE := -fsanitize=fuzzer-no-link
$(BUILD)/fuzz-tree/tree: $(FUZZ_TREE) $(BUILD)/fuzz/obj/results/profile/text.o
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(FUZZ_SANITIZE) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^
-include $(FUZZ_TREE:.o=.d)

.PHONY: fuzz-tree
fuzz-tree: $(BUILD)/fuzz-tree/tree $(BUILD)/fuzz-tree/seeds ## fuzz the reader of call trees, and their cutting: SECONDS= JOBS=
	$(Q)results/record/fuzz/run $(BUILD) $(or $(SECONDS),60) $(or $(JOBS),1) tree
