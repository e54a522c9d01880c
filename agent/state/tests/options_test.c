// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

#include "state.h"

static struct agent_options parsed(const char* text) {
    struct agent_options options;
    char error[256] = "";
    memset(&options, 0xa5, sizeof options); // a dirty struct: nothing may stay from before
    cr_assert_eq(options_parse(text, &options, error, sizeof error), 0, "%s: %s", text, error);
    return options;
}

static void refuses(const char* text, const char* names) {
    struct agent_options options;
    char error[256] = "";
    cr_expect_eq(options_parse(text, &options, error, sizeof error), -1, "%s", text);
    cr_expect(strstr(error, names) != NULL, "%s: the error '%s' does not name %s", text, error,
              names);
}

Test(options, a_file_alone_gives_the_documented_defaults) {
    struct agent_options o = parsed("file=/tmp/run");
    cr_expect_str_eq(o.file, "/tmp/run");
    cr_expect_eq(o.scope, AGENT_SCOPE_APP);
    cr_expect_eq(o.source, AGENT_SOURCE_CLOCK);
    cr_expect_eq(o.interval_us, 200);
    cr_expect_eq(o.seed, 1);
    cr_expect_eq(o.density, RESULTS_DENSITY_FULL);
    cr_expect_eq(o.depth, 8192);
    cr_expect_eq(o.record, 1000);
    cr_expect_eq(o.looks, 1000);
    cr_expect_eq(o.push, AGENT_PUSH_AUTO);
    cr_expect_eq(o.signal, SIGPROF);
    cr_expect_eq(o.layers, ORACLE_LAYERS_ALWAYS);
    cr_expect_float_eq(o.checks.share, 0.02, 1e-9);
    cr_expect_float_eq(o.checks.share_first, 0.2, 1e-9);
    cr_expect_str_eq(o.walker, "AsyncGetCallTrace");
    cr_expect_not(o.debuginfo);
    cr_expect_eq(o.bench, AGENT_BENCH_NONE);
}

Test(options, every_option_reaches_its_field) {
    struct agent_options o =
        parsed("file=f,scope=all,layers=gst:async,source=random,interval=20,"
               "seed=18446744073709551615,checks=7,depth=100,walker=W,"
               "walkers=/w.ini,signal=34,debuginfo=1,bench=1,density=12.5%,push=native");
    cr_expect_eq(o.push, AGENT_PUSH_NATIVE);
    cr_expect_eq(parsed("file=f,push=auto").push, AGENT_PUSH_AUTO);
    cr_expect_eq(parsed("file=f,push=inline").push, AGENT_PUSH_INLINE);
    cr_expect_eq(parsed("file=f,source=wall").source, AGENT_SOURCE_WALL);
    cr_expect_eq(parsed("file=f,source=wall").interval_us, 100);
    cr_expect_eq(o.density, 125000);
    cr_expect_eq(o.scope, AGENT_SCOPE_ALL);
    cr_expect_eq(o.layers, 1u << ORACLE_LAYER_GST | 1u << ORACLE_LAYER_ASYNC);
    cr_expect_eq(o.source, AGENT_SOURCE_RANDOM);
    cr_expect_eq(o.interval_us, 20);
    cr_expect_eq(o.seed, UINT64_MAX);
    cr_expect_eq(o.checks.one_in, 7);
    cr_expect_eq(o.checks.share, 0);
    cr_expect_eq(o.depth, 100);
    cr_expect_str_eq(o.walker, "W");
    cr_expect_str_eq(o.walkers, "/w.ini");
    cr_expect_eq(o.signal, 34);
    cr_expect(o.debuginfo);
    cr_expect_eq(o.bench, AGENT_BENCH_PHASES);
    cr_expect_eq(parsed("file=f,bench=2").bench, AGENT_BENCH_SIGNALS);
}

Test(options, the_interval_may_stand_before_the_source) {
    cr_expect_eq(parsed("source=random,file=f").interval_us, 100);
    cr_expect_eq(parsed("interval=50,file=f,source=random").interval_us, 50);
}

Test(options, scope_none_leaves_only_the_layers_that_need_no_instrumentation) {
    cr_expect_eq(parsed("file=f,scope=none").layers,
                 1u << ORACLE_LAYER_SANDWICH | 1u << ORACLE_LAYER_STRUCTURE);
    cr_expect_eq(parsed("file=f,scope=none,layers=gst").layers, 0);
}

Test(options, a_share_of_checks_is_a_percentage) {
    cr_expect_float_eq(parsed("file=f,checks=share:5").checks.share, 0.05, 1e-9);
    cr_expect_float_eq(parsed("file=f,checks=share:5").checks.share_first, 0.05, 1e-9);
    cr_expect_eq(parsed("file=f,checks=0").checks.one_in, 0);
    cr_expect_eq(parsed("file=f,checks=0").checks.share, 0);
}

