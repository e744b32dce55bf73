import { routes, type Epoch } from '@nolo/api';
import {
  changeTypes,
  checkFirstHeader,
  equalBytes,
  findMember,
  hashOfHeader,
  hashOfRoster,
  readHeader,
  readRoster,
  Refusal,
  toPastHeader,
  toUuid,
  type Bytes,
  type CheckedEpoch,
  type Header,
  type ListResolver,
  type Member,
  type PastHeader,
  type Statement,
  type VaultState,
} from '@nolo/e2ee';
import type { KeyContext } from '../context.ts';
import { fetchEpochs } from '../vaultEpochs.ts';
import type { VaultReader } from '../vaultState.ts';
import { fromSigned, fromText, nameOf } from '../wire.ts';
import type { Work } from '../work.ts';
import { namedLists, resolveLists } from './accountLists.ts';
import type { Conversation } from './conversation.ts';

/** Headers as the server serves them, and where a newcomer begins to check them. */

export interface Served {
  readonly epoch: Epoch;
  readonly statement: Statement;
  readonly header: Header;
  readonly hash: Bytes;
}

async function toServed(epoch: Epoch): Promise<Served> {
  const statement = fromSigned(epoch);
  return { epoch, statement, header: readHeader(statement), hash: await hashOfHeader(statement) };
}

/** Fetches the headers of a conversation from a number on. */
export async function fetchServed(context: KeyContext, id: Bytes, from: number): Promise<Served[]> {
  const served: Served[] = [];
  for (const epoch of await fetchEpochs(context, id, from)) served.push(await toServed(epoch));
  return served;
}

/** Parts that checking works with. */
export interface Following {
  readonly context: KeyContext;
  readonly work: Work;
  readonly reader: VaultReader;
  readonly state: VaultState;
}

/** Members of an epoch as the server shows them, whose hash the header contains. */
async function fetchMembers({ call }: KeyContext, id: Bytes, { header }: Served): Promise<Member[]> {
  const query = { from: header.n, roster: 'true' } as const;
  const { items } = await call(routes.listEpochs, { params: { id: toUuid(id) }, query });
  const shown = items.find(({ n }) => n === header.n)?.roster;
  if (!shown) throw new Refusal('malformed', 'an epoch without its members');
  const members = readRoster(fromText(shown));
  if (!equalBytes(await hashOfRoster(members), header.roster)) throw new Refusal('order', 'other members');
  return members;
}

/**
 * Returns the header from which a newcomer checks: the one that the evidence of their newest entry names, or header 0
 * for who entered without, and in a direct conversation (section 4, What clients accept). No other header is taken
 * unchecked.
 *
 * @throws Refusal if the server shows headers without that one
 */
export function startFor(
  account: Bytes,
  served: readonly Served[],
  entry: Conversation['entry'] = null,
): Served | undefined {
  if (entry && served.length > 0) {
    const named = served.find(({ hash }) => equalBytes(hash, entry.headerHash));
    if (!named) throw new Refusal('order', 'headers without the one that the invite link names');
    return named;
  }
  const enters: readonly number[] = [changeTypes.add, changeTypes.identity, changeTypes.list];
  const [first] = served;
  const start = first?.header.n === 0 ? first : undefined;
  if (first && !start) throw new Refusal('order', 'headers without the first one');
  for (const { header } of served.toReversed()) {
    if (header.kind === 1) break;
    const entry = header.changes.find((one) => enters.includes(one.type) && equalBytes(one.account, account));
    if (!entry || entry.type === changeTypes.list) continue;
    const ancestor = entry.type === changeTypes.add ? entry.evidence?.ancestor : undefined;
    return (ancestor && served.find(({ hash }) => equalBytes(hash, ancestor))) ?? start;
  }
  return start;
}

/**
 * Returns the past of the header that a newcomer begins with. Its hash proves all headers before it, so evidence from
 * there can be checked as members do who were there.
 */
function historyOf(start: Served, served: readonly Served[]): PastHeader[] {
  const history: PastHeader[] = [];
  const byHash = new Map(served.map((one) => [nameOf(one.hash), one]));
  let next: Served | undefined = start;
  while (next) {
    const { hash, header }: Served = next;
    history.push(toPastHeader(hash, header));
    const before: Served | undefined = header.previous ? byHash.get(nameOf(header.previous)) : undefined;
    next = before && before.header.n < header.n ? before : undefined;
  }
  return history.toReversed();
}

/**
 * Checks the header that a newcomer begins with.
 *
 * @param served headers that the server shows, those before it included
 */
export async function checkStart(
  following: Following,
  { id, entry }: Pick<Conversation, 'id' | 'entry'>,
  start: Served,
  served: readonly Served[],
): Promise<{ head: CheckedEpoch; lists: ListResolver }> {
  const checked = await checkStartAlone(following, id, start, historyOf(start, served));
  if (entry) assertInviter(entry, checked);
  return checked;
}

/** Refuses a header in which the inviter of a link is no member with the identity that the link names. */
function assertInviter(
  { account, identity }: NonNullable<Conversation['entry']>,
  { head, lists }: { readonly head: CheckedEpoch; readonly lists: ListResolver },
): void {
  const list = findMember(head.members, account)?.list;
  const checked = list && lists(account, list);
  if (!checked || !equalBytes(checked.identity, identity)) throw new Refusal('rights', 'another inviter');
}

async function checkStartAlone(
  { context, work, reader }: Following,
  id: Bytes,
  start: Served,
  history: readonly PastHeader[],
): Promise<{ head: CheckedEpoch; lists: ListResolver }> {
  if (start.header.n === 0) {
    const lists = await resolveLists(context, work, reader, namedLists([start.header], []));
    return { head: await checkFirstHeader(start.statement, { lists, now: context.now() }), lists };
  }
  const members = await fetchMembers(context, id, start);
  const lists = await resolveLists(context, work, reader, namedLists([start.header], members));
  return { head: { header: start.header, hash: start.hash, members, history }, lists };
}
