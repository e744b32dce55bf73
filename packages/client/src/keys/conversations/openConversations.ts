import type { Message } from '@nolo/api';
import { equalBytes, openMessageRow, toUuid } from '@nolo/e2ee';
import type { Timers } from '../../ports.ts';
import type { KeyContext } from '../context.ts';
import type { KeyTasks } from '../keyTasks.ts';
import { readDecisions } from '../people.ts';
import { acceptPerson, verifiedAmong } from '../personKeys.ts';
import type { VaultReader } from '../vaultState.ts';
import { fromText } from '../wire.ts';
import { isJoined, requireJoined, type Work } from '../work.ts';
import { boundOfRow, isSealed } from './boundRows.ts';
import { deviceIn, listSeen, type Conversation } from './conversation.ts';
import { createCommits, type Commits } from './commits.ts';
import { answerConversationNacks } from './conversationNacks.ts';
import { endFork } from './endFork.ts';
import type { Expiries } from './expiries.ts';
import { shownLinesOf } from './headerLines.ts';
import { createInvites } from './invites.ts';
import { ConversationMemory } from './memory.ts';
import { openRows } from './openRows.ts';
import type { Preparing } from './prepare.ts';
import { findGaps } from './rowGaps.ts';
import { RowIndex } from './rowIndex.ts';
import { withAcknowledged, withDeletion } from './sealDraft.ts';
import { createSending, toStanding } from './sending.ts';
import { syncConversation } from './syncConversation.ts';
import type { Conversations } from './types.ts';
import { conversationsInVault } from './vaultHeaders.ts';

/** Sealed conversations of one process, on the tasks of the device's keys. */

const maxRows = 50;

/** Returns what opens rows of a file, which may stand elsewhere there: they take no place from the server's rows. */
const apart = <One extends object>(one: One) => ({ ...one, index: new RowIndex(), opened: new Map() });

/** Returns what opens rows of a kind. */
const openingOf = <One extends object>(one: One, kind: Parameters<Conversations['open']>[2]) => ({
  ...(kind === 'exported' ? apart(one) : one),
  areDrafts: kind === 'drafts',
});

/**
 * Takes the hash of a stored row that this device sealed. Fetches its epoch if that went along.
 *
 * @throws Refusal if the row is not what this device sealed
 */
async function acknowledge(
  context: KeyContext,
  reader: VaultReader,
  work: Work,
  before: Conversation,
  row: Message,
): Promise<Conversation> {
  if (!isSealed(row)) return before;
  const { device } = requireJoined(work).ready;
  const find = ({ epochs }: Conversation) => epochs.find(({ n }) => n === row.seal.epoch);
  const conversation = find(before) ? before : await syncConversation(context, work, reader, before);
  const epoch = find(conversation);
  const own = epoch && deviceIn(epoch, context.account, device.id);
  // Drafts and edits, like reactions, are named by no message.
  if (!epoch?.secret || !own || row.seal.held || row.seal.version > 0) return conversation;
  const key = { n: epoch.n, headerHash: epoch.hash, secret: epoch.secret };
  const bound = boundOfRow(conversation.id, row, epoch);
  if (!equalBytes(bound.device, device.id)) return conversation;
  const opened = await openMessageRow(fromText(row.sealed ?? ''), key, bound, own.signKey);
  return withAcknowledged(conversation, opened.row, bound.own);
}

