// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// Manual pages, in the macros of man(7).
#include <argp.h>
#include <ctype.h>
#include <string.h>

#include "guide_parts.h"

void guide_describe(const struct base_call* call, const struct base_command* command,
                    void (*described)(const struct argp* argp, void* context), void* context) {
    char name[64];
    snprintf(name, sizeof name, "plumbline %s", command->name);
    char* argv[] = {name, NULL};
    const struct base_call one = {.argc = 1,
                                  .argv = argv,
                                  .home = call->home,
                                  .line = name,
                                  .stays = true,
                                  .commands = call->commands,
                                  .described = described,
                                  .context = context};
    command->run(&one);
}

const struct base_command* guide_find(const struct base_command* commands, const char* name) {
    for (; commands->name != NULL; commands++)
        if (commands->about != NULL && strcmp(commands->name, name) == 0) return commands;
    return NULL;
}

// ---- Text ---------------------------------------------------------------------------------------

// As troff prints it: no character of the text is a command, and a hyphen can be copied.
static void put(const char* text, size_t length) {
    bool start = true;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (start && (c == '.' || c == '\'')) fputs("\\&", stdout);
        start = c == '\n';
        if (c == '\\') fputs("\\e", stdout);
        else if (c == '-') fputs("\\-", stdout);
        else if (c == '~') fputs("\\(ti", stdout);
        else if (c == '^') fputs("\\(ha", stdout);
        else if (c == '\'') fputs("\\(aq", stdout);
        else putchar(c);
    }
}

static void put_all(const char* text) {
    put(text, strlen(text));
}

static void put_section(const char* title) {
    printf(".SH %s\n", title);
}

// A line in bold, behind .TP the tag of what follows.
static void put_tag(const char* text) {
    fputs(".TP\n\\fB", stdout);
    put_all(text);
    fputs("\\fR\n", stdout);
}

// The sentences of a text, a paragraph for each of its lines.
static void put_paragraphs(const char* text, size_t length) {
    for (size_t at = 0; at < length;) {
        size_t line = 0;
        while (at + line < length && text[at + line] != '\n') line++;
        if (line != 0) {
            if (at != 0) puts(".PP");
            put(text + at, line);
            putchar('\n');
        }
        at += line + 1;
    }
}

static void put_lines(const char* lines) {
    puts(".nf");
    put_all(lines);
    puts(".fi");
}

static void put_head(const char* name, const char* about) {
    fputs(".TH ", stdout);
    for (const char* c = name; *c != '\0'; c++) putchar(toupper((unsigned char)*c));
    printf(" 1 %s \"plumbline %s\" Plumbline\n", base_version_date, base_version);
    put_section("NAME");
    put_all(name);
    fputs(" \\- ", stdout);
    put_all(about);
    putchar('\n');
}

static void put_statuses(void) {
    put_section("EXIT STATUS");
    for (size_t i = 0; i < guide_status_count; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", guide_statuses[i].status);
        put_tag(number);
        put_all(guide_statuses[i].meaning);
        putchar('\n');
    }
}

// ---- One command --------------------------------------------------------------------------------

// "-r, --report", "--modes=M,...", "--repeat=N, --runs=N".
static void put_option(const struct argp_option* option) {
    char tag[160] = "";
    size_t used = 0;
    if (option->key > ' ' && option->key < 127)
        used = (size_t)snprintf(tag, sizeof tag, "-%c, ", option->key);
    snprintf(tag + used, sizeof tag - used, "--%s%s%s", option->name,
             option->arg != NULL ? "=" : "", option->arg != NULL ? option->arg : "");
    for (const struct argp_option* o = option + 1; (o->flags & OPTION_ALIAS) != 0; o++) {
        used = strlen(tag);
        snprintf(tag + used, sizeof tag - used, ", --%s%s%s", o->name, o->arg != NULL ? "=" : "",
                 o->arg != NULL ? o->arg : "");
    }
    put_tag(tag);
    put_all(option->doc != NULL ? option->doc : "");
    putchar('\n');
}

static void put_options(const struct argp_option* options) {
    put_section("OPTIONS");
    for (; options != NULL && options->name != NULL; options++)
        if ((options->flags & (OPTION_HIDDEN | OPTION_ALIAS)) == 0) put_option(options);
    put_tag("-?, --help");
    puts("list the options");
}

