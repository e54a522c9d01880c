; SPDX-FileCopyrightText: 2026 The Plumbline authors
; SPDX-License-Identifier: MIT
;
; A program for make check-behaviour: macros, eval, multimethods, protocols, lazy sequences, loop and
; recur, atoms, transients, exceptions with finally. Its output is always the same.
(ns program (:require [clojure.string :as string] [clojure.set :as set]))

(defmacro unless [condition & body] `(if ~condition nil (do ~@body)))

(defmulti area :kind)
(defmethod area :circle [{r :r}] (* 355/113 r r))
(defmethod area :square [{a :a}] (* a a))
(defmethod area :default [shape] (throw (ex-info "no area" shape)))

(defprotocol Speaks (speak [this] [this times]))
(defrecord Dog [name] Speaks (speak [_] (str name " barks")) (speak [this n] (string/join ", " (repeat n (speak this)))))
(extend-type Long Speaks (speak ([n] (str "number " n)) ([n times] (* n times))))

(def steps (atom []))
(defn attempt [shape]
  (try (area shape)
       (catch clojure.lang.ExceptionInfo problem [(.getMessage problem) (:kind (ex-data problem))])
       (catch NullPointerException _ :null)
       (finally (swap! steps conj (:kind shape)))))
(println (map attempt [{:kind :circle :r 2} {:kind :square :a 3} {:kind :star} {:kind :square :a nil}]) @steps)

(println (speak (->Dog "Rex") 3) (speak 7) (speak 7 6))
(println (unless (= 1 2) (str "macro " (macroexpand-1 '(unless a b)))))
(println (eval '(let [f (fn f [n] (if (< n 2) 1N (* n (f (dec n)))))] (f 60))))

(def primes (letfn [(sieve [[p & more]] (lazy-seq (cons p (sieve (remove #(zero? (mod % p)) more)))))] (sieve (iterate inc 2))))
(println (take 25 primes) (nth primes 150))
(println (loop [n 27 length 1] (cond (= n 1) length (even? n) (recur (quot n 2) (inc length)) :else (recur (inc (* 3 n)) (inc length)))))
(println (reduce (fn [sum n] (if (> sum 5000) (reduced [:stopped sum n]) (+ sum (* n n)))) 0 (range)))
(println (into (sorted-map) (persistent! (reduce (fn [all n] (assoc! all (mod (* n 31) 11) n)) (transient {}) (range 100)))))
(println (transduce (comp (filter odd?) (map #(* % %)) (take-while #(< % 1000)) (partition-all 4)) conj [] (range)))
(println (->> "the quick brown fox jumps over the lazy dog and the cat" (re-seq #"\w+") frequencies (sort-by (juxt (comp - val) key)) (take 4)))
(println (set/difference (set (range 10)) #{1 3 5}) (sort (set/union #{1 2} #{2 3})))
(println (let [{:keys [a] [b & more] :list :or {a 5}} {:list [1 2 3]}] [a b more]))
(println (binding [*print-length* 3] (pr-str (range 100))))
(println (try (loop [n 50] (if (zero? n) (throw (IllegalStateException. "bottom")) (recur (dec n)))) (catch Exception problem (.getMessage problem))))
(defn fall [n] (if (zero? n) (throw (RuntimeException. "deep")) (inc (fall (dec n)))))
(println (try (fall 40) (catch RuntimeException problem (count (filter #(.contains (.getClassName %) "fall") (.getStackTrace problem))))))
(println (.invoke (.getMethod String "concat" (into-array [String])) "by " (object-array ["reflection"])))
(println (with-out-str (doseq [x (range 3) y "ab"] (print x y ""))) (format "%05.2f|%x" 3.14159 255))
(println (string/upper-case (apply str (interpose \- (reverse "clojure")))) (compare [1 2] [1 3]) (bigdec 1.10M))
(println @(future (reduce + (pmap #(* % %) (range 100)))))
(shutdown-agents)
