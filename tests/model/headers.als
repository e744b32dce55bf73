/*
 * Headers, changes, and evidence of one group, section 4 of docs/encryption.md.
 *
 * The atoms of Header are a chain that a client has accepted, header 0 first. Each account has one device and one
 * identity; secrets.als is about devices. Holders of signing keys sign anything, except where a check says what honest
 * members sign, and the server makes any header that the rules allow.
 */
module headers

open util/ordering[Header] as chain

/** Rules that a check can turn off. */
abstract sig Rule {}
one sig EvidenceNeeded, EvidenceSigned, RoleBefore, RoleAfter, OnlyAbsentAdded, KeyListed,
  VoidAfterChange, KeysEmptied, EmptyingIsChange, OnlyNewKeys, RosterFromChanges, AlwaysOwner extends Rule {}
sig Off in Rule {}
pred on[rule: Rule] { rule not in Off }

abstract sig Role {}
one sig Member, Admin, Owner extends Role {}
/** Roles that are not above a role. */
fun upTo: Role -> Role { Member -> Member + Admin -> (Member + Admin) + Owner -> Role }
/** Roles that are below a role. */
fun below: Role -> Role { Admin -> Member + Owner -> (Member + Admin) }

/** Signers of evidence: an account, or the holder of an invite key. */
abstract sig Signer {}
sig Account, InviteKey extends Signer {}
/** Accounts that nobody in the group wants, and invite keys that their owners know. */
sig Ghost in Signer {}

abstract sig Type {}
one sig Add, Remove, Leave, SetRole, SetAdmission, SetKeys extends Type {}

/** Change with its evidence, which is about this type, account, and value. Several headers may contain it. */
sig Change {
  type: Type,
  account: lone Account,
  role: lone Role,
  /** Admission that a change of this setting sets; open if there is one. */
  opens: lone Code,
  keys: set InviteKey,
  /** Signer that the evidence names; none if there is no evidence. */
  signer: lone Signer,
  /** Signer whose key made the signature, if any did. */
  signature: lone Signer,
  /** Header of this chain that the signer knew. */
  ancestor: lone Header
}
one sig Code {}

sig Header {
  changes: set Change,
  roster: Account -> lone Role,
  admission: lone Code,
  inviteKeys: set InviteKey,
  /** Member who becomes owner because the last one goes by the server's word. */
  heir: lone Account
}

fact shapes {
  all c: Change {
    c.type in SetAdmission + SetKeys iff no c.account
    c.type in Add + SetRole iff some c.role
    some c.opens implies c.type = SetAdmission
    some c.keys implies c.type = SetKeys
    some c.signer iff some c.ancestor
    no c.signer implies no c.signature
  }
}

/** Members who go in a header. */
fun gone[h: Header]: set Account { (h.changes & type.(Remove + Leave)).account }

/** Role of a signer allows a change, against the roster before it. */
pred allows[r: lone Role, c: Change, old: Header] {
  c.type = Add implies c.role in r.upTo
  c.type = Remove implies old.roster[c.account] in r.below
  c.type = Leave implies c.signer = c.account
  c.type = SetRole implies r = Owner or (r = Admin and c.role + old.roster[c.account] in Member + Admin)
  c.type in SetAdmission + SetKeys implies r in Admin + Owner
}

/** Headers that change the same account or setting as a change. Who goes changes the invite keys too. */
fun changing[c: Change]: set Header {
  some c.account
    implies { h: Header | some d: h.changes | d.account = c.account }
    else { h: Header | (some d: h.changes | d.type = c.type)
      or (on[EmptyingIsChange] and c.type = SetKeys and some gone[h]) }
}

/** One's own leave, and role changes by an owner who leaves or steps down in the same header. */
pred decidedBefore[c: Change, h: Header] {
  c.type = Leave or (c.type = SetRole and h.prev.roster[c.signer] = Owner
    and some d: h.changes | d.account = c.signer and d.signer = c.signer)
}