static void put_description(const struct argp* argp, void* context) {
    const struct base_command* command = context;
    static const char statuses[] = "Exit status: ";
    const char* doc = argp->doc != NULL ? argp->doc : "";
    size_t first = strcspn(doc, "\v");
    const char* rest = doc + first + (doc[first] == '\v');
    const char* status = strstr(doc, statuses);
    put_section("DESCRIPTION");
    put_paragraphs(doc, first);
    put_options(argp->options);
    size_t notes = status != NULL && status >= rest ? (size_t)(status - rest) : strlen(rest);
    if (notes != 0) put_section("NOTES");
    put_paragraphs(rest, notes);
    if (status != NULL && status >= rest) {
        put_section("EXIT STATUS");
        put_paragraphs(status + strlen(statuses), strlen(status + strlen(statuses)));
    } else {
        put_statuses();
    }
    const char* examples = guide_examples(command->name);
    if (examples == NULL) return;
    put_section("EXAMPLES");
    put_lines(examples);
}

static void put_command(const struct base_call* call, const struct base_command* command) {
    char name[80];
    snprintf(name, sizeof name, "plumbline-%s", command->name);
    put_head(name, command->about);
    put_section("SYNOPSIS");
    printf("\\fBplumbline %s\\fR ", command->name);
    put_all(command->arguments);
    putchar('\n');
    guide_describe(call, command, put_description, (void*)(uintptr_t)command);
    put_section("SEE ALSO");
    puts("\\fBplumbline\\fR(1), \\fBplumbline\\-cases\\fR(5)");
}

// ---- plumbline itself ---------------------------------------------------------------------------

static void put_files(void) {
    static const struct {
        const char *path, *meaning;
    } files[] = {
        {"$XDG_STATE_HOME/plumbline, ~/.local/state/plumbline",
         "results of runs that name no --out; latest leads to the newest. In a checkout: out"},
        {"$XDG_CACHE_HOME/plumbline, ~/.cache/plumbline",
         "unpacked archives of JDKs, and inputs of programs that are made once"},
        {"PREFIX/lib/plumbline", "the agent, the cases, and the lists of plumbline-cases(5)"},
    };
    put_section("FILES");
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        put_tag(files[i].path);
        put_all(files[i].meaning);
        putchar('\n');
    }
    put_section("ENVIRONMENT");
    put_tag("JAVA_HOME");
    put_all(
        "the JDK that is meant where no --jdk is given; without it, that of java on the PATH\n");
}

static void put_plumbline(const struct base_command* commands) {
    put_head("plumbline", "validator of the JVM's stack-walking APIs");
    put_section("SYNOPSIS");
    puts("\\fBplumbline\\fR COMMAND [OPTION...]");
    put_section("DESCRIPTION");
    puts(GUIDE_PURPOSE);
    puts("It asks the JVM for stack traces, as profilers do, and compares them with the true "
         "stack,\n"
         "which instrumented bytecode keeps for every Java thread.\n"
         "Without a command it lists the JDKs that it sees.");
    put_section("COMMANDS");
    for (const struct base_command* c = commands; c->name != NULL; c++) {
        if (c->about == NULL) continue;
        printf(".TP\n\\fBplumbline\\-");
        put_all(c->name);
        puts("\\fR(1)");
        put_all(c->about);
        putchar('\n');
    }
    put_section("OPTIONS");
    put_tag("--help");
    puts("list the commands");
    put_tag("--version");
    puts("print the version");
    put_statuses();
    put_files();
    put_section("EXAMPLES");
    put_lines(guide_examples("validate"));
    put_section("SEE ALSO");
    puts("\\fBplumbline\\-cases\\fR(5)");
}

int guide_page_command(const struct base_call* call) {
    if (call->argc == 1) {
        put_plumbline(call->commands);
    } else {
        const struct base_command* command = guide_find(call->commands, call->argv[1]);
        if (command == NULL || call->argc != 2)
            return runner_refuse(RUNNER_EXIT_USAGE, "usage: plumbline make-page [COMMAND]");
        put_command(call, command);
    }
    return runner_printed(0);
}
