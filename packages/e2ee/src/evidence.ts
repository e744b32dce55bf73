import { concatBytes, equalBytes, toHex, type Bytes } from './bytes.ts';
import { encodeCanonical } from './encoding.ts';
import {
  changeTypes,
  toSignedValue,
  type Change,
  type ConversationKind,
  type Evidence,
  type Header,
  type InviteEvidence,
  type Member,
  type MemberEvidence,
  type Settings,
} from './headers.ts';
import { findDevice } from './lists.ts';
import { isSignatureValid, labelOf, signBytes, type SigningKey } from './primitives.ts';
import { Refusal } from './refusal.ts';
import { findMember, isSameIdentity, listOfMember, type ListResolver } from './rosters.ts';
import { protocolVersion } from './statements.ts';

/** Evidence for changes (docs/encryption.md, section 4): who signed them, and whether it still counts. */

/** Header that was checked before, as far as evidence needs it. */
export interface PastHeader {
  readonly hash: Bytes;
  /** Subjects of the header's changes, as `touchedBy` names them. */
  readonly touched: readonly string[];
}

const maxEvidenceAgeMs = 30 * 86_400_000;
const maxAheadMs = 86_400_000;
const inviteKeysPlace = 'setting:3';

const placeOf = (change: Change): string | null => {
  switch (change.type) {
    case changeTypes.token:
      return `token:${toHex(change.device)}`;
    case changeTypes.setting:
      return `setting:${change.setting.field}`;
    case changeTypes.list:
    case changeTypes.resolve:
      return null;
    default:
      return `account:${toHex(change.account)}`;
  }
};

/** Returns true for changes that revoke all invite keys. */
export const revokesInvites = (change: Change): boolean =>
  change.type === changeTypes.remove ||
  change.type === changeTypes.leave ||
  change.type === changeTypes.identity ||
  (change.type === changeTypes.list && change.lastRows.length > 0);

/** Names what changes concern: evidence from before a header that touched it is void. */
export function touchedBy(changes: readonly Change[]): string[] {
  const touched = new Set<string>();
  for (const change of changes) {
    const place = placeOf(change);
    if (place !== null) touched.add(place);
    if (revokesInvites(change)) touched.add(inviteKeysPlace);
  }
  return [...touched];
}

/** Members, settings, and lists before and after a header. */
export interface EvidenceContext {
  readonly conversation: Bytes;
  readonly kind: ConversationKind;
  readonly before: readonly Member[];
  readonly after: readonly Member[];
  readonly settings: Settings;
  readonly history: readonly PastHeader[];
  readonly at: number;
  readonly lists: ListResolver;
}

const memberBytes = (conversation: Bytes, signer: Omit<MemberEvidence, 'by' | 'signature'>, change: Change): Bytes =>
  concatBytes(
    labelOf('change'),
    encodeCanonical([
      protocolVersion,
      conversation,
      signer.ancestor,
      signer.at,
      signer.account,
      signer.device,
      change.type,
      change.account,
      toSignedValue(change),
    ]),
  );

const inviteBytes = (
  conversation: Bytes,
  { ancestor, at, inviteKey }: Omit<InviteEvidence, 'by' | 'signature'>,
  change: Change,
) =>
  concatBytes(
    labelOf('invite'),
    encodeCanonical([
      protocolVersion,
      conversation,
      ancestor,
      at,
      inviteKey,
      change.type,
      change.account,
      toSignedValue(change),
    ]),
  );

/** Signs a change as a member's device. */
export async function signChange(
  key: SigningKey,
  conversation: Bytes,
  signer: Omit<MemberEvidence, 'by' | 'signature'>,
  change: Change,
): Promise<Evidence> {
  return { by: 'member', ...signer, signature: await signBytes(key, memberBytes(conversation, signer, change)) };
}

/** Signs an addition with the key of an invite link. */
export async function signInvited(
  key: SigningKey,
  conversation: Bytes,
  { ancestor, at }: Pick<InviteEvidence, 'ancestor' | 'at'>,
  change: Change,
): Promise<Evidence> {
  const signer = { inviteKey: key.publicKey, ancestor, at };
  return { by: 'invite', ...signer, signature: await signBytes(key, inviteBytes(conversation, signer, change)) };
}

const refuse = (message: string): never => {
  throw new Refusal('rights', message);
};

/** Refuses evidence that names no header of this chain, is too old, or was overtaken by another change. */
function assertCurrent({ ancestor, at: signedAt }: Evidence, change: Change, { history, at }: EvidenceContext): void {
  const found = history.findIndex(({ hash }) => equalBytes(hash, ancestor));
  if (found === -1) refuse('evidence from another chain');
  if (at - signedAt > maxEvidenceAgeMs || signedAt - at > maxAheadMs) refuse('evidence of another time');
  const place = placeOf(change);
  if (place !== null && history.slice(found + 1).some(({ touched }) => touched.includes(place)))
    refuse('evidence from before another change');
}

