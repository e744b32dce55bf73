/*
 * Late rows of a device that a header removes, sections 4 and 5 of docs/encryption.md.
 *
 * The moments are those of the world, which no client sees. The server orders the rows as it likes, for each client in
 * another way, and withholds some; so no rule here uses its order.
 */
module lateRows

open util/ordering[Moment] as time

/** Rules that a check can turn off. */
abstract sig Rule {}
one sig UnnamedIsLate, UnknownIsNoAncestor, HashesComeFirst, OwnNamesAll, OnlyBefore extends Rule {}
sig Off in Rule {}
pred on[rule: Rule] { rule not in Off }

sig Moment {}

/** Statements: rows and headers, each made at a moment. Naming one takes its hash, so it exists already. */
abstract sig Statement { made: Moment }

/** Row by the one device that this model is about. */
sig Row extends Statement { epoch: Header, own: set Row }
/** Rows whose sender's client follows the paper, and whose acknowledgement it saw before the next row. */
sig Honest in Row {}

/** Header. It lists the device or not, and a header that removes it names its last row that the committer knows. */
sig Header extends Statement { previous: lone Header, lists: lone Yes, last: lone Row }
one sig Yes {}

fun removing: set Header { { h: Header | some h.previous.lists and no h.lists } }

fact statements {
  all disj s, t: Statement | s.made != t.made
  on[HashesComeFirst] implies all r: Row | all o: r.own | lt[o.made, r.made]
  all r: Row | some r.epoch.lists and lt[r.epoch.made, r.made]
  // Headers form one chain. The committer names a row that it has.
  one h: Header | no h.previous
  all h: Header | (some h.previous implies lt[h.previous.made, h.made]) and lone previous.h
  all h: Header | (some h.last implies h in removing and lt[h.last.made, h.made])
  // "own" has the hashes of all acknowledged messages of this device that no earlier message of it named.
  on[OwnNamesAll] implies all r: Honest | { o: Row | lt[o.made, r.made] }
    in r.own + { o: Row | some q: Row | lt[q.made, r.made] and o in q.own }
}

/** Rows that a client shows as late, with the rows and headers that it has. */
fun late[rows: set Row, headers: set Header]: set Row {
  { r: rows | some h: headers & removing {
    on[OnlyBefore] implies h in r.epoch.^~previous
    on[UnnamedIsLate] and r not in h.last.*(rows <: own)
    // A client that lacks a named row cannot follow it further, and assumes nothing about its ancestors.
    on[UnknownIsNoAncestor] or h.last in rows
  } }
}

/** Two clients: the rows and headers that the server gave each. */
sig OneRows, OtherRows in Row {}
sig Headers in Header {}
fact headersComeInOrder { Headers.previous in Headers }

/** A row that the removed device made after its removal is late on every client that has the removing header. */
pred rowsAfterRemovalAreLate {
  all h: removing & Headers, r: OneRows | lt[h.made, r.made] and h in r.epoch.^~previous
    implies r in late[OneRows, Headers]
}

/** Rows of an honest device that were before the named one are not late on a client that has all rows. */
pred honestRowsCount {
  Row = Honest implies all h: removing, r: Row |
    some h.last and lte[r.made, h.last.made] and h in r.epoch.^~previous implies r not in late[Row, h]
}

/** A device that comes back writes rows that are not late. */
pred comesBack {
  all r: Row | (all h: removing | h in r.epoch.*previous) implies r not in late[Row, Header]
}

/** What the server withholds makes no row count that is late on a client that has more rows. */
pred withholdingOnlyFolds { OneRows in OtherRows implies OneRows & late[OtherRows, Headers] in late[OneRows, Headers] }

example: run {
  no Off and some late[Row, Header] and some Row - late[Row, Header] and some r: Row | r.epoch.previous in removing
} for 4 but 8 Moment, 8 Statement expect 1

removed: check { no Off implies rowsAfterRemovalAreLate } for 4 but 7 Moment, 7 Statement expect 0
removedWithoutUnnamedIsLate: check {
  Off = UnnamedIsLate implies rowsAfterRemovalAreLate
} for 4 but 7 Moment, 7 Statement expect 1
removedWithoutHashesComeFirst: check {
  Off = HashesComeFirst implies rowsAfterRemovalAreLate
} for 4 but 7 Moment, 7 Statement expect 1

honest: check { no Off implies honestRowsCount } for 4 but 7 Moment, 7 Statement expect 0
honestWithoutOwnNamesAll: check { Off = OwnNamesAll implies honestRowsCount } for 4 but 7 Moment, 7 Statement expect 1

back: check { no Off implies comesBack } for 4 but 7 Moment, 7 Statement expect 0
backWithoutOnlyBefore: check { Off = OnlyBefore implies comesBack } for 4 but 7 Moment, 7 Statement expect 1

withheld: check { no Off implies withholdingOnlyFolds } for 4 but 7 Moment, 7 Statement expect 0
withheldWithoutUnknownIsNoAncestor: check {
  Off = UnknownIsNoAncestor implies withholdingOnlyFolds
} for 4 but 7 Moment, 7 Statement expect 1
