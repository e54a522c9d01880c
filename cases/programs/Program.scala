// SPDX-FileCopyrightText: 2026 The Plumbline authors
// SPDX-License-Identifier: MIT
//
// A program for make check-behaviour, compiled and run by the Scala interpreter: case classes, matching,
// implicits, lazy streams, by-name parameters, non-local returns, try and finally, structural types.
import scala.collection.mutable
import scala.util.{Failure, Success, Try}
import scala.util.control.Breaks._

object Program {
  sealed trait Tree
  case class Leaf(value: Int) extends Tree
  case class Node(operator: Char, left: Tree, right: Tree) extends Tree

  def parse(text: String): Tree = {
    val input = text.iterator.buffered
    def atom(): Tree = input.next() match {
      case '(' =>
        val tree = sum()
        require(input.hasNext && input.next() == ')', "no )")
        tree
      case digit if digit.isDigit =>
        var value = digit.asDigit
        while (input.hasNext && input.head.isDigit) value = value * 10 + input.next().asDigit
        Leaf(value)
      case other => throw new IllegalArgumentException("at " + other)
    }
    def chain(operators: String, next: () => Tree): Tree = {
      var tree = next()
      while (input.hasNext && operators.contains(input.head)) tree = Node(input.next(), tree, next())
      tree
    }
    def product(): Tree = chain("*/", () => atom())
    def sum(): Tree = chain("+-", () => product())
    sum()
  }

  def value(tree: Tree): Int = tree match {
    case Leaf(value) => value
    case Node('+', left, right) => value(left) + value(right)
    case Node('-', left, right) => value(left) - value(right)
    case Node('*', left, right) => value(left) * value(right)
    case Node(_, left, right) => value(left) / value(right)
  }

  implicit class Times(val count: Int) extends AnyVal {
    def times(body: => Unit): Unit = { var i = 0; while (i < count) { body; i += 1 } }
  }

  def firstSquareAbove(limit: Int): Int = {
    Stream.from(1).map(n => n * n).foreach(n => if (n > limit) return n)
    -1
  }

  def guarded[T](log: mutable.Buffer[String])(body: => T): Try[T] =
    try Success(body) catch { case problem: ArithmeticException => Failure(problem) } finally log += "left"

  trait Named { def name: String = "named" }
  trait Loud extends Named { override def name: String = super.name.toUpperCase + "!" }
  trait Twice extends Named { override def name: String = super.name * 2 }

  def main(arguments: Array[String]): Unit = {
    for (text <- Seq("1+2*3", "(1+2)*3", "100/(7-7)", "2*(3+", "8/2/2", "7+x"))
      println(text + " = " + Try(value(parse(text))).recover { case problem => problem.getClass.getSimpleName }.get)
    lazy val primes: Stream[Int] = 2 #:: Stream.from(3, 2).filter(n => primes.takeWhile(p => p * p <= n).forall(n % _ != 0))
    println(primes.take(2000).foldLeft(BigInt(1))((a, p) => a * p % 1000000007))
    println(firstSquareAbove(5000))
    val log = mutable.Buffer[String]()
    println(List(1, 0, 5).map(n => guarded(log)(100 / n).map(_ + 1).getOrElse(-1)) + " " + log.size)
    var ticks = 0
    breakable { 1000.times { ticks += 1; if (ticks == 321) break } }
    println(ticks)
    println((new Named with Loud with Twice).name + " " + (new Named with Twice with Loud).name)
    println("the quick brown fox jumps over the lazy dog".split(' ').groupBy(_.length).mapValues(_.sorted.mkString(",")).toSeq.sortBy(_._1))
    val partial: PartialFunction[Any, String] = { case n: Int if n > 2 => "big" case s: String => s.reverse }
    println(Seq[Any](1, 3, "abc", 2.5).map(partial.applyOrElse(_, (x: Any) => "none " + x)))
    def closes(thing: { def close(): String }): String = thing.close()
    println(closes(new { def close() = "closed" }))
    println(for { a <- 1 to 20; b <- a to 20; c = math.sqrt(a * a + b * b).toInt if c * c == a * a + b * b && c <= 20 } yield (a, b, c))
    try { def fall(n: Int): Int = if (n == 0) sys.error("bottom") else 1 + fall(n - 1); fall(30) }
    catch { case problem: RuntimeException => println(problem.getStackTrace.count(_.getMethodName.contains("fall"))) }
  }
}
