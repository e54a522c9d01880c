# check-leaks.awk < what a Criterion binary printed under AddressSanitizer
# LeakSanitizer's findings do not fail a test, so they are looked for in the text. Criterion 2.4.1's own
# runner leaks 48 bytes now and then: a leak whose allocation libcriterion itself asked for is not ours.
/leak of [0-9]+ byte/ { leak = $0; next }
leak != "" && /^ *#1 / {
    if ($0 !~ /libcriterion/) { print "leak-check: " leak; print "leak-check: " $0; ours = 1 }
    leak = ""
}
END { exit ours }
