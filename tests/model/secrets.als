/*
 * Who gets the secret of an epoch: boxes and answers to nacks, sections 4 and 9 of docs/encryption.md.
 *
 * Headers and lists are in order (headers.als, deviceLists.als). Only honest devices seal and answer here, because a
 * device that has a secret can give it to anyone. The server decides which lists and headers each of them sees.
 */
module secrets

open util/ordering[Header] as chain
open util/ordering[List] as age

/** Rules that a check can turn off. */
abstract sig Rule {}
one sig NewestListNamed, ListedNow, AfterHeaderList, NotLeftOutNow, MemberThen, MemberNow, NoTimer, NoToken
  extends Rule {}
sig Off in Rule {}
pred on[rule: Rule] { rule not in Off }

/** Identity of an account: its list 0. An account that changes its identity has several. */
sig Identity { account: Account }
sig Account {}
sig Device { owner: Identity }
sig Token in Device {}

/** Lists of all identities, in the order in which they were signed. */
sig List { identity: Identity, devices: set Device }
fun newestOf[lists: set List, i: Identity]: lone List {
  { l: lists & identity.i | no identity.i & lists & l.nexts }
}

/** Header of an epoch. Its committer knew some lists, with all before them. */
sig Header {
  members: set Identity,
  lists: set List,
  leftOut: set Device,
  admitted: set Token,
  roster: set Device,
  timer: lone Timer,
  known: set List
}
one sig Timer {}

/** Answer of an honest device to a nack, with the newest header and the lists that it knows. */
sig Answer { nack: Device, epoch: Header, newest: Header, known: set List }

pred knowsChain[lists: set List] { all l: lists | l.prevs & identity.(l.identity) in lists }

fact lists {
  all l: List | l.devices.owner in l.identity
  // A removed device makes a new signing key before it is added again, so no device returns.
  all l: List, m: l.nexts & identity.(l.identity), n: m.nexts & identity.(l.identity) |
    l.devices & n.devices in m.devices
}

fact headers {
  all h: Header {
    // The roster has one list of each member, and one identity of each account.
    h.lists.identity = h.members and all i: h.members | one h.lists & identity.i
    all disj i, j: h.members | i.account != j.account
    h.roster = h.lists.devices - h.leftOut - (Token - h.admitted)
    // A list is that of the header before or in order after it.
    all i: h.members & h.prev.members | h.lists & identity.i in (h.prev.lists & identity.i).*age/next
    // An honest committer names the newest lists that it knows, and knows those of the headers before.
    knowsChain[h.known] and (h + h.prevs).lists in h.known
    on[NewestListNamed] implies all i: h.members | h.lists & identity.i = newestOf[h.known, i]
  }
}

/** Section 4, Nack: when an honest device answers. */
fact answers {
  all a: Answer | let i = a.nack.owner, list = newestOf[a.known, i] {
    a.newest in a.epoch + a.epoch.nexts
    knowsChain[a.known]
    // The account is in the roster of the epoch and of the newest header, with the same identity.
    on[MemberThen] implies i in a.epoch.members
    on[MemberNow] implies i in a.newest.members
    // The device is in the newest list of the account, which is that of the headers or in order after it.
    on[ListedNow] implies a.nack in list.devices
    on[AfterHeaderList] implies (a.newest + a.newest.prevs).lists in a.known
    // The device is not left out now, and was in the roster or may have what it missed.
    on[NotLeftOutNow] implies a.nack not in a.newest.leftOut
    a.nack in a.epoch.roster or (
      (on[NoToken] implies a.nack not in Token)
      and (on[NoTimer] implies no a.epoch.timer)
      and (on[ListedNow] implies a.nack in a.epoch.leftOut + list.devices))
  }
}

/** Devices that honest devices give the secret of an epoch: boxes beside the header, and answers. */
fun has[h: Header]: set Device { h.roster + (epoch.h).nack }

/** A device that a list removed gets no secret of epochs whose committer knew that list. */
pred removedGetsNothing {
  all h: Header, d: Device, l: h.known & identity.(d.owner) |
    d in (l.prevs & identity.(d.owner)).devices and d not in l.devices implies d not in has[h]
}

/** A device that is left out from an epoch on gets no secret of that epoch. */
pred suspendedGetsNothing { all h: Header, d: Device | (all m: h + h.nexts | d in m.leftOut) implies d not in has[h] }

/** A device whose owner was no member with this identity then, or is none now, gets no answer. */
pred strangersGetNothing { all a: Answer | a.nack.owner in a.epoch.members & a.newest.members }

/** Secrets of epochs with a timer go to the devices of the roster alone. */
pred timerStaysInRoster { all h: Header | some h.timer implies has[h] = h.roster }

/** Tokens get secrets only of epochs that admit them. */
pred tokensNeedAdmission { all h: Header | has[h] & Token in h.admitted }

/** An answer goes to a device that the answering device knows as listed and not removed. */
pred onlyListedAnswered { all a: Answer | a.nack in newestOf[a.known, a.nack.owner].devices }

example: run { no Off and some a: Answer | a.nack not in a.epoch.roster and a.nack in a.epoch.leftOut } for 4 expect 1
laterDevice: run { no Off and some a: Answer | a.nack not in a.epoch.lists.devices } for 4 expect 1

removed: check { no Off implies removedGetsNothing } for 4 expect 0
removedWithoutNewestListNamed: check { Off = NewestListNamed implies removedGetsNothing } for 4 expect 1
removedWithoutListedNow: check { Off = ListedNow implies removedGetsNothing } for 4 expect 1
removedWithoutAfterHeaderList: check { Off = AfterHeaderList implies removedGetsNothing } for 4 expect 1

suspended: check { no Off implies suspendedGetsNothing } for 4 expect 0
suspendedWithoutNotLeftOutNow: check { Off = NotLeftOutNow implies suspendedGetsNothing } for 4 expect 1

strangers: check { no Off implies strangersGetNothing } for 4 expect 0
strangersWithoutMemberThen: check { Off = MemberThen implies strangersGetNothing } for 4 expect 1
strangersWithoutMemberNow: check { Off = MemberNow implies strangersGetNothing } for 4 expect 1

timer: check { no Off implies timerStaysInRoster } for 4 expect 0
timerWithoutNoTimer: check { Off = NoTimer implies timerStaysInRoster } for 4 expect 1

tokens: check { no Off implies tokensNeedAdmission } for 4 expect 0
tokensWithoutNoToken: check { Off = NoToken implies tokensNeedAdmission } for 4 expect 1

listed: check { no Off implies onlyListedAnswered } for 4 expect 0
listedWithoutListedNow: check { Off = ListedNow implies onlyListedAnswered } for 4 expect 1
