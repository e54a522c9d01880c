# check-ffi.awk HANDLER_ALLOWED - < objdump -dr of every object of the libffi that the agent links
# Follows the calls from ffi_call, which the handler calls. Refuses a call that leaves libffi, unless it is to an allowed
# function. Calls through pointers are not seen: they call the walker.
FNR == NR { allowed[$1]; next }
BEGIN { allowed["abort"]; allowed["__stack_chk_fail"] } # end the process; never on a correct call
/^[0-9a-f]+ <[^>]*>:$/ { f = $2; gsub(/[<>:]/, "", f); defined[f]; next }
/R_(X86_64|AARCH64)_(PLT32|PC32|GOTPCREL|GOTPCRELX|REX_GOTPCRELX|CALL26|JUMP26)/ {
    name = $NF; sub(/[-+]0x.*/, "", name)
    if (name !~ /^\./) calls[f] = calls[f] " " name
    next
}
/\t(call|jmp|j[a-z]+|bl|b)[ \t]+[0-9a-f]+ <[^>+]*(\+0x[0-9a-f]+)?>/ {
    name = $NF; gsub(/[<>]/, "", name); sub(/\+0x.*/, "", name)
    if (name != f) calls[f] = calls[f] " " name
}
END {
    todo[1] = "ffi_call"; n = 1
    if (!("ffi_call" in defined)) { print "check-ffi: no ffi_call in the library"; exit 1 }
    for (i = 1; i <= n; i++) {
        k = split(calls[todo[i]], called, " ")
        for (j = 1; j <= k; j++) {
            name = called[j]
            if (name in seen || name in allowed) continue
            seen[name]
            if (name in defined) todo[++n] = name
            else { print "libffi: " todo[i] " calls " name ": not handler-safe"; refused = 1 }
        }
    }
    print n " functions of libffi reached from ffi_call"
    exit refused
}
