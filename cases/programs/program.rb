# SPDX-FileCopyrightText: 2026 The Plumbline authors
# SPDX-License-Identifier: MIT
#
# A program for make check-behaviour: blocks, exceptions with ensure and retry, method_missing, eval,
# define_method, fibers, catch and throw, strings, sorting. Its output is always the same.
class Ledger
  include Enumerable
  Overdrawn = Class.new(StandardError)

  def initialize
    @entries = Hash.new { |entries, name| entries[name] = 0 }
  end

  def book(name, amount)
    raise Overdrawn, "#{name} is short of #{-(@entries[name] + amount)}" if @entries[name] + amount < 0
    @entries[name] += amount
  end

  def each(&block)
    @entries.sort.each(&block)
  end

  def method_missing(name, *arguments)
    name.to_s.start_with?("add_") ? book(name.to_s[4..-1], *arguments) : super
  end

  def respond_to_missing?(name, all = false)
    name.to_s.start_with?("add_") || super
  end

  %w[largest smallest].zip([:max_by, :min_by]).each do |name, how|
    define_method(name) { send(how) { |_, amount| amount } }
  end
end

def number(seed)
  Fiber.new { loop { Fiber.yield(seed = (seed * 1103515245 + 12345) & 0x7fffffff) } }
end

ledger = Ledger.new
numbers = number(7)
refusals = []
3000.times do |i|
  begin
    tries ||= 0
    ledger.send("add_acct#{numbers.resume % 17}", numbers.resume % 201 - 90 + 40 * tries)
  rescue Ledger::Overdrawn => problem
    tries += 1
    refusals << problem.message
    retry if tries < 3
  ensure
    tries = 0
  end
end
ledger.each { |name, amount| puts format("%-8s %7d", name, amount) }
p ledger.largest, ledger.smallest, refusals.size, refusals.last

p (1..30).inject { |a, b| a.lcm(b) }, 2**200 % 1_000_007
puts eval("[1, 2, 3].map { |x| x ** 3 }.reverse.inspect")
found = catch(:found) { (1..1000).each { |a| (a..1000).each { |b| throw :found, [a, b] if a * b == 39_203 } } }
p found
begin
  ledger.no_such_method(1)
rescue NoMethodError => problem
  puts problem.class, problem.backtrace.size > 0
end
def fall(n) n == 0 ? raise(ArgumentError, "bottom") : fall(n - 1) end
begin
  fall(40)
rescue ArgumentError => problem
  puts problem.backtrace.map { |line| line[/:(\d+):in/, 1] }.tally.inspect rescue puts problem.backtrace.size
end
words = File.read(__FILE__).scan(/[a-z_]{4,}/).group_by(&:itself).map { |word, all| [all.size, word] }
p words.sort_by { |count, word| [-count, word] }.first(5)
p :done.to_proc.call(Struct.new(:done).new("ok")), "pläne".unicode_normalize(:nfd).length, "abc".succ * 2
