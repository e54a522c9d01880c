// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// JUnit XML: it fits junit.xsd, and says of each verdict what README.md says that it does.
#include <criterion/criterion.h>
#include <libxml/xmlschemas.h>
#include <libxml/xpath.h>
#include <stdlib.h>
#include <string.h>

#include "saved.h"
#include "written.h"

#define EVIL "</testcase><evil a=\"1\">'&amp;]]>\x01\x1b\xff\xef\xbf\xbe"
#define SCHEMA "results/formats/tests/junit.xsd" // tests are run where the GNUmakefile is

static void silent(void* context, const char* format, ...) {
    (void)context, (void)format;
}

static bool fits(xmlDocPtr document) {
    xmlSetGenericErrorFunc(NULL, silent);
    xmlSchemaParserCtxtPtr parser = xmlSchemaNewParserCtxt(SCHEMA);
    xmlSchemaPtr schema = xmlSchemaParse(parser);
    cr_assert(schema != NULL, SCHEMA);
    xmlSchemaValidCtxtPtr validity = xmlSchemaNewValidCtxt(schema);
    bool valid = xmlSchemaValidateDoc(validity, document) == 0;
    xmlSchemaFreeValidCtxt(validity);
    xmlSchemaFree(schema);
    xmlSchemaFreeParserCtxt(parser);
    return valid;
}

static char* evaluate(xmlDocPtr document, const char* path) {
    xmlXPathContextPtr context = xmlXPathNewContext(document);
    xmlXPathObjectPtr found = xmlXPathEvalExpression(BAD_CAST path, context);
    cr_assert(found != NULL, "%s", path);
    char* text = (char*)xmlXPathCastToString(found);
    xmlXPathFreeObject(found);
    xmlXPathFreeContext(context);
    return text;
}

static void holds(xmlDocPtr document, const char* path, const char* wanted) {
    char* text = evaluate(document, path);
    cr_expect_str_eq(text, wanted, "%s: \"%s\", not \"%s\"", path, text, wanted);
    xmlFree(text);
}

static xmlDocPtr report_of(struct written* written) {
    written_close(written, "17.0.19");
    struct results_saved* saved = written_read(written);
    char* text = written_format(RESULTS_FORMAT_JUNIT, &saved, 1);
    xmlDocPtr document = xmlReadMemory(text, (int)strlen(text), "junit.xml", NULL, 0);
    cr_assert(document != NULL, "%.2000s", text);
    free(text);
    results_saved_free(saved);
    written_remove(written);
    return document;
}

#define ASYNC(suite) "/testsuites/testsuite[" #suite "]/testcase[@name='int app async']"

Test(junit, a_verdict_is_a_failure_an_error_skipped_or_nothing) {
    struct written written;
    written_open(&written);
    static const char* const names[] = {"good", "wrong",   "dead",    "stuck",
                                        "gone", "skipped", "too_few", "vacuous"};
    for (size_t i = 0; i < 8; i++) written_add(&written, names[i], "int");
    struct results_execution* executions = written.executions;
    struct results_run* run = (struct results_run*)(uintptr_t)executions[1].run;
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 3000;
    executions[2].end = RESULTS_END_SIGNALLED;
    executions[2].status = 11;
    executions[3].end = RESULTS_END_TIMED_OUT;
    executions[4].end = RESULTS_END_FAILED;
    executions[5].end = RESULTS_END_SKIPPED;
    executions[5].note = "needs JDK 99";
    run = (struct results_run*)(uintptr_t)executions[6].run;
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_AGREE] = 5;
    executions[7].work = RESULTS_WORK_NONE;
    xmlDocPtr document = report_of(&written);
    cr_expect(fits(document));
    holds(document, "name(" ASYNC(1) "/*)", "system-out");
    holds(document, "concat(name(" ASYNC(2) "/*), ' ', " ASYNC(2) "/*/@type)", "failure FAIL");
    holds(document, "concat(name(" ASYNC(3) "/*), ' ', " ASYNC(3) "/*/@type)", "failure CRASH");
    holds(document, "concat(name(" ASYNC(4) "/*), ' ', " ASYNC(4) "/*/@type)", "failure HANG");
    holds(document, "concat(name(" ASYNC(5) "/*), ' ', " ASYNC(5) "/*/@type)", "error HARNESS");
    holds(document, "concat(name(" ASYNC(6) "/*), ' ', " ASYNC(6) "/*/@message)",
          "skipped needs JDK 99");
    holds(document, "concat(name(" ASYNC(7) "/*), ' ', " ASYNC(7) "/*/@type)",
          "error INCONCLUSIVE");
    holds(document, "concat(name(" ASYNC(8) "/*), ' ', " ASYNC(8) "/*/@type)", "error VACUOUS");
    holds(document, "/testsuites/@tests", "81"); // nine of them for all rows of a layer
    holds(document, "//testcase[@classname='jdk-17.0.19.all' and @name='int async']/failure/@type",
          "FAIL");
    holds(document, "name(//testcase[@name='int gst']/*)", "system-out");
    holds(document, "/testsuites/@failures = count(//failure)", "true");
    holds(document, "/testsuites/@errors = count(//error)", "true");
    holds(document, "sum(//testsuite/@skipped) = count(//skipped)", "true");
    xmlFreeDoc(document);
}

