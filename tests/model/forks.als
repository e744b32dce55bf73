/*
 * Pins and forks of one account's lists, section 3 of docs/encryption.md.
 *
 * Lists form a tree below list 0. Each is in order after its previous list (deviceLists.als). Two clients receive them
 * in any order, each after the one before it, and judge forks anew with each.
 */
module forks

// Order of seniority, most senior device first. It does not change (deviceLists.als).
open util/ordering[Device] as seniority

/** Rules that a check can turn off. */
abstract sig Rule {}
one sig OnlyJuniorsRemoved, RemoverStays, NoneLeftIsFork, AllListsJudged extends Rule {}
sig Off in Rule {}
pred on[rule: Rule] { rule not in Off }

abstract sig Key {}
sig Device extends Key {}
lone sig RecoveryKey extends Key {}
/** Keys that a thief holds. The holders of the others sign what is in order after some list that they saw. */
sig Stolen in Device {}

sig List { previous: lone List, devices: set Device, signer: lone Key }
one sig ListZero extends List {}

fun added: List -> Device { (List - ListZero) <: devices - previous.devices }
fun removed: List -> Device { previous.devices - devices }

fact tree {
  all l: List | (l = ListZero iff no l.previous) and l not in l.^previous
  all l: List - ListZero {
    l.signer in l.previous.devices + RecoveryKey and some l.signer and some l.devices
    all d: l.added | l.previous.devices in d.prevs
    on[OnlyJuniorsRemoved] implies l.signer in RecoveryKey or no l.removed & l.signer.prevs
  }
}

/** Branch of a list, among some lists. */
fun branch[l: List, seen: set List]: set List { seen & *previous.l }

/** Branch a removes the author of the first list of branch b: by another, whom b keeps, and not to add it again. */
pred removesAuthor[a, b: List, seen: set List] {
  some l: branch[a, seen] {
    b.signer in l.removed and l.signer != b.signer
    on[RemoverStays] implies l.signer not in (branch[b, seen]).removed
    b.signer not in (branch[a, seen] & ^previous.l).added
  }
}

/** Branch a beats branch b: exactly one of them removes the author of the other's first list. */
pred beats[a, b: List, seen: set List] {
  a in b.siblings and a.signer != b.signer and removesAuthor[a, b, seen]
  not removesAuthor[b, a, seen]
}

/** Siblings of a list: others after the same list. */
fun siblings: List -> List { previous.~previous - iden }

/** Lists that stand: no branch beats one that they are in. */
fun standing[seen: set List]: set List { { l: seen | no a: l.*previous, b: seen | beats[b, a, seen] } }

/** A fork is open: two siblings stand, or none of several does. */
pred isForked[seen: set List] {
  (some disj l, m: standing[seen] | l in m.siblings)
    or (on[NoneLeftIsFork] and some p: standing[seen] | some previous.p & seen and no previous.p & standing[seen])
}

/** Newest list that a client accepts: it judges all lists that it has, and accepts none while a fork is open. */
fun newest[seen: set List]: set List { { l: standing[seen] | not isForked[seen] and no previous.l & standing[seen] } }

/** Newest list of a client that had some lists and now has all. The other kind judges only against what it held. */
fun newestAfter[early: set List]: set List {
  on[AllListsJudged] implies newest[List] else
    let path = newest[early].*previous,
        winners = { b: List | some a: path | beats[b, a, List] },
        unsettled = { b: List | some a: path | b in a.siblings and not beats[a, b, List] } |
      { l: List | no previous.l and (some winners implies l in *previous.winners
        else (no unsettled and l in *previous.(newest[early]))) }
}

/** Lists that each of two clients received first. */
sig Early, Other in List {}
fact receivedInOrder { ListZero in Early & Other and Early.previous in Early and Other.previous in Other }

/** Two clients that have the same lists accept the same one, in whatever order they came. */
pred sameListsSameBranch {
  some newest[Early] - ListZero and some newest[Other] - ListZero implies newestAfter[Early] = newestAfter[Other]
}

/** More lists never bring a client back to a list before one that it accepted: the pin only rises. */
pred neverBack { no newest[List] & newest[Early].^previous }

/** Thieves, all of whose devices one branch removes, cannot end a fork for another, also not by a list that lost. */
pred thiefNeverWins {
  all disj a, b: List | a in b.siblings
    and (a.previous.devices & Stolen) in ({ l: branch[a, List] | l.signer not in Stolen }).removed
    and no Stolen & (branch[a, List]).added
    and (all l: branch[b, List] | some l.removed implies l.signer in Stolen)
    implies not beats[b, a, List]
}

example: run { no Off and isForked[Early] and some newest[List] } for 5 but 3 Device expect 1

thief: check { no Off implies thiefNeverWins } for 6 but 4 Device expect 0
thiefWithoutRemoverStays: check { Off = RemoverStays implies thiefNeverWins } for 6 but 4 Device expect 1
thiefWithoutOnlyJuniorsRemoved: check { Off = OnlyJuniorsRemoved implies thiefNeverWins } for 6 but 4 Device expect 1

back: check { no Off implies neverBack } for 5 but 3 Device expect 0
backWithoutNoneLeftIsFork: check { Off = NoneLeftIsFork implies neverBack } for 5 but 3 Device expect 1

same: check { no Off implies sameListsSameBranch } for 5 but 3 Device expect 0
sameWithoutAllListsJudged: check { Off = AllListsJudged implies sameListsSameBranch } for 5 but 3 Device expect 1
