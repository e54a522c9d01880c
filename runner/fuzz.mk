# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# The fuzzers of what the command and the agent read: one target each. Included by the GNUmakefile after instrument/fuzz/fuzz.mk,
# which has FUZZ_CC, FUZZ_SANITIZE and the rule for $(BUILD)/fuzz/obj. What reads is traced and sanitized, and where
# reports are made of it what writes them; the rest comes from the ordinary libraries.
#     $(call fuzz_reader,NAME,ROOM,SOURCES THAT READ,ROOMS BEHIND,LIBRARIES)
define fuzz_reader
FUZZ_$(1) := $$(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(3) $(2)/fuzz/$(1)_target.c)
$$(FUZZ_$(1)): ALL_CFLAGS += -I$(2) $$(if $$(filter agent/%,$(2)),$$(JAVA_INCLUDES))
$(3:%.c=$(BUILD)/fuzz/obj/%.o): FUZZ_COVERAGE := -fsanitize=fuzzer-no-link
$(BUILD)/fuzz-$(1)/$(1): $$(FUZZ_$(1)) $$(call library,$(4))
	@mkdir -p $$(@D)
	$$(Q)$$(FUZZ_CC) $$(FUZZ_SANITIZE) -fsanitize=fuzzer $$(LDFLAGS) -o $$@ $$^ $(5)
