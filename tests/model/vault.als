/*
 * State that the rows of a vault describe, section 6 of docs/encryption.md: pins of one other account.
 *
 * The atoms of Row are all rows of the vault in the server's order. Late rows are those of lateRows.als. Devices read
 * rows in parts, in any order.
 */
module vault

open util/ordering[Row] as rows
open util/ordering[Number] as numbers

/** Rules that a check can turn off. */
abstract sig Rule {}
one sig LateCountsNothing, RefusedCountsNothing, HigherListWins, LaterRowWins, IdentityFirst, AllRowsJudged,
  ReplacementIsTransitive extends Rule {}
sig Off in Rule {}
pred on[rule: Rule] { rule not in Off }

/** Numbers of lists, and counters. */
sig Number {}
sig Identity {}
sig Hash {}

/** Row with a record of kind 1, a pin. */
sig Row {
  identity: Identity,
  n: Number,
  hash: Hash,
  replaces: lone Identity,
  counter: Number
}
/** Rows of a device that a header of the vault removes, neither named there nor an ancestor of a named one. */
sig Late in Row {}
/** Rows of epochs in a branch of the vault that the clients refuse. */
sig Refused in Row {}

fact records { all r: Row | r.identity != r.replaces }

/** Rows that count. */
fun counting[read: set Row]: set Row {
  read - (on[LateCountsNothing] implies Late else none) - (on[RefusedCountsNothing] implies Refused else none)
}

/** Row r has the higher counter, or of equal ones is the later row. */
pred isNewer[r, other: Row] {
  gt[r.counter, other.counter] or (on[LaterRowWins] and r.counter = other.counter and gt[r, other])
}

/** Row r is the better one about the same identity. */
pred isBetter[r, other: Row] {
  on[HigherListWins] implies (gt[r.n, other.n] or (r.n = other.n and isNewer[r, other])) else isNewer[r, other]
}

/** Identities and those that they replaced, by these records. */
fun replacing[read: set Row]: Identity -> Identity {
  let direct = { a, b: Identity | some r: read | r.identity = a and r.replaces = b } |
    on[ReplacementIsTransitive] implies ^direct else direct
}

/** Two records contradict each other, so the user is asked and nothing is sent. */
pred isForked[read: set Row] {
  some disj r, s: read | (r.identity = s.identity and r.n = s.n and r.hash != s.hash)
    or (r.identity != s.identity and r.identity -> s.identity not in replacing[read] + ~(replacing[read]))
}

/** Record that wins against each other one, in pairs, as section 6 reads. */
fun winsInPairs[read: set Row]: set Row {
  { r: read | all s: read - r |
    r.identity = s.identity implies isBetter[r, s] else {
      r.identity -> s.identity in replacing[read]
      s.identity -> r.identity in replacing[read] implies isNewer[r, s]
    } }
}

/** Identity that counts: no other one replaced it, or the user went back to it last. */
fun current[read: set Row]: set Identity {
  let over = replacing[read], top = { i: read.identity | all j: over.i | i -> j in over },
    accepting = { r: read | r.identity in top and (some r.replaces or one top) } |
    { i: top | some r: accepting & identity.i | all s: accepting - identity.i | isNewer[r, s] }
}

/** State by these rows: the record that counts; none while the user is asked. */
fun state[read: set Row]: set Row {
  let counted = counting[read] |
    isForked[counted] implies none
    else on[IdentityFirst] implies { r: counted & identity.(current[counted]) |
      all s: counted & identity.(current[counted]) - r | isBetter[r, s] }
    else winsInPairs[counted]
}

/** Rows that a device read first. Afterwards it reads the others. */
sig Early in Row {}
fun stateInParts: set Row { on[AllRowsJudged] implies state[Row] else state[state[Early] + (Row - Early)] }

/** Rows decide: one record counts, unless they contradict each other. */
pred oneRecordCounts { some counting[Row] and not isForked[counting[Row]] implies one state[Row] }

/** Devices that read the same rows, in whatever parts, have the same state. */
pred sameRowsSameState { stateInParts = state[Row] }

/** Rows that a device wrote after it was removed change nothing, and neither do rows of a refused branch. */
pred thievesChangeNothing { state[Row] = state[Row - Late - Refused] }

/** More rows never lower the number of a list within one identity. */
pred pinNeverFalls {
  state[Early].identity = state[Row].identity implies gte[state[Row].n, state[Early].n] or no state[Row]
}

/** A device that accepts one identity after the other contradicts nobody. */
pred acceptingIsNoFork {
  Row.identity.*~(replacing[Row]) = Row.identity and (all r: Row | r.replaces = r.prev.identity)
    and (all disj r, s: Row | r.identity != s.identity) implies not isForked[Row]
}

example: run {
  no Off and some disj r, s: Row | r.identity != s.identity and some state[Row] and some Late
} for 4 expect 1

record: check { no Off implies oneRecordCounts } for 4 expect 0
recordWithoutIdentityFirst: check { Off = IdentityFirst implies oneRecordCounts } for 4 expect 1
recordWithoutLaterRowWins: check { Off = LaterRowWins implies oneRecordCounts } for 4 expect 1

same: check { no Off implies sameRowsSameState } for 4 expect 0
sameWithoutAllRowsJudged: check { Off = AllRowsJudged implies sameRowsSameState } for 4 expect 1

thieves: check { no Off implies thievesChangeNothing } for 4 expect 0
thievesWithoutLateCountsNothing: check { Off = LateCountsNothing implies thievesChangeNothing } for 4 expect 1
thievesWithoutRefusedCountsNothing: check { Off = RefusedCountsNothing implies thievesChangeNothing } for 4 expect 1

falls: check { no Off implies pinNeverFalls } for 4 expect 0
fallsWithoutHigherListWins: check { Off = HigherListWins implies pinNeverFalls } for 4 expect 1

accepting: check { no Off implies acceptingIsNoFork } for 4 expect 0
acceptingWithoutReplacementIsTransitive: check {
  Off = ReplacementIsTransitive implies acceptingIsNoFork
} for 4 expect 1