/** Evidence counts in a header. */
pred counts[c: Change, h: Header] {
  let old = h.prev {
    on[EvidenceSigned] implies c.signature = c.signer
    c.ancestor in h.prevs
    on[VoidAfterChange] implies no changing[c] & c.ancestor.nexts & h.prevs
    c.signer in InviteKey
      implies (c.type = Add and c.role = Member and (on[KeyListed] implies c.signer in old.inviteKeys))
      else {
        on[RoleBefore] implies some old.roster[c.signer] and allows[old.roster[c.signer], c, old]
        on[RoleAfter] and not decidedBefore[c, h] implies
          some h.roster[c.signer] and allows[h.roster[c.signer], c, old]
      }
  }
}

/** Changes that need no evidence: who comes by the code, and who the server says is removed. */
pred needsNone[c: Change, h: Header] {
  (c.type = Add and c.role = Member and some h.prev.admission) or c.type = Remove
}

/** Members of whom one becomes owner, because the server's word takes the last owner. */
fun successors[h: Header]: set Account {
  let left = (Account - gone[h]) <: h.prev.roster, taken = { c: h.changes | c.type = Remove and no c.signer }.account |
    (no left.Owner and some taken & h.prev.roster.Owner and no { c: h.changes | c.type = SetRole and c.role = Owner })
      implies (some left.Admin implies left.Admin else left.Member) else none
}

pred inOrder[h: Header] {
  let old = h.prev, keySettings = h.changes & type.SetKeys {
    all c: h.changes {
      some c.signer implies counts[c, h] else (on[EvidenceNeeded] implies needsNone[c, h])
      on[OnlyAbsentAdded] and c.type = Add implies no old.roster[c.account]
      c.type in Remove + Leave + SetRole implies some old.roster[c.account]
    }
    all a: Account | lone h.changes & account.a
    lone keySettings and lone h.changes & type.SetAdmission
    // The changes, applied to the header before, give exactly this roster and these settings.
    on[RosterFromChanges] implies h.roster = ((Account - gone[h]) <: old.roster)
      ++ { a: Account, r: Role | some c: h.changes | c.account = a and c.role = r } ++ (h.heir -> Owner)
    h.heir in successors[h] and (some successors[h] implies some h.heir)
    on[AlwaysOwner] and some h.roster implies some h.roster.Owner
    h.admission = (some h.changes & type.SetAdmission implies (h.changes & type.SetAdmission).opens else old.admission)
    h.inviteKeys = (some keySettings implies keySettings.keys
      else some gone[h] and on[KeysEmptied] implies none else old.inviteKeys)
    on[OnlyNewKeys] and some gone[h] and some keySettings implies no keySettings.keys & old.inviteKeys
  }
}

fact acceptedChain {
  no chain/first.changes and some chain/first.roster.Owner
  all h: Header - chain/first | inOrder[h]
}

/** Honest members never invite ghosts, open the group, or give ghosts an invite key. */
pred nobodyWantsGhosts {
  no chain/first.admission and no chain/first.(inviteKeys + roster.Role) & Ghost
  all c: Change | some c.signature - Ghost implies no c.opens and no (c.account + c.keys) & Ghost
}

/** Nobody enters without evidence of a member, an invite key that members set, or admission 1. */
pred noGhost { nobodyWantsGhosts implies no Header.roster.Role & Ghost }

/** Evidence decides one change of the chain. */
pred evidenceServesOnce { all disj h, i: Header | no h.changes & i.changes & signer.Signer }

/** Members who went return only by evidence that was signed after that, or by admission 1. */
pred removedStaysOut {
  all h: Header, i: h.nexts, c: i.changes | c.type = Add and c.account in gone[h] and some c.signer implies
    c.ancestor in (h + h.nexts)
}

/** Invite keys from before a removal open nothing afterwards, unless an admin who knew of it sets them again. */
pred oldLinksDie {
  all h: Header, i: (h + h.nexts) | some gone[h] implies all k: i.inviteKeys & h.prev.inviteKeys |
    some c: h.nexts.changes | k in c.keys and c.ancestor in (h + h.nexts)
}

/** Leaders who sign nothing, and whom the server does not call removed, stay the only ones and keep their roles. */
pred othersCannotLead[leading: set Role] {
  let leaders = chain/first.roster.leading |
    no Change.signature & leaders and no Header.changes & type.Remove & account.leaders & { c: Change | no c.signer }
      implies all h: Header | h.roster.leading = leaders and leaders <: h.roster = leaders <: chain/first.roster
}
pred membersCannotLead { othersCannotLead[Admin + Owner] }
pred adminsCannotOwn { othersCannotLead[Owner] }
/** Others set nothing while the leaders sign nothing. */
pred membersCannotSet {
  no Change.signature & chain/first.roster.(Admin + Owner)
    and no Header.changes & type.Remove & { c: Change | no c.signer } implies Header.admission = chain/first.admission
}