Test(junit, a_suite_has_the_seed_and_the_numbers_of_its_rows) {
    struct written written;
    written_open(&written);
    struct results_run* run = written_add(&written, "mixed", "int");
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 3000;
    static struct synthetic_mismatch mismatch;
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 30);
    written_record(&written, &mismatch);
    xmlDocPtr document = report_of(&written);
    holds(document, "//property[@name='seed']/@value", "1234567890123");
    holds(document, "//property[@name='jdk.version']/@value", "17.0.19");
    holds(document, "//property[@name='async.judged']/@value", "23000");
    holds(document, "//property[@name='async.mismatches']/@value", "3000");
    holds(document, "//property[@name='async.rate']/@value", "0.130434783");
    holds(document, "number(//property[@name='async.low']/@value) < 0.1304", "true");
    holds(document, "//testcase[4]/@classname", "jdk-17.0.19.mixed");
    holds(document, "//testcase[4]/@time", "2.500");
    holds(document, "contains(//testcase[4]/failure, 'Demo.m3 @3 Demo.java:103')", "true");
    xmlFreeDoc(document);
}

Test(junit, no_name_becomes_markup_or_breaks_the_file) {
    struct written written;
    written_open(&written);
    struct results_run* run = written_add(&written, EVIL, "int");
    run->layers[ORACLE_LAYER_ASYNC].verdict[ORACLE_MISSING] = 3000;
    static struct synthetic_mismatch mismatch;
    synthetic_mismatch(&mismatch, ORACLE_LAYER_ASYNC, 30);
    mismatch.frames[1].id = synthetic_method(EVIL ".m()V");
    mismatch.frames[1].number = ORACLE_FOREIGN;
    written_record(&written, &mismatch);
    written.executions[0].scope = EVIL;
    xmlDocPtr document = report_of(&written);
    cr_expect(fits(document));
    holds(document, "count(//evil)", "0");
    // results.json has a "?" for each byte above ASCII where a text is no UTF-8.
    holds(document, "//property[@name='case']/@value",
          "</testcase><evil a=\"1\">'&amp;]]>\\u0001\\u001b????");
    // A record's reader has a "?" for each control character of a name.
    holds(document, "contains(//failure, '&amp;]]>??\\xff\\ufffe.m')", "true");
    xmlFreeDoc(document);
}

// The schema must be able to refuse.
static void is_refused(const char* what, const char* text) {
    xmlDocPtr document = xmlReadMemory(text, (int)strlen(text), "junit.xml", NULL, 0);
    cr_assert(document != NULL);
    cr_expect(!fits(document), "%s passes", what);
    xmlFreeDoc(document);
}

Test(junit, the_schema_refuses_what_a_server_would) {
    is_refused("another root", "<tests/>");
    is_refused("no counts", "<testsuites name='a'/>");
    is_refused("a count that is none",
               "<testsuites name='a' tests='x' failures='0' errors='0' time='1.0'/>");
    is_refused("a time with an exponent",
               "<testsuites name='a' tests='0' failures='0' errors='0' time='1e5'/>");
}
