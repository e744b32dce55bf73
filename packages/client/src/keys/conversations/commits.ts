import { routes } from '@nolo/api';
import { equalBytes, findDevice, findMember, recoverySigner, toUuid, type Bytes, type DeviceList } from '@nolo/e2ee';
import { ApiError } from '../../http/request.ts';
import type { Timers } from '../../ports.ts';
import { listAt } from '../chains.ts';
import type { KeyContext } from '../context.ts';
import type { KeyTasks } from '../keyTasks.ts';
import { isOvertaken } from '../lists.ts';
import { readDecisions } from '../people.ts';
import type { VaultReader } from '../vaultState.ts';
import { isBlocked, isJoined, requireJoined, type Work } from '../work.ts';
import { readLists } from './accountLists.ts';
import { listSeen, loadConversation, type Conversation } from './conversation.ts';
import type { ConversationMemory, Known } from './memory.ts';
import { isOfChain, isOfIdentity } from './nextEpoch.ts';
import { buildNext, judgePrepared, reusable } from './prepare.ts';
import { pendingQuestions } from './questions.ts';
import { syncConversation } from './syncConversation.ts';
import type { ConversationFacts, SendState } from './types.ts';
import { conversationsInVault } from './vaultHeaders.ts';

/**
 * Epochs that wait for no message (docs/encryption.md, section 4): after this device removed another one, and after the
 * user accepted an identity. What is due follows from headers and lists, so a restart forgets nothing.
 */

export interface Commits {
  /** Looks at all conversations, and from then on whenever `look` is called. */
  start(): void;
  /** Begins due epochs one after another, if the account's lists changed since the last look. */
  look(): void;
  /** Begins due epochs after the user accepted an identity, in the given conversation first. */
  lookAfterAcceptance(id?: string): void;
  stop(): void;
}

/** Key of the hash of the account's newest list when no epoch was due any more. */
const doneKey = 'commitsDone';
/** Pause after each epoch, because the server limits requests, and the user's messages come first. */
const pauseMs = 1_000;
/** Conversations that are read at once, while nothing else signs or seals. */
const readAtOnce = 20;
/** Time after which a look that failed is repeated. */
const retryMs = 300_000;

/** Returns true if a list was signed by a device, or with the recovery key to add that device. */
const isSignedBy = (device: Bytes, before: DeviceList, after: DeviceList): boolean =>
  equalBytes(after.signer, device) ||
  (equalBytes(after.signer, recoverySigner) && !findDevice(before, device) && findDevice(after, device) !== undefined);

/** Returns true if this device signed a list that removes devices, and that the roster does not have yet. */
function isRemovalDue(work: Work, { head }: Conversation, account: Bytes): boolean {
  const { ready, own } = requireJoined(work);
  const list = findMember(head?.members ?? [], account)?.list;
  if (!list || !isOfChain(own.chain, list)) return false;
  for (let n = list.n + 1; n <= own.chain.newest.list.n; n += 1) {
    const [before, after] = [listAt(own.chain, n - 1)?.list, listAt(own.chain, n)?.list];
    if (!before || !after || !isSignedBy(ready.device.id, before, after)) continue;
    if (before.devices.some(({ id }) => !findDevice(after, id))) return true;
  }
  return false;
}

/** Returns true if a header names an identity in whose place another one counts. The user may have to be asked. */
async function isIdentityDue(context: KeyContext, work: Work, { head }: Conversation): Promise<boolean> {
  const members = (head?.members ?? []).filter(({ account }) => !equalBytes(account, context.account));
  const accounts = members.map(({ account }) => account);
  const lists = await readLists(context, work, accounts);
  return members.some(({ account, list }) => {
    const { chain, other } = lists(account);
    return list !== null && chain !== null && !isOfIdentity(chain, list) && !isOfChain(other, list);
  });
}

const isDue = async (context: KeyContext, work: Work, conversation: Conversation): Promise<boolean> =>
  isRemovalDue(work, conversation, context.account) || isIdentityDue(context, work, conversation);

async function factsOf(context: KeyContext, { id, head }: Conversation): Promise<ConversationFacts> {
  const base = { id: toUuid(id), sealedFromSeq: null, hasPlainMessages: false };
  if (head?.header.kind === 1)
    return { ...base, type: 'direct', memberIds: head.members.map(({ account }) => toUuid(account)) };
  const { members } = await context.call(routes.getEpochTarget, { params: { id: base.id } });
  return { ...base, type: 'group', memberIds: members.map(({ userId }) => userId) };
}

/** Returns true if an epoch may come once the user answers, or this device gets a key. If not, a message begins it. */
const mayChange = (send: SendState): boolean =>
  send.state === 'question' || (send.state === 'waiting_for_key' && send.withoutKeys === undefined);

