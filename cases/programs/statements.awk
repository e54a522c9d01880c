# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# Prints some 3,700 SQL statements for make check-behaviour (h2's RunScript), always the same: tables, keys,
# views, queries. None of them fails: RunScript ends at the first error.
function random(n) { seed = (seed * 16807) % 2147483647; return seed % n }
BEGIN {
    seed = 42
    print "CREATE TABLE account(id INT PRIMARY KEY, owner VARCHAR(20) NOT NULL, balance DECIMAL(12,2), opened DATE);"
    print "CREATE TABLE booking(id IDENTITY PRIMARY KEY, account INT REFERENCES account(id), amount DECIMAL(12,2), note VARCHAR);"
    print "CREATE INDEX booking_account ON booking(account);"
    print "CREATE VIEW totals AS SELECT a.owner, COUNT(*) n, SUM(b.amount) total FROM account a JOIN booking b ON b.account = a.id GROUP BY a.owner;"
    for (i = 0; i < 200; i++)
        printf "INSERT INTO account VALUES(%d, 'owner %d', %d.%02d, DATE '20%02d-%02d-%02d');\n", i, random(40), random(9999), random(100), random(24), 1 + random(12), 1 + random(28)
    for (i = 0; i < 3000; i++) {
        printf "INSERT INTO booking(account, amount, note) VALUES(%d, %d, 'note %s');\n", random(200), random(2001) - 1000, substr("abcdefghijklmnop", 1 + random(10), 1 + random(6))
        if (i % 10 == 0) printf "UPDATE account SET balance = balance + %d WHERE id = %d;\n", random(50), random(200)
        if (i % 25 == 0) printf "DELETE FROM booking WHERE account = %d AND amount < -900;\n", random(200)
        if (i % 100 == 0) query(i / 100)
    }
    print "MERGE INTO account KEY(id) SELECT id, UPPER(owner), balance * 2, opened FROM account WHERE id < 10;"
    print "SELECT * FROM account ORDER BY id;"
    print "WITH RECURSIVE r(n, f) AS (SELECT 1, CAST(1 AS BIGINT) UNION ALL SELECT n + 1, f * (n + 1) FROM r WHERE n < 20) SELECT * FROM r;"
    print "SCRIPT NODATA;"
}
function query(i) {
    if (i % 5 == 0) print "SELECT * FROM totals ORDER BY total DESC, owner LIMIT 10;"
    else if (i % 5 == 1) print "SELECT note, COUNT(*), AVG(amount), MIN(id) FROM booking GROUP BY note HAVING COUNT(*) > 3 ORDER BY 2 DESC, note LIMIT 8;"
    else if (i % 5 == 2) print "SELECT id, amount, SUM(amount) OVER (PARTITION BY account ORDER BY id) s, RANK() OVER (ORDER BY amount, id) FROM booking WHERE account < 5 ORDER BY id;"
    else if (i % 5 == 3) print "SELECT EXTRACT(YEAR FROM opened) y, COUNT(DISTINCT owner), LISTAGG(id, ',') WITHIN GROUP (ORDER BY id) FROM account GROUP BY y ORDER BY y;"
    else print "SELECT a.id, a.owner FROM account a WHERE EXISTS(SELECT 1 FROM booking b WHERE b.account = a.id AND b.note REGEXP '^note [a-c]+') AND a.owner LIKE 'owner 1%' ORDER BY a.id;"
}