/** Creates the conversations of one process. */
export function createConversations(
  tasks: KeyTasks,
  reader: VaultReader,
  timers: Timers,
): { readonly conversations: Conversations; readonly expiries: Expiries; readonly commits: Commits } {
  const { context, run } = tasks;
  const memory = new ConversationMemory(tasks, reader, timers);
  const sending = createSending(tasks, reader, memory);
  const commits = createCommits(tasks, reader, memory, timers);

  const open: Conversations['open'] = async (id, rows, kind = 'messages') => {
    if (rows.length > maxRows) throw new RangeError('more than 50 rows');
    const one = await memory.knownOf(id);
    // A conversation of which nothing is known may have headers, after which no plain row counts.
    if (!one.conversation.head && one.syncedAt === -Infinity) await memory.tryHeal(id, one, []);
    const openNow = () => openRows({ ...openingOf(one, kind), now: context.now() }, rows);
    let opened = await openNow();
    if (opened.closed.length > 0 && (await memory.tryHeal(id, one, opened.closed))) opened = await openNow();
    if (kind !== 'exported') memory.storeRows(id, one);
    return opened.rows;
  };

  function preparingOf(work: Work, { id, facts, head }: Conversation): Preparing {
    const { type = head?.header.kind === 1 ? 'direct' : 'group' } = facts ?? {};
    const { memberIds = [] } = facts ?? {};
    const known = { id: toUuid(id), type, memberIds, sealedFromSeq: null, hasPlainMessages: false };
    return { context, work, reader, facts: known };
  }

  async function answer(id: string, questionId: string, isAccepted: boolean): Promise<void> {
    const [kind, userId] = questionId.split(':');
    const one = await memory.knownOf(id);
    one.freshAt = null;
    if ((kind === 'identity' || kind === 'undecided') && userId !== undefined) {
      // The question stays until it is answered by yes.
      if (!isAccepted) return;
      await run(async (work) => {
        await acceptPerson(context, work, reader, userId);
        tasks.routines.changePeople();
        await tasks.routines.settle(work);
      });
    }
    if (kind === 'fork') {
      if (isAccepted)
        await memory.update(id, (work, conversation) => endFork(preparingOf(work, conversation), conversation));
    } else
      await memory.update(id, async (_, conversation) => ({
        ...conversation,
        answers: { ...conversation.answers, [questionId]: isAccepted },
      }));
    memory.tell(id);
    // An epoch follows the acceptance of an identity at once, and other epochs may have waited for any answer.
    if (isAccepted && (kind === 'identity' || kind === 'undecided')) commits.lookAfterAcceptance(id);
    else if (isAccepted) commits.look();
  }

  async function answerNacks(id: string): Promise<void> {
    const one = await memory.knownOf(id);
    await run(async (work) => {
      if (!isJoined(work)) return;
      const conversation = await syncConversation(context, work, reader, await memory.reload(one));
      memory.keep(id, one, conversation);
      await answerConversationNacks({ ...preparingOf(work, conversation), conversation });
    });
  }

  /** Looks at a conversation after its epochs changed: their secrets go to the vault, whether it is shown or not. */
  async function look(id: string): Promise<void> {
    const one = await memory.knownOf(id);
    one.overviewAt = null;
    one.syncedAt = -Infinity;
    await memory.heal(id, one, []);
    memory.tell(id);
  }

  /** Ids of the conversations that were seen sealed: here, or by another device. */
  async function listSealed(): Promise<readonly string[]> {
    const here = await tasks.runAlone(() => listSeen(context));
    const elsewhere = await run(async (work) => {
      if (!isJoined(work)) return [];
      return conversationsInVault(await readDecisions(context, work, reader), requireJoined(work).vault.id);
    });
    return [...new Set([...here, ...elsewhere].map(toUuid))];
  }

  const ignore = (task: Promise<unknown>): void => void task.catch(() => undefined);

  const conversations: Conversations = {
    open,
    listSealed,
    async gaps(id, caughtUp) {
      const one = await memory.knownOf(id);
      const found = findGaps(one.index, one.conversation, caughtUp);
      memory.storeRows(id, one);
      return found;
    },
    ...sending,
    ...createInvites(tasks, reader, memory, sending.change),
    async overview(id) {
      const conversation = await memory.overviewOf(id);
      const { block } = conversation;
      const verifiedOf = (ids: readonly string[]) => run((work) => verifiedAmong(context, work, reader, ids));
      return toStanding(
        { conversation, facts: { type: 'group', memberIds: [] } },
        block && { state: 'blocked', reason: block },
        await shownLinesOf(conversation, verifiedOf),
      );
    },
    acknowledged: (id, row) =>
      memory.update(id, (work, conversation) => acknowledge(context, reader, work, conversation, row)),
    deletionAcknowledged: (id, { seal }) =>
      memory.update(id, async (work, conversation) => {
        const { device } = requireJoined(work).ready;
        return seal?.deletion ? withDeletion(conversation, device.id, fromText(seal.deletion)) : conversation;
      }),
    answer,
    onFrame({ type, data }) {
      const { conversationId: id, userId } = (data ?? {}) as { conversationId?: unknown; userId?: unknown };
      const isOwn = typeof userId !== 'string' || userId === toUuid(context.account);
      if (type === 'reconnected' || (type === 'devices_changed' && isOwn)) commits.look();
      if (type === 'devices_changed' && typeof userId === 'string') memory.forgetPerson(userId);
      else if (type === 'devices_changed' || type === 'reconnected') memory.forgetFresh();
      else if (typeof id !== 'string' || tasks.isVault(id)) return;
      else if (type === 'epochs_changed') ignore(look(id));
      else if (type === 'nacks_changed') ignore(answerNacks(id));
    },
    subscribe: (listener) => memory.subscribe(listener),
  };
  return { conversations, expiries: memory.expiries, commits };
}
