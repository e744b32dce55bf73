/*
 * Device lists of one account, section 3 of docs/encryption.md.
 *
 * The atoms of List are one chain that a client has accepted, list 0 first. The server and a thief write whatever
 * they like, and sign with the keys that they have.
 */
module deviceLists

open util/ordering[List] as chain
open util/ordering[Age] as age

/** Rules that a check can turn off. */
abstract sig Rule {}
one sig Signed, SignerListed, NoToken, EntriesKept, NewAreJunior, AddedBySigner, OnlyJuniorsRemoved,
  RecoverySetBySenior, SomebodyRemains, AddedThroughRemoved extends Rule {}
sig Off in Rule {}
pred on[rule: Rule] { rule not in Off }

/** Seniority: a lower number is more senior. */
sig Age {}

abstract sig Key {}
/** Device of kind 0 or 1, or a token (kind 2). Its id follows from its signing key, so a device is its key. */
sig Device extends Key {}
sig Token in Device {}
sig RecoveryKey extends Key {}
/** Keys that the user's clients hold. */
sig Own in Key {}
/** Keys of the user's that a thief holds. */
sig Stolen in Own {}
fun honest: set Key { Own - Stolen }

sig List {
  devices: set Device,
  seniority: devices -> one Age,
  addedBy: devices -> lone Key,
  nextAge: Age,
  recovery: lone RecoveryKey,
  signer: Key,
  /** Key that made the signature, if any did. */
  signature: lone Key
}

fun added[l: List]: set Device { l.devices - l.prev.devices }
fun removed[l: List]: set Device { l.prev.devices - l.devices }
/** Devices that can sign lists. */
fun screens[l: List]: set Device { l.devices - Token }

/** List 0: one device, which signs. */
pred listZero[l: List] {
  one l.devices and no l.devices & Token and no l.devices.(l.addedBy) and no l.recovery
  l.seniority[l.devices] = age/first and l.nextAge = age/first.next
  l.signer = l.devices and l.signature = l.signer
}

/** Rules 1 to 5 of section 3. */
pred inOrder[l: List] {
  let old = l.prev {
    // Rule 1: a device of the list before, or its recovery key, signs.
    on[Signed] implies l.signature = l.signer
    on[SignerListed] implies l.signer in old.devices + old.recovery
    on[NoToken] implies l.signer not in Token
    // Rule 2: entries stay as they are or go; new ones are junior to all and name the signer.
    on[EntriesKept] implies all d: l.devices & old.devices |
      l.seniority[d] = old.seniority[d] and l.addedBy[d] = old.addedBy[d]
    on[NewAreJunior] implies all d: added[l] | gte[l.seniority[d], old.nextAge]
    all disj d, e: l.devices | l.seniority[d] != l.seniority[e]
    all d: l.devices | lt[l.seniority[d], l.nextAge]
    gte[l.nextAge, old.nextAge]
    on[AddedBySigner] implies all d: added[l] | l.addedBy[d] = l.signer
    // Rule 3: a device removes itself and juniors only; the recovery key removes any.
    on[OnlyJuniorsRemoved] implies l.signer in RecoveryKey or all d: removed[l] |
      gte[old.seniority[d], old.seniority[l.signer]]
    // Rule 4: the recovery key stays, is set by the most senior device, or is replaced by itself.
    on[RecoverySetBySenior] implies l.recovery = old.recovery
      or (no old.recovery and l.signer in screens[old]
        and no d: screens[old] | lt[old.seniority[d], old.seniority[l.signer]])
      or (l.signer = old.recovery and some l.recovery)
    // Rule 5: somebody can still sign, and something changes.
    on[SomebodyRemains] implies some screens[l] or some l.recovery
    l.devices != old.devices or l.recovery != old.recovery
  }
}

/** Devices that a device added, and those that they added, by the entries of some lists. */
fun addedThrough[d: Key, lists: set List]: set Device {
  let adds = { adder: Key, new: Device | some l: lists | new in l.devices and adder = l.addedBy[new] } | d.^adds
}

/**
 * A client adds only keys of its user. With a device it removes those that the device added, which it follows through
 * all lists: a device between them may have left before.
 */
pred signedByClient[l: List] {
  added[l] + (l.recovery - l.prev.recovery) in Own
  on[AddedThroughRemoved] implies (all d: removed[l] | no l.devices & addedThrough[d, l.^prev])
  else all d: removed[l] | no l.devices & addedThrough[d, l.prev]
}

