# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# The fuzzers of the rewriter, and the proofs that share their parts. Included by the GNUmakefile, whose variables it uses:
# BUILD Q CC ALL_CFLAGS SOURCES_instrument FUZZ_PACKAGES JDK BUILD_JDK ASM.

# The rewriter under libFuzzer, which clang brings; what gcc builds of it needs no fuzzer (replay).
FUZZ_CC ?= clang
FUZZ_CHECKS := $(addprefix instrument/fuzz/,check.c compare.c tables.c shape.c)
FUZZ_MUTATOR := $(addprefix instrument/fuzz/,mutator.c mutate.c valid.c prologues.c super.c framing.c edit.c)
FUZZ_MUTANTS := $(FUZZ_MUTATOR) $(addprefix instrument/fuzz/,mutants.c check.c compare.c tables.c shape.c)
FUZZ_REPLAY := $(FUZZ_CHECKS) instrument/fuzz/replay.c
FUZZ_BYTES := $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(SOURCES_instrument) $(FUZZ_CHECKS) instrument/fuzz/class_target.c)
FUZZ_CLASS := $(FUZZ_BYTES) $(FUZZ_MUTATOR:%.c=$(BUILD)/fuzz/obj/%.o)
FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

$(BUILD)/fuzz/obj/%.o: %.c | $(FIRST)
	@command -v $(FUZZ_CC) >/dev/null || { echo "no $(FUZZ_CC); packages: $(FUZZ_PACKAGES)"; exit 1; }
	@mkdir -p $(@D)
	$(Q)$(FUZZ_CC) $(ALL_CFLAGS) -Wno-gnu-zero-variadic-macro-arguments -Iinstrument $(FUZZ_SANITIZE) $(FUZZ_COVERAGE) -MMD -MP -c -o $@ $<
# Coverage leads the fuzzer through the rewriter, not through what checks it. Comparisons of whole
# codes, traced, would take most of the time.
$(SOURCES_instrument:%.c=$(BUILD)/fuzz/obj/%.o): \
  FUZZ_COVERAGE := -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp
$(BUILD)/fuzz/class: $(FUZZ_CLASS)
$(BUILD)/fuzz/bytes: $(FUZZ_BYTES)
$(BUILD)/fuzz/class $(BUILD)/fuzz/bytes:
	$(Q)$(FUZZ_CC) $(FUZZ_SANITIZE) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^
-include $(FUZZ_CLASS:.o=.d)

$(FUZZ_REPLAY:%.c=$(BUILD)/obj/%.o): ALL_CFLAGS += -Iinstrument
$(BUILD)/fuzz/replay: $(FUZZ_REPLAY:%.c=$(BUILD)/obj/%.o) $(BUILD)/libinstrument.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^
-include $(FUZZ_REPLAY:%.c=$(BUILD)/obj/%.d)

$(FUZZ_MUTANTS:%.c=$(BUILD)/obj/%.o): ALL_CFLAGS += -Iinstrument
$(BUILD)/fuzz/mutants: $(FUZZ_MUTANTS:%.c=$(BUILD)/obj/%.o) $(BUILD)/libinstrument.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^
-include $(FUZZ_MUTANTS:%.c=$(BUILD)/obj/%.d)

# Small real classes: the fuzzers' first corpus.
$(BUILD)/fuzz/seeds: $(BUILD)/cases/classes.stamp
	@rm -rf $@ && mkdir -p $@
	$(Q)find $(BUILD)/cases/classes -name '*.class' -size -8k -exec cp -t $@ {} +

.PHONY: fuzz check-hostile check-mutants compare-classes coverage-instrument
fuzz: $(BUILD)/fuzz/class $(BUILD)/fuzz/bytes $(BUILD)/fuzz/seeds ## fuzz the rewriter: SECONDS= JOBS=
	$(Q)instrument/fuzz/run $(BUILD) $(or $(SECONDS),60) $(or $(JOBS),1)

check-hostile: $(BUILD)/fuzz/replay $(BUILD)/fuzz/seeds ## every prefix and changed byte of small real classes
	$(Q)$(BUILD)/fuzz/replay -h $(BUILD)/fuzz/seeds

check-mutants: $(BUILD)/fuzz/mutants $(BUILD)/fuzz/seeds ## what a JVM links of odd classes it links rewritten: JDK= SEED= COUNT=
	$(Q)instrument/fuzz/check-mutants $(BUILD) "$(JDK)" $(or $(SEED),1) $(or $(COUNT),5000)

compare-classes: $(BUILD)/fuzz/replay ## every class of a JDK's image (JDK=) or of jars (JARS=) says rewritten what it said
	$(Q)instrument/fuzz/compare-classes $(BUILD) "$(JDK)" $(JARS)

# By a reader that is not ours: ASM, of Debian's libasm-java.
.PHONY: check-reader
check-reader: $(BUILD)/plumbline ## ASM finds rewritten classes unchanged but for what is inserted: JDK= or JARS=
	$(Q)instrument/outside/check-reader $(BUILD) "$(BUILD_JDK)" "$(dir $(ASM))" "$(JDK)" $(JARS)

# Unit tests, real classes and the fuzzers' corpus, if there is one, together.
coverage-instrument: $(BUILD)/fuzz/seeds ## lines of instrument/ that tests and the corpus run
	$(Q)rm -rf $(BUILD)/coverage
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/coverage SANITIZE= CFLAGS='--coverage -O0' \
	  $(BUILD)/coverage/tests/instrument $(BUILD)/coverage/fuzz/replay
	$(Q)$(BUILD)/coverage/tests/instrument >$(BUILD)/coverage/tests.log 2>&1 || \
	  { cat $(BUILD)/coverage/tests.log; exit 1; }
	$(Q)$(BUILD)/coverage/fuzz/replay $(wildcard $(BUILD)/fuzz/corpus) $(BUILD)/fuzz/seeds
	$(Q)instrument/fuzz/coverage $(BUILD)/coverage/obj/instrument
