import type { Conversation, Message } from '@nolo/api';
import type {
  ChangeResult,
  ConversationFacts,
  Conversations,
  GroupChange,
  InviteResult,
} from '../keys/conversations/types.ts';
import type { ChatBase } from './chatBase.ts';
import { hasAllMembers, withConversation } from './chatStore.ts';
import { hasCode } from './heldError.ts';
import type { SealedApi } from './ports.ts';
import { isSealedConversation, peopleOf } from './sealedKnowledge.ts';
import type { RowVersions } from './state.ts';

/** Maximum pages of members, which is above the largest group. */
const maxMemberPages = 10;

/** Maximum lines of the server before the first message, in a conversation in which nobody wrote unsealed. */
const maxFirstLines = 50;

/** Number of messages that are not sealed. */
const countPlain = ({ lastSeq, sealedFromSeq = null }: Conversation): number =>
  sealedFromSeq === null ? lastSeq : sealedFromSeq - 1;

/** Returns true unless all these are lines of the server. Undefined if there are others, which may be none. */
function hasPlainAmong(messages: readonly Message[], count: number): boolean | undefined {
  const first = messages.filter(({ seq }) => seq <= count);
  if (first.some(({ messageType }) => messageType !== 'system')) return true;
  return first.length < count ? undefined : false;
}

export type Standings = ReturnType<typeof createStandings>;

/** Returns a function that lists the members of a conversation. */
function createMemberLists(store: ChatBase['store'], sealedApi: Pick<SealedApi, 'listMembers'>) {
  /** Members of large groups, whose rows do not name all, and the state of the row that they belong to. */
  const memberLists = new Map<string, { readonly versions: RowVersions | undefined; readonly ids: string[] }>();

  return async (known: Conversation): Promise<string[]> => {
    const both = peopleOf(store.getState(), known);
    if (both) return [...both];
    if (hasAllMembers(known)) return known.members.filter(({ leftAt }) => leftAt === null).map(({ userId }) => userId);
    const versions = store.getState().knownUpTo[known.id];
    const listed = memberLists.get(known.id);
    if (listed && listed.versions?.memberCount === versions?.memberCount) return listed.ids;
    const ids: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < maxMemberPages; page++) {
      const { items, nextCursor } = await sealedApi.listMembers(known.id, cursor);
      ids.push(...items.map(({ userId }) => userId));
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
    memberLists.set(known.id, { versions, ids });
    return ids;
  };
}

