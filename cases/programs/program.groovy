// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A program for make check-behaviour: closures, categories, missing methods, expandos, builders, eval,
// exceptions with finally. Its output is always the same.
import groovy.transform.CompileStatic
import groovy.transform.Immutable

@Immutable class Point { int x, y; Point plus(Point other) { new Point(x + other.x, y + other.y) } }

class Recorder {
    def calls = []
    def methodMissing(String name, arguments) { calls << "$name(${arguments.join(', ')})"; this }
    def propertyMissing(String name) { name.reverse() }
}

class Short extends RuntimeException { Short(String message) { super(message) } }

@CompileStatic
class Sieve {
    static List<Integer> primes(int limit) {
        boolean[] composite = new boolean[limit + 1]
        List<Integer> found = []
        for (int i = 2; i <= limit; i++) {
            if (composite[i]) continue
            found << i
            for (long j = (long) i * i; j <= limit; j += i) composite[(int) j] = true
        }
        found
    }
}

def withdraw(Map accounts, name, amount) {
    try {
        if (accounts[name] < amount) throw new Short("$name: ${amount - accounts[name]} short")
        accounts[name] -= amount
        return 'paid'
    } catch (Short problem) {
        return problem.message
    } finally {
        accounts.count = (accounts.count ?: 0) + 1
    }
}

def accounts = [anna: 100, bert: 50]
def outcomes = [10, 45, 70, 20].collectMany { amount -> ['anna', 'bert'].collect { withdraw(accounts, it, amount) } }
println outcomes.join('; ')
println accounts

def recorder = new Recorder()
recorder.go('left', 3).turn().stop(1, 2, 3)
println recorder.calls + recorder.palindrome
println([new Point(1, 2), new Point(3, 4), new Point(5, 6)].sum())
println Sieve.primes(50000).with { "${size()} ${last()} ${sum()}" }

def memo
memo = { n -> n < 2 ? n as BigInteger : memo(n - 1) + memo(n - 2) }.memoize()
println memo(150)
def curried = { a, b, c -> a * 100 + b * 10 + c }.curry(1).rcurry(3)
println curried(2)
println((1..20).findAll { it % 3 == 0 }.inject([:]) { map, n -> map + [(n): n * n] })
println Eval.xy(6, 7, 'def f = { it + 1 }; f(x) * y')
println new GroovyShell(new Binding(words: 'the quick brown fox'.split())).evaluate('words*.capitalize().sort { -it.size() }.join("-")')
use(groovy.time.TimeCategory) { println((3.days + 4.hours).toString()) }
String.metaClass.shout = { -> delegate.toUpperCase() + '!' }
println 'quiet'.shout()
println new groovy.json.JsonBuilder([list: (1..4).toList(), nested: [a: 1.5, b: null]]).toString()
def writer = new StringWriter()
new groovy.xml.MarkupBuilder(writer).table { (1..3).each { row -> tr(id: row) { td(row * row) } } }
println writer
try {
    def none = null
    none.method()
} catch (NullPointerException problem) {
    println problem.message
}
def fall
fall = { int n -> if (n == 0) throw new IllegalStateException('bottom'); fall(n - 1) }
try { fall(30) } catch (IllegalStateException problem) { println problem.stackTrace.count { it.className.contains('closure') } > 30 }
def switchy = { value -> switch (value) { case String: return 'text'; case 1..9: return 'digit'; case ~/x+/: return 'xs'; default: return 'other' } }
println([1, 'a', 10, 3.5, null].collect(switchy))