-include $$(FUZZ_$(1):.o=.d)
endef
formats_of = $(addprefix results/formats/,$(1))
$(eval $(call fuzz_reader,saved,results/formats,$(call formats_of,fuzz/json_mutator.c fuzz/promises.c) $(SOURCES_results/formats) $(SOURCES_results/report),results/formats $(DEPS_results/formats),$(LIBS_results)))
$(eval $(call fuzz_reader,run,results/formats,results/record/run.c results/record/mend.c results/record/clusters.c results/tests/synthetic.c results/formats/fuzz/promises.c $(SOURCES_results/formats) $(SOURCES_results/report),results/formats $(DEPS_results/formats),$(LIBS_results)))
$(FUZZ_run): ALL_CFLAGS += -Iresults/tests
$(BUILD)/fuzz/obj/results/formats/junit.o: ALL_CFLAGS += -Wno-cast-qual # libxml2's BAD_CAST
$(BUILD)/fuzz/obj/results/formats/fuzz/promises.o: ALL_CFLAGS += -isystem $(SYSROOT)/usr/include/libxml2
$(eval $(call fuzz_reader,causes,results/causes,results/causes/causes.c results/causes/ini.c results/causes/signature.c,results/causes oracle,$(LIBS_oracle) -linih))
$(eval $(call fuzz_reader,ceilings,runner/lists,runner/lists/ceilings.c,runner $(DEPS_runner),$(LIBS_runner)))
$(eval $(call fuzz_reader,symbols,runner/jdk,runner/jdk/symbols.c,runner $(DEPS_runner),$(LIBS_runner)))
$(eval $(call fuzz_reader,log,runner/bisect,runner/bisect/bisect_log.c,runner $(DEPS_runner),$(LIBS_runner)))
$(eval $(call fuzz_reader,ledger,runner/soak,runner/soak/soak_ledger.c runner/soak/soak_sum.c,runner $(DEPS_runner),$(LIBS_runner)))
$(eval $(call fuzz_reader,session,runner/session,runner/session/resume.c runner/session/merge_read.c,runner $(DEPS_runner),$(LIBS_runner)))
$(eval $(call fuzz_reader,compare,runner/compare,$(call formats_of,fuzz/json_mutator.c past.c take.c) $(wildcard runner/compare/*.c) runner/tests/fuzzed.c,runner $(DEPS_runner),$(LIBS_runner)))
$(eval $(call fuzz_reader,history,runner/history,$(call formats_of,fuzz/json_mutator.c past.c take.c history.c) $(wildcard runner/history/*.c) runner/tests/fuzzed.c,runner $(DEPS_runner),$(LIBS_runner)))
$(eval $(call fuzz_reader,expect,runner/expect,$(call formats_of,fuzz/json_mutator.c past.c take.c) $(wildcard runner/expect/*.c) runner/tests/fuzzed.c,runner $(DEPS_runner),$(LIBS_runner)))
$(FUZZ_compare) $(FUZZ_history) $(FUZZ_expect): ALL_CFLAGS += -Irunner/tests
$(eval $(call fuzz_reader,crash,runner/job,runner/job/crash.c,runner $(DEPS_runner),$(LIBS_runner)))
$(eval $(call fuzz_reader,image,runner/instrument,runner/instrument/image.c,runner $(DEPS_runner),$(LIBS_runner)))
$(eval $(call fuzz_reader,inlining,runner/inlining,$(wildcard runner/inlining/*.c),runner $(DEPS_runner),$(LIBS_runner)))
$(eval $(call fuzz_reader,lists,runner/lists,$(addprefix runner/lists/,cases.c cells.c controls.c programs.c profilers.c sections.c walkers.c),runner $(DEPS_runner),$(LIBS_runner)))
$(eval $(call fuzz_reader,walkers,agent/walker,agent/walker/walker.c,agent $(DEPS_agent),$(LIBS_agent)))
$(eval $(call fuzz_reader,vmstructs,agent/code,$(addprefix agent/code/,vmstructs.c layout.c memory.c),agent $(DEPS_agent),$(LIBS_agent)))

# Reports of made-up runs, of most lists two entries, beside the runs' records. Each must be read: what is refused leads nowhere.
$(BUILD)/fuzz-saved/seeds: $(BUILD)/made-up $(BUILD)/plumbline
	@rm -rf $@ $(@D)/runs $(@D)/few && mkdir -p $@ $(@D)/runs
	$(Q)for run in $</17/runs/*; do mkdir $(@D)/runs/$${run##*/} && cp $$run/run.lz4 $(@D)/runs/$${run##*/}; done
	$(Q)$(BUILD)/tests/make_runs $(@D)/few 12
	$(Q)cd $(@D) && for run in $(MADE_UP:$(BUILD)/%=../%) few/profiled; do \
	  $(CURDIR)/results/formats/fuzz/shorten.py $$run/results.json >results.json && \
	  { ../plumbline report . >report.txt 2>&1 || [ $$? -ne 3 ]; } && mv results.json seeds/$${run##*/} || \
	  { cat report.txt; rm -rf seeds; exit 1; }; done
$(BUILD)/fuzz-compare/seeds $(BUILD)/fuzz-history/seeds $(BUILD)/fuzz-expect/seeds: $(BUILD)/fuzz-saved/seeds
	@rm -rf $@ && mkdir -p $(@D) && cp -r $< $@
# Each part of the run's file: some of its bytes, and many of them; small numbers, and impossible ones.
$(BUILD)/fuzz-run/seeds:
	@rm -rf $@ && mkdir -p $@
	$(Q)python3 -c 'import sys; \
	  [open(f"{sys.argv[1]}/{p}-{b}-{n}", "wb").write(bytes([p + n // 8, p, n, 0, n]) + (bytes([b]) + bytes([b // 255 * b] * 7)) * (n // 8)) \
	   for p in range(13) for b in (3, 255) for n in (8, 248)]' $@
# Two lines of each section.
$(BUILD)/fuzz-ceilings/seeds: cases/expectations.ini
	@rm -rf $@ && mkdir -p $@
	$(Q)awk -v to=$@ '/^\[/ { n = 0; part = ++sections % 16 } n++ < 3 && !/^;/ { print >to "/" part }' $<
# Libraries of three functions, with and without .symtab, behind eight bytes.
$(BUILD)/fuzz-symbols/seeds:
	@rm -rf $@ && mkdir -p $@
	$(Q)echo 'int seed(int n) { return n + 1; } int _ZN5frame6senderEP11RegisterMap(void) { return seed(1); }' \
	  'void bare(void); __asm__(".globl bare; .type bare, @function; bare: ret");' | $(CC) -x c -shared -nostdlib -fPIC -o $(@D)/seed.so -
	$(Q)(printf 01234567; cat $(@D)/seed.so) >$@/symtab && strip $(@D)/seed.so && (printf 01234567; cat $(@D)/seed.so) >$@/dynsym

# Each section of the lists; tables that do not lie.
$(BUILD)/fuzz-lists/seeds: cases/cases.ini cases/programs.ini agent/profilers.ini agent/walkers.ini
$(BUILD)/fuzz-causes/seeds: cases/causes.ini
$(BUILD)/fuzz-lists/seeds $(BUILD)/fuzz-causes/seeds:
	@rm -rf $@ && mkdir -p $@
	$(Q)awk -v to=$@ '/^\[/ { close(part); part = to "/" ++sections } part != "" && !/^;/ { print >part }' $^
$(BUILD)/fuzz-vmstructs/seeds: agent/code/layout.h agent/code/fuzz/seeds.py
	@rm -rf $@ && mkdir -p $@
	$(Q)agent/code/fuzz/seeds.py $< $@

# Images of a few entries.
$(BUILD)/fuzz-image/seeds: runner/instrument/fuzz/seeds.py
	@rm -rf $@ && mkdir -p $@
	$(Q)$< $@

# The list itself; a bisection's, a soak's, a session's and JVMs' files that were kept.
$(BUILD)/fuzz-walkers/seeds: agent/walkers.ini
$(BUILD)/fuzz-log/seeds: runner/bisect/fuzz/seeds/log
$(BUILD)/fuzz-ledger/seeds: runner/soak/fuzz/seeds/ledger
$(BUILD)/fuzz-session/seeds: $(addprefix runner/session/fuzz/seeds/,session own finished crashed)
$(BUILD)/fuzz-inlining/seeds: runner/inlining/fuzz/seeds/log
$(BUILD)/fuzz-crash/seeds: $(addprefix runner/job/fuzz/seeds/,signal internal)
$(foreach f,walkers log ledger session inlining crash,$(BUILD)/fuzz-$(f)/seeds):
	@rm -rf $@ && mkdir -p $@ && cp $^ $@

FUZZ_FILES := saved run causes ceilings lists walkers vmstructs symbols log ledger session image inlining crash compare history expect
.PHONY: fuzz-files
fuzz-files: $(foreach f,$(FUZZ_FILES),$(BUILD)/fuzz-$(f)/$(f) $(BUILD)/fuzz-$(f)/seeds) ## fuzz the readers of results.json, run files, the lists in cases/ and agent/, VMStructs, ELF symbols, bisect logs, soak ledgers, sessions, run-time images, compilation logs, error logs: SECONDS= (each) JOBS=
	$(Q)status=0; for f in $(FUZZ_FILES); do echo "-- $$f"; \
	  results/record/fuzz/run $(BUILD) $(or $(SECONDS),60) $(or $(JOBS),1) $$f || status=1; done; exit $$status

# What of the readers the fuzzers reach: hours say little where this is low. The fuzzers are built once more for it.
COVERED := $(or $(WHAT),$(FUZZ_FILES) record profile tree)
.PHONY: coverage-files
coverage-files: ## lines of each reader that its fuzzer's seeds and corpus reach (make fuzz-files): WHAT="saved run ..."
	$(Q)$(MAKE) --no-print-directory BUILD=$(BUILD)/covered FUZZ_SANITIZE="-fprofile-instr-generate -fcoverage-mapping" \
	  $(foreach f,$(COVERED),$(BUILD)/covered/fuzz-$(f)/$(f) $(BUILD)/covered/fuzz-$(f)/seeds)
	$(Q)results/record/fuzz/coverage $(BUILD) $(BUILD)/covered $(COVERED)