Test(options, gaps_are_captured_by_share_or_by_number_or_never) {
    cr_expect_float_eq(parsed("file=f").gaps.share, 0.015, 1e-9);
    cr_expect_float_eq(parsed("file=f,gaps=share:5").gaps.share, 0.05, 1e-9);
    cr_expect_eq(parsed("file=f,gaps=100").gaps.one_in, 100);
    cr_expect_eq(parsed("file=f,gaps=100").gaps.share, 0);
    cr_expect_eq(parsed("file=f,gaps=0").gaps.one_in, 0);
    cr_expect_eq(parsed("file=f,gaps=0").gaps.share, 0);
    cr_expect_eq(parsed("file=f").looking, 0);
    cr_expect_eq(parsed("file=f,looking=8").looking, 8);
    refuses("file=f,gaps=share:0", "gaps");
    refuses("file=f,gaps=x", "gaps");
}

Test(options, what_is_unknown_or_malformed_is_named) {
    refuses("", "file");
    refuses("file=", "file");
    refuses("file=f,bogus=1", "bogus");
    refuses("file=f,scope=some", "some");
    refuses("file=f,density=0%", "density");
    refuses("file=f,push=java", "push");
    refuses("file=f,density=10", "density");
    refuses("file=f,layers=gst:", "layers");
    refuses("file=f,layers=gts", "gts");
    refuses("file=f,source=perf", "perf");
    refuses("file=f,interval=9", "interval");
    refuses("file=f,interval=1000001", "1000001");
    refuses("file=f,interval=10x", "10x");
    refuses("file=f,interval=-20", "-20");
    refuses("file=f,interval= 20", "interval");
    refuses("file=f,interval", "interval");
    refuses("file=f,seed=18446744073709551616", "seed");
    refuses("file=f,checks=share:0", "checks");
    refuses("file=f,checks=share:91", "share:91");
    cr_expect_eq(parsed("file=f,record=0").record, 0);
    cr_expect_eq(parsed("file=f,record=1").record, 1);
    cr_expect_eq(parsed("file=f,looks=0").looks, 0);
    refuses("file=f,looks=x", "looks");
    refuses("file=f,looking=3", "looking");
    refuses("file=f,looking=128", "looking");
    refuses("file=f,record=-1", "record");
    refuses("file=f,record=", "record");
    refuses("file=f,depth=15", "depth");
    refuses("file=f,depth=65537", "depth");
    refuses("file=f,signal=0", "signal");
    refuses("file=f,signal=11", "signal"); // SIGSEGV: the JVM's own traps
    refuses("file=f,signal=8", "signal");
    refuses("file=f,debuginfo=2", "debuginfo");
}

Test(options, a_profiler_is_told_by_name_signals_and_clock) {
    struct agent_options o =
        parsed("file=f,profiler=p,profiler-signals=12+27+64,profiler-driven=27,"
               "profiler-clock=jfr,profiler-library=libx,signal=40,source=clock");
    cr_expect_str_eq(o.profiler, "p");
    cr_expect_str_eq(o.profiler_library, "libx");
    cr_expect_eq(o.profiler_signals, UINT64_C(1) << 11 | UINT64_C(1) << 26 | UINT64_C(1) << 63);
    cr_expect_eq(o.driven_signal, 27);
    cr_expect(o.profiler_ticks);
    o = parsed("file=f,profiler=p,profiler-signals=12,source=profiler");
    cr_expect_eq(o.source, AGENT_SOURCE_PROFILER);
    cr_expect_str_eq(o.profiler_library, "/libjvm.so");
    cr_expect_not(o.profiler_ticks);
    cr_expect_str_empty(parsed("file=f").profiler);
}

Test(options, what_a_profiler_lacks_is_named) {
    refuses("file=f,source=profiler", "no profiler");
    refuses("file=f,profiler-signals=12", "no profiler");
    refuses("file=f,profiler=p", "profiler-signals");
    refuses("file=f,profiler=p,profiler-signals=12+", "profiler-signals");
    refuses("file=f,profiler=p,profiler-signals=0", "profiler-signals");
    refuses("file=f,profiler=p,profiler-signals=12;27", "profiler-signals");
    refuses("file=f,profiler=p,profiler-signals=27", "agent's signal"); // SIGPROF
    refuses("file=f,profiler=p,profiler-signals=12,profiler-driven=26", "profiler-driven");
    refuses("file=f,profiler=p,profiler-signals=12,profiler-clock=tsc", "tsc");
    refuses("file=f,profiler=p,profiler-signals=12,layers=gst", "layer async");
    refuses("file=f,profiler=p,profiler-signals=12,scope=none", "scope app or all");
}

Test(options, the_file_is_known_even_if_a_later_option_is_wrong) {
    struct agent_options options;
    char error[256];
    cr_assert_eq(options_parse("file=/here,depth=x", &options, error, sizeof error), -1);
    cr_expect_str_eq(options.file, "/here");
}

Test(options, a_text_that_does_not_fit_is_refused) {
    char text[AGENT_PATH_MAX + 64] = "file=";
    memset(text + 5, 'a', AGENT_PATH_MAX);
    text[5 + AGENT_PATH_MAX] = '\0';
    refuses(text, "file");
    refuses("file=f,walker=0123456789012345678901234567890123456789012345678901234567890123",
            "walker");
}