/** Returns the role with which a signer may act: the lower one, if this header changes it. */
function standingOf(signer: MemberEvidence, { before, after, lists }: EvidenceContext): 0 | 1 | 2 {
  const [was, is] = [findMember(before, signer.account), findMember(after, signer.account)];
  if (!was?.list || !is?.list) return refuse('evidence of somebody who is no member');
  if (!isSameIdentity(listOfMember(lists, signer.account, was.list), listOfMember(lists, signer.account, is.list)))
    refuse('evidence of a changed identity');
  for (const { devices } of [was, is])
    if (!devices.some((device) => equalBytes(device, signer.device))) refuse('evidence of a device that is left out');
  return was.role < is.role ? was.role : is.role;
}

/** Returns true if a member with this role may make a change. */
function mayChange(
  role: 0 | 1 | 2,
  signer: MemberEvidence,
  change: Change,
  { before, kind }: EvidenceContext,
): boolean {
  const isOwn = equalBytes(signer.account, change.account);
  const target = findMember(before, change.account)?.role ?? 0;
  switch (change.type) {
    case changeTypes.add:
      return kind === 2 && change.role <= role;
    case changeTypes.remove:
      return kind === 2 && role > target;
    case changeTypes.role:
      return role === 2 || (role === 1 && target <= 1 && change.role <= 1);
    case changeTypes.setting:
      return role >= 1 || (kind === 1 && change.setting.field === 1);
    case changeTypes.leave:
      return kind === 2 && isOwn;
    case changeTypes.token:
      return isOwn;
    case changeTypes.resolve:
      return role === 2 || kind === 1;
    case changeTypes.list:
    case changeTypes.identity:
      return false;
  }
}

/** Returns true if the signer's standing in the header before decides alone: they leave or step down themselves. */
function countsAsBefore(signer: MemberEvidence, change: Change, { before, after }: EvidenceContext): boolean {
  const isOwn = equalBytes(signer.account, change.account);
  if (isOwn && (change.type === changeTypes.leave || change.type === changeTypes.role)) return true;
  const [was, is] = [findMember(before, signer.account), findMember(after, signer.account)];
  return change.type === changeTypes.role && was?.role === 2 && is?.role !== 2;
}

async function assertMember(signer: MemberEvidence, change: Change, context: EvidenceContext): Promise<void> {
  const role = standingOf(
    signer,
    countsAsBefore(signer, change, context) ? { ...context, after: context.before } : context,
  );
  if (!mayChange(role, signer, change, context)) refuse('a change that this member may not make');
  const list = findMember(context.before, signer.account)?.list;
  const device = list && findDevice(listOfMember(context.lists, signer.account, list).list, signer.device);
  if (!device || device.kind === 2) return refuse('evidence of a token');
  if (!(await isSignatureValid(device.signKey, memberBytes(context.conversation, signer, change), signer.signature)))
    throw new Refusal('signature', 'evidence whose signature is not valid');
}

async function assertInvited(signer: InviteEvidence, change: Change, context: EvidenceContext): Promise<void> {
  if (change.type !== changeTypes.add || change.role !== 0) refuse('an invite link that does more than invite');
  if (!context.settings.inviteKeys.some((key) => equalBytes(key, signer.inviteKey))) refuse('a revoked invite link');
  if (!(await isSignatureValid(signer.inviteKey, inviteBytes(context.conversation, signer, change), signer.signature)))
    throw new Refusal('signature', 'an invitation whose signature is not valid');
}

/** Returns true for a change that needs no evidence. */
function isFree(change: Change, { settings, before }: EvidenceContext): boolean {
  switch (change.type) {
    case changeTypes.list:
    case changeTypes.identity:
      return true;
    case changeTypes.remove:
      return true;
    case changeTypes.add:
      return settings.admission === 1 && change.role === 0 && before.length > 0;
    default:
      return false;
  }
}

/**
 * Checks that a change of a header has the evidence that it needs.
 *
 * @param context of the header; `settings` are those of the header before
 * @throws Refusal `rights` or `signature`
 */
export async function assertEvidence(change: Change, context: EvidenceContext): Promise<void> {
  const { evidence } = change;
  if (!evidence) {
    if (!isFree(change, context)) refuse('a change without evidence');
    return;
  }
  assertCurrent(evidence, change, context);
  if (evidence.by === 'invite') await assertInvited(evidence, change, context);
  else await assertMember(evidence, change, context);
}

/** Returns what a new header adds to the history. */
export const toPastHeader = (hash: Bytes, { changes }: Pick<Header, 'changes'>): PastHeader => ({
  hash,
  touched: touchedBy(changes),
});
