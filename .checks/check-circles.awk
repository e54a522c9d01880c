# usage: nm -A OBJECT... | awk -v room=NAME -v most=N -f check-circles.awk
#
# A file refers to another if it uses a symbol that the other defines. Fails if more than N files of a room reach
# each other so (N is 0 or at least 2), and names them.

# "PATH/file.o:0123 T symbol", "PATH/file.o:     U symbol"
{
    file = $1
    sub(/\.o:.*/, "", file)
    sub(/^.*\/obj\//, "", file)
    files[file] = 1
    if ($(NF - 1) == "U") needs[file, $NF] = 1
    else if ($(NF - 1) ~ /^[TDBRCVWGS]$/) home[$NF] = file
}

# Adds the files that `from` leads to.
function reach(from, reached,   i) {
    for (i = 1; i <= degree[from]; i++)
        if (!(edges[from, i] in reached)) {
            reached[edges[from, i]] = 1
            reach(edges[from, i], reached)
        }
}

END {
    if (NR == 0) { print "circles: no symbols of " room; exit 1 }
    for (key in needs) {
        split(key, part, SUBSEP)
        to = home[part[2]]
        if (to == "" || to == part[1] || (part[1], to) in known) continue
        known[part[1], to] = 1
        edges[part[1], ++degree[part[1]]] = to
    }
    for (file in files) {
        delete reached
        reach(file, reached)
        for (other in reached) leads[file, other] = 1
    }
    for (file in files) {
        if (file in told) continue
        count = 0
        names = ""
        for (other in files)
            if ((file, other) in leads && (other, file) in leads) {
                told[other] = 1
                count++
                names = names " " other
            }
        if (count <= most) continue
        print "circles: " count " files of " room " are in a circle (at most " most " may be):" names
        refused = 1
    }
    exit refused
}