/** Members who go in a header decide nothing else in it, except an owner who leaves and names the next. */
pred goingDecideNothing {
  all h: Header, c: h.changes | some c.signer & gone[h] implies c.type = Leave
    or (c.type = SetRole and h.prev.roster[c.signer] = Owner
      and some d: h.changes | d.type = Leave and d.account = c.signer)
}

/** A group has an owner as long as it has members. */
pred alwaysAnOwner { all h: Header | some h.roster implies some h.roster.Owner }

example: run {
  no Off and some h: Header | some gone[h] and some c: h.nexts.changes | c.type = Add and c.account in gone[h]
} for 4 but 5 Signer expect 1

// Limit 11: a server that calls the last owner removed chooses the next, who signs from then on.
limit: run {
  no Off and no Change.signature & chain/first.roster.Owner and some chain/last.roster.Owner & chain/first.roster.Member
} for 3 expect 1

ghost: check { no Off implies noGhost } for 4 expect 0
ghostWithoutEvidenceNeeded: check { Off = EvidenceNeeded implies noGhost } for 4 expect 1
ghostWithoutEvidenceSigned: check { Off = EvidenceSigned implies noGhost } for 4 expect 1
ghostWithoutRoleBefore: check { Off = RoleBefore implies noGhost } for 4 expect 1
ghostWithoutKeyListed: check { Off = KeyListed implies noGhost } for 4 expect 1
ghostWithoutRosterFromChanges: check { Off = RosterFromChanges implies noGhost } for 4 expect 1

replay: check { no Off implies evidenceServesOnce } for 4 expect 0
replayWithoutVoidAfterChange: check { Off = VoidAfterChange implies evidenceServesOnce } for 4 expect 1

removed: check { no Off implies removedStaysOut } for 4 expect 0
removedWithoutVoidAfterChange: check { Off = VoidAfterChange implies removedStaysOut } for 4 expect 1

links: check { no Off implies oldLinksDie } for 4 expect 0
linksWithoutKeysEmptied: check { Off = KeysEmptied implies oldLinksDie } for 4 expect 1
linksWithoutEmptyingIsChange: check { Off = EmptyingIsChange implies oldLinksDie } for 4 expect 1
linksWithoutOnlyNewKeys: check { Off = OnlyNewKeys implies oldLinksDie } for 4 expect 1

members: check { no Off implies membersCannotLead } for 3 but 4 Change, 4 Signer expect 0
membersWithoutEvidenceNeeded: check {
  Off = EvidenceNeeded implies membersCannotLead
} for 3 but 4 Change, 4 Signer expect 1
membersWithoutEvidenceSigned: check {
  Off = EvidenceSigned implies membersCannotLead
} for 3 but 4 Change, 4 Signer expect 1
membersWithoutRoleBefore: check { Off = RoleBefore implies membersCannotLead } for 3 but 4 Change, 4 Signer expect 1
membersWithoutOnlyAbsentAdded: check {
  Off = OnlyAbsentAdded implies membersCannotLead
} for 3 but 4 Change, 4 Signer expect 1

admins: check { no Off implies adminsCannotOwn } for 3 but 4 Change, 4 Signer expect 0
adminsWithoutRoleBefore: check { Off = RoleBefore implies adminsCannotOwn } for 3 but 4 Change, 4 Signer expect 1

settings: check { no Off implies membersCannotSet } for 4 expect 0
settingsWithoutRoleBefore: check { Off = RoleBefore implies membersCannotSet } for 4 expect 1

going: check { no Off implies goingDecideNothing } for 4 expect 0
goingWithoutRoleAfter: check { Off = RoleAfter implies goingDecideNothing } for 4 expect 1

owner: check { no Off implies alwaysAnOwner } for 4 expect 0
ownerWithoutAlwaysOwner: check { Off = AlwaysOwner implies alwaysAnOwner } for 4 expect 1