/** Keeps what the engine knows about sealed conversations, and asks the port about them. */
export function createStandings(
  { api, patch, row, startsSealed = true, store }: ChatBase,
  port: Conversations,
  sealedApi: Pick<SealedApi, 'listMembers'>,
) {
  /** Conversations to which the server took no plain text, whatever their rows say. */
  const refusedPlain = new Set<string>();
  const refreshing = new Map<string, Promise<void>>();
  const listMembers = createMemberLists(store, sealedApi);

  /** Returns true unless nobody wrote before the conversation was sealed. The server's own lines do not count. */
  const hasPlainMessages = async (known: Conversation): Promise<boolean> => {
    const count = countPlain(known);
    const loaded = store.getState().timelines[known.id]?.messages ?? (known.lastMessage ? [known.lastMessage] : []);
    const answer = hasPlainAmong(loaded, count);
    if (answer !== undefined || count > maxFirstLines) return answer ?? true;
    const { items } = await api.listMessages(known.id, { after: 0, limit: maxFirstLines });
    // The server may hide messages from before the user joined.
    return hasPlainAmong(items, count) ?? true;
  };

  const loadRow = async (id: string): Promise<Conversation> => {
    const loaded = await api.getConversation(id);
    patch((state) => withConversation(state, loaded));
    return loaded;
  };

  /** Rejects with the request's error if the row or its members have to be loaded first. */
  const factsOf = async (id: string): Promise<ConversationFacts> => {
    const known = row(id) ?? (await loadRow(id));
    const { sealedFromSeq = null } = known;
    return {
      id,
      type: known.type === 'direct' ? 'direct' : 'group',
      memberIds: await listMembers(known),
      sealedFromSeq,
      hasPlainMessages: await hasPlainMessages(known),
    };
  };

  /** Groups whose members' keys were asked for, because the user writes there. */
  const written = new Set<string>();

  const refresh = async (id: string): Promise<void> => {
    const isWritten = written.has(id) || row(id)?.type === 'direct';
    const standing = isWritten ? await port.standing(await factsOf(id)) : await port.overview(id);
    patch(({ standings }) => ({ standings: { ...standings, [id]: standing } }));
  };

  /** Loads what is not known yet; several callers share a request. */
  const load = (id: string): Promise<void> => {
    const known = refreshing.get(id) ?? refresh(id).finally(() => refreshing.delete(id));
    refreshing.set(id, known);
    return known;
  };

  /** Learns which conversations were seen sealed: the server may deny it after a restart. */
  const learn = async (): Promise<void> => {
    const ids = await port.listSealed();
    patch(({ seenSealed }) =>
      ids.every((id) => seenSealed[id])
        ? {}
        : { seenSealed: { ...seenSealed, ...Object.fromEntries(ids.map((id) => [id, true as const])) } },
    );
  };

  /** Loads how a message would go. In a group, that needs the keys of all members. */
  const prepare = async (id: string): Promise<void> => {
    if (row(id)?.type === 'meeting' || written.has(id)) return;
    await refreshing.get(id)?.catch(() => undefined);
    written.add(id);
    await load(id).catch((error: unknown) => {
      written.delete(id);
      throw error;
    });
  };

  const isKnownSealed = (id: string): boolean => refusedPlain.has(id) || isSealedConversation(store.getState(), id);

  /** Returns true if a conversation is sealed. */
  const isSealed = async (id: string): Promise<boolean> => {
    if (row(id)?.type === 'meeting') return false;
    if (isKnownSealed(id)) return true;
    // The row may be older than the first epoch, and the device may know of one that the server does not tell.
    if (!store.getState().standings[id]) {
      await load(id).catch((error: unknown) => {
        if (!hasCode(error, 'not_ready')) throw error;
      });
    }
    return isKnownSealed(id);
  };

  /** Returns true if a message to the conversation is sealed, or may begin its first epoch. */
  const isSealing = async (id: string): Promise<boolean> =>
    (startsSealed && row(id)?.type !== 'meeting') || (await isSealed(id));

  return {
    factsOf,
    isKnownSealed,
    isSealed,
    isSealing,
    load,
    learn,
    prepare,
    /** Loads again what screens have, because it may have changed; null: of all conversations. */
    renew(id: string | null): void {
      const { standings } = store.getState();
      for (const known of id === null ? Object.keys(standings) : [id])
        if (standings[known]) refresh(known).catch(() => undefined);
    },
    async reload(id: string): Promise<void> {
      await loadRow(id);
    },
    /** Looks at a conversation that took no plain text. */
    async lookAgain(id: string): Promise<void> {
      refusedPlain.add(id);
      await loadRow(id);
    },
    /** Answers a question of the conversation. */
    async answer(id: string, questionId: string, isAccepted: boolean): Promise<void> {
      await port.answer(id, questionId, isAccepted);
      written.add(id);
      await refresh(id);
    },
    /** Makes a key for an invite link, and the epoch with it. */
    createInvite: async (id: string): Promise<InviteResult> =>
      (await isSealed(id)) ? port.createInvite(await factsOf(id)) : { state: 'plain', withoutKeys: [] },
    /** Signs changes of a group or timer. The ordinary route takes the epoch, if there is one, in its body. */
    async change(id: string, changes: readonly GroupChange[]): Promise<ChangeResult> {
      if (!(await isSealing(id))) return { state: 'plain', withoutKeys: [] };
      return port.change(await factsOf(id), changes);
    },
  };
}
