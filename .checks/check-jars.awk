# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# Prints the table of check-jars. Its files are: methods (JAR METHODS REFUSED), bare and rewritten (JAR CLASS OUTCOME),
# and census (ClassCensus). Fails if nothing linked, or if too many methods were refused.
FNR == 1 { split(FILENAME, path, "/"); file = path[length(path)] }
file == "methods" { order[++jars] = $1; methods[$1] += $2; refused[$1] += $3; next }
file == "bare" { classes[$1]++; bare[$1] += $3 == "linked"; next }
file == "rewritten" { rewritten[$1] += $3 == "linked"; next }
file == "census" {
    jsr += $7
    for (i = 9; i <= NF; i++) { split($i, version, ":"); versions[version[1]] += version[2] }
}
END {
    printf "%-48s %8s %8s %10s %8s %8s\n", "jar", "classes", "linked", "rewritten", "methods", "refused"
    for (i = 1; i <= jars; i++) {
        jar = order[i]
        if (classes[jar] == 0) continue
        row(jar, classes[jar], bare[jar], rewritten[jar], methods[jar], refused[jar])
        all += classes[jar]; all_bare += bare[jar]; all_rewritten += rewritten[jar]
        all_methods += methods[jar]; all_refused += refused[jar]; shown++
    }
    row("all " shown " jars", all, all_bare, all_rewritten, all_methods, all_refused)
    printf "class-file versions:"
    for (v = 45; v < 100; v++) if (v in versions) printf " %d:%d", v, versions[v]
    printf "; methods with jsr: %d\n", jsr
    if (all_bare == 0) { print "check-jars: nothing linked"; exit 1 }
    if (all_refused * 10000 > all_methods) { print "check-jars: more than 1 in 10,000 methods refused"; exit 1 }
}
function row(jar, classes, bare, rewritten, methods, refused) {
    printf "%-48s %8d %8d %10d %8d %8d\n", jar, classes, bare, rewritten, methods, refused
}