fact acceptedChain {
  listZero[chain/first]
  all l: List - chain/first | inOrder[l] and (l.signature in honest implies some l.signature and signedByClient[l])
}

/** A server without keys of the account gets no device of its own into an accepted list. */
pred noGhost { (chain/first.devices in Own and no Stolen) implies List.(devices + recovery) in Own }

/** A removed device returns only by a signature of another device or the recovery key, and as the most junior. */
pred removedStaysOut {
  all l: List - chain/first, d: added[l] {
    some l.signature & (l.prev.devices + l.prev.recovery - d)
    all e: l.devices & l.prev.devices | lt[l.seniority[e], l.seniority[d]]
  }
}

/** Limit 12: only a device, its seniors, and the recovery key remove it, or set words, in however many lists. */
pred juniorsCannotRemove {
  all l: List, d: screens[l] | let seniors = { e: l.devices | lte[l.seniority[e], l.seniority[d]] } + l.recovery |
    no l.^next.signature & seniors implies all m: l.^next | d in m.devices and m.recovery = l.recovery
}

/** A client that removes a stolen device leaves no device of the thief, unless the thief could set words (limit 12). */
pred removalIsComplete {
  one Stolen and Stolen in Device and chain/first.devices + List.recovery in Own implies
    all l: List | Stolen in removed[l] and l.signature in honest implies l.devices in Own
}

/** Tokens sign no lists. */
pred tokensSignNothing { no (List - chain/first).signature & Token }
/** An account can always be changed by a device or by its recovery key. */
pred neverLocked { all l: List | some screens[l] or some l.recovery }

example: run {
  no Off and some l: List | some removed[l] and l.signature in RecoveryKey and some Stolen
} for 5 but 6 Age expect 1

ghost: check { no Off implies noGhost } for 4 but 6 Age expect 0
ghostWithoutSigned: check { Off = Signed implies noGhost } for 4 but 6 Age expect 1
ghostWithoutSignerListed: check { Off = SignerListed implies noGhost } for 4 but 6 Age expect 1

removed: check { no Off implies removedStaysOut } for 4 but 6 Age expect 0
removedWithoutSigned: check { Off = Signed implies removedStaysOut } for 4 but 6 Age expect 1
removedWithoutSignerListed: check { Off = SignerListed implies removedStaysOut } for 4 but 6 Age expect 1
removedWithoutNewAreJunior: check { Off = NewAreJunior implies removedStaysOut } for 4 but 6 Age expect 1

juniors: check { no Off implies juniorsCannotRemove } for 4 but 6 Age expect 0
juniorsWithoutSigned: check { Off = Signed implies juniorsCannotRemove } for 4 but 6 Age expect 1
juniorsWithoutSignerListed: check { Off = SignerListed implies juniorsCannotRemove } for 4 but 6 Age expect 1
juniorsWithoutEntriesKept: check { Off = EntriesKept implies juniorsCannotRemove } for 4 but 6 Age expect 1
juniorsWithoutNewAreJunior: check { Off = NewAreJunior implies juniorsCannotRemove } for 4 but 6 Age expect 1
juniorsWithoutOnlyJuniorsRemoved: check {
  Off = OnlyJuniorsRemoved implies juniorsCannotRemove
} for 4 but 6 Age expect 1
juniorsWithoutRecoverySetBySenior: check {
  Off = RecoverySetBySenior implies juniorsCannotRemove
} for 4 but 6 Age expect 1

complete: check { no Off implies removalIsComplete } for 5 but 6 Age expect 0
completeWithoutSigned: check { Off = Signed implies removalIsComplete } for 5 but 6 Age expect 1
completeWithoutSignerListed: check { Off = SignerListed implies removalIsComplete } for 5 but 6 Age expect 1
completeWithoutAddedBySigner: check { Off = AddedBySigner implies removalIsComplete } for 5 but 6 Age expect 1
completeWithoutAddedThroughRemoved: check {
  Off = AddedThroughRemoved implies removalIsComplete
} for 5 but 6 Age expect 1

tokens: check { no Off implies tokensSignNothing } for 4 but 6 Age expect 0
tokensWithoutNoToken: check { Off = NoToken implies tokensSignNothing } for 4 but 6 Age expect 1

locked: check { no Off implies neverLocked } for 4 but 6 Age expect 0
lockedWithoutSomebodyRemains: check { Off = SomebodyRemains implies neverLocked } for 4 but 6 Age expect 1