/** Returns those conversations that need an epoch, by what this device knows, and those that it knows nothing of. */
async function dueAmong(context: KeyContext, work: Work, ids: readonly Bytes[]): Promise<string[]> {
  const due: string[] = [];
  if (!isJoined(work)) return due;
  for (const id of ids) {
    const conversation = await loadConversation(context, id);
    if (!conversation.head || (await isDue(context, work, conversation))) due.push(toUuid(id));
  }
  return due;
}

/** Creates the epochs of one process. */
export function createCommits(
  { context, run }: KeyTasks,
  reader: VaultReader,
  memory: ConversationMemory,
  timers: Timers,
): Commits {
  let isStopped = true;
  let isLooking = false;
  let isAgain = false;
  let cancel = (): void => undefined;

  /** Builds and commits an epoch once. Returns false if the user must decide first, or the conversation is blocked. */
  async function commitOnce(work: Work, id: string, one: Known, tries: number): Promise<boolean> {
    if (!isJoined(work)) return false;
    one.freshAt = null;
    const ready = await memory.prepared(work, one, await factsOf(context, await memory.reload(one)));
    if (!(await isDue(context, work, ready.conversation))) return true;
    const send = await judgePrepared(ready);
    if (send.state !== 'sealed') return !mayChange(send);
    // A message that waits for a tap knows of the epoch that was built for it, and would wait again for another one.
    const left = tries > 0 ? null : reusable(ready);
    const built = left ? { pending: left, prepared: ready } : await buildNext(ready, { isAgain: tries > 0 });
    if ('state' in built && built.state === 'blocked') return false;
    const { prepared, pending } = built;
    memory.keep(id, one, prepared.conversation);
    if (pendingQuestions(prepared, pending).length > 0) return false;
    await context.call(routes.commitEpoch, { params: { id }, body: pending.request });
    memory.keep(id, one, await syncConversation(context, work, reader, prepared.conversation));
    return true;
  }

  /** Begins the next epoch of a conversation where that is due. Returns false if it stays due. */
  async function commit(id: string): Promise<boolean> {
    const one = await memory.knownOf(id);
    // Other devices of the account may have seen headers that this one has not read.
    if (!one.conversation.head) await memory.heal(id, one, []);
    if (!one.conversation.head) return true;
    for (let tries = 0; tries < 2; tries += 1) {
      try {
        return await run((work) => commitOnce(work, id, one, tries));
      } catch (error) {
        if (!(error instanceof ApiError) || error.passing) throw error;
        // The account has left, or the server refuses the epoch. The next message says why.
        if (!isOvertaken(error.code)) return true;
      }
    }
    return false;
  }

  const pause = (): Promise<void> =>
    new Promise((resolve) => {
      const end = timers.after(pauseMs, resolve);
      cancel = () => {
        end();
        resolve();
      };
    });

  /**
   * Returns the newest own list, and the conversations to look at: those that this device saw, or another one of the
   * account. Null if that list is the same as the last time.
   */
  const listConversations = (): Promise<{ readonly newest: Bytes; readonly ids: readonly Bytes[] } | null> =>
    run(async (work) => {
      if (!isJoined(work) || isBlocked(work)) return null;
      const { own, vault } = requireJoined(work);
      const newest = own.chain.newest.hash;
      const done = await context.store.read<Bytes>(doneKey);
      if (done && equalBytes(done, newest)) return null;
      const elsewhere = conversationsInVault(await readDecisions(context, work, reader), vault.id);
      const ids = new Map([...(await listSeen(context)), ...elsewhere].map((id) => [toUuid(id), id]));
      return { newest, ids: [...ids.values()] };
    });

  async function lookNow(): Promise<void> {
    const found = await listConversations();
    if (!found || found.ids.length === 0) return;
    const { newest, ids } = found;
    let isDone = true;
    let failure: ApiError | undefined;
    for (let at = 0; at < ids.length; at += readAtOnce) {
      const some = ids.slice(at, at + readAtOnce);
      for (const id of await run((work) => dueAmong(context, work, some))) {
        if (isStopped) return;
        try {
          if (!(await commit(id))) isDone = false;
        } catch (error) {
          // The server answers for no other conversation either.
          if (!(error instanceof ApiError) || error.status === 0 || error.status === 429) throw error;
          failure = error;
        }
        await pause();
      }
    }
    if (failure) throw failure;
    if (isDone && !isAgain && !isStopped) await run(() => context.store.write({ [doneKey]: newest }));
  }

  function look(): void {
    if (isStopped) return;
    isAgain = isLooking;
    if (isLooking) return;
    isLooking = true;
    cancel();
    void lookNow()
      .catch(() => {
        if (!isStopped) cancel = timers.after(retryMs, look);
      })
      .finally(() => {
        isLooking = false;
        if (isAgain) look();
      });
  }

  return {
    start() {
      isStopped = false;
      look();
    },
    look,
    lookAfterAcceptance(id) {
      // A look that is under way does not store that all is done.
      isAgain = isLooking;
      void run(() => context.store.write({ [doneKey]: undefined }))
        .then(() => (id === undefined ? true : commit(id).catch(() => false)))
        .then(look)
        .catch(() => undefined);
    },
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
