# check-leaks.awk < the output of a Criterion binary under AddressSanitizer
# A leak that LeakSanitizer finds fails no test, so this script looks for it in the text. The runner of Criterion 2.4.1
# sometimes leaks 48 bytes: a leak that libcriterion itself allocated is not ours.
/leak of [0-9]+ byte/ { leak = $0; next }
leak != "" && /^ *#1 / {
    if ($0 !~ /libcriterion/) { print "leak-check: " leak; print "leak-check: " $0; ours = 1 }
    leak = ""
}
END { exit ours }
