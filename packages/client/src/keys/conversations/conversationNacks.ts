import { routes } from '@nolo/api';
import {
  checkNack,
  encodeBox,
  equalBytes,
  findDevice,
  findMember,
  readBoxKeys,
  readNack,
  Refusal,
  sealBox,
  signNack,
  toUuid,
  type Bytes,
  type Nack,
  type Statement,
} from '@nolo/e2ee';
import { ApiError } from '../../http/request.ts';
import type { KeyContext } from '../context.ts';
import { fromSigned, nameOf, toSigned, toText } from '../wire.ts';
import { requireJoined, type Work } from '../work.ts';
import { readLists, refreshLists, type AccountLists } from './accountLists.ts';
import { headerOf, membersOf, newestOf, type Conversation, type ConversationEpoch } from './conversation.ts';
import { answerableTo } from './judge.ts';
import { excludedOf, isOfIdentity, isTooOld } from './nextEpoch.ts';
import type { Judging } from './questions.ts';

/** Requests for secrets of conversations, and answers to them (docs/encryption.md, section 4, Nack). */

const hourMs = 3_600_000;
/** Most requests of one call; the server limits them too. */
const maxAsked = 20;

/** Passes on only what may succeed later. */
async function ignoreRefusal(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ApiError) || error.passing) throw error;
  }
}

/**
 * Asks for secrets of epochs, each at most once an hour.
 *
 * @returns the conversation with the requests, which the caller stores
 */
export async function askForSecrets(
  context: KeyContext,
  work: Work,
  conversation: Conversation,
  numbers: readonly number[],
): Promise<Conversation> {
  const { ready } = requireJoined(work);
  const now = context.now();
  const asked: Record<number, number> = { ...conversation.asked };
  const missing = conversation.epochs.filter(({ n, secret, isOwn }) => !secret && isOwn && numbers.includes(n));
  const due = missing.filter(({ n }) => now - (asked[n] ?? -Infinity) >= hourMs).slice(-maxAsked);
  for (const epoch of due) {
    const statement = await signNack(ready.device.signing, {
      conversation: conversation.id,
      n: epoch.n,
      headerHash: epoch.hash,
      account: context.account,
      device: ready.device.id,
      boxNumber: ready.boxes.findLast(({ isPublished }) => isPublished)?.number ?? 0,
      at: now,
    });
    asked[epoch.n] = now;
    const params = { id: toUuid(conversation.id) };
    await ignoreRefusal(context.call(routes.sendNack, { params, body: toSigned(statement) }));
  }
  return due.length === 0 ? conversation : { ...conversation, asked };
}

/** Returns true if the list of a roster is one of the account's present identity. */
function isSameIdentity(epoch: ConversationEpoch, { account }: Nack, { chain }: AccountLists): boolean {
  const list = findMember(membersOf(epoch), account)?.list;
  return list !== undefined && list !== null && isOfIdentity(chain, list);
}

/** Returns true if the rules allow to answer. */
function mayAnswer(conversation: Conversation, epoch: ConversationEpoch, nack: Nack, lists: AccountLists): boolean {
  const newest = newestOf(conversation);
  const listed = lists.chain && findDevice(lists.chain.newest.list, nack.device);
  // A device may be suspended, or its identity replaced, since the newest header.
  if (!newest || !listed || excludedOf(lists)(nack.device)) return false;
  const later = conversation.epochs.filter(({ n }) => n >= epoch.n);
  // The newest list is in order after those of this header and of all later ones.
  if (!isSameIdentity(epoch, nack, lists) || !later.every((one) => isSameIdentity(one, nack, lists))) return false;
  if (headerOf(newest).leftOut.some((one) => equalBytes(one.device, nack.device))) return false;
  const wasThere = epoch.devices.some((one) => equalBytes(one.device, nack.device));
  return wasThere || (headerOf(epoch).timer === 0 && listed.kind !== 2);
}

type Answering = Omit<Judging, 'lists'>;

async function answerOne(
  { context, conversation, lists: listsOf }: Judging,
  statement: Statement,
  isAnswerable: (account: Bytes) => boolean,
): Promise<void> {
  const { account } = readNack(statement);
  const lists = listsOf(account);
  if (!lists.chain || !isAnswerable(account)) return;
  const nack = await checkNack(statement, lists.chain.newest.list);
  const epoch = conversation.epochs.find(({ n, hash }) => n === nack.n && equalBytes(hash, nack.headerHash));
  const keys = lists.chain.boxKeys[nameOf(nack.device)];
  if (!equalBytes(nack.conversation, conversation.id) || !epoch?.secret || !keys) return;
  if (!mayAnswer(conversation, epoch, nack, lists)) return;
  const header = headerOf(epoch);
  if (isTooOld(header, keys, context.now())) return;
  const to = { device: nack.device, number: keys.number, keys: readBoxKeys(keys).keys };
  const box = await sealBox('answer', { hash: epoch.hash, header }, to, epoch.secret);
  const params = { id: toUuid(conversation.id), n: epoch.n };
  const body = { deviceId: toUuid(nack.device), box: toText(encodeBox(box)) };
  await ignoreRefusal(context.call(routes.answerNack, { params, body }));
}

/**
 * Answers the open requests of other devices as far as the rules allow.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function answerConversationNacks(answering: Answering): Promise<void> {
  const { context, work, reader, conversation } = answering;
  const own = requireJoined(work).ready.device.id;
  const open = await context.call(routes.listNacks, { params: { id: toUuid(conversation.id) } });
  const members = conversation.head?.members ?? [];
  const statements = open.map(fromSigned);
  const asking: Statement[] = [];
  for (const statement of statements) {
    try {
      const { account, device } = readNack(statement);
      if (!equalBytes(device, own) && findMember(members, account)) asking.push(statement);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  if (asking.length === 0) return;
  const accounts = asking.map((one) => readNack(one).account);
  await refreshLists(context, work, reader, accounts);
  const all = [...members.map(({ account }) => account), context.account];
  const memberIds = [...new Set([...answering.facts.memberIds, ...members.map((one) => toUuid(one.account))])];
  const lists = await readLists(context, work, all);
  const judging = { ...answering, facts: { ...answering.facts, memberIds }, lists };
  const isAnswerable = await answerableTo(judging);
  for (const statement of asking) {
    try {
      await answerOne(judging, statement, isAnswerable);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
}
