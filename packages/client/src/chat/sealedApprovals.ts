import type { NewSealed, UnapprovedMessage } from '@nolo/api';
import type { OpenedRow, OpenRow } from '../keys/conversations/rowTypes.ts';
import type { Conversations } from '../keys/conversations/types.ts';
import type { ChatBase } from './chatBase.ts';
import { toDraftRow } from './draftRow.ts';
import { hasCode, HeldError } from './heldError.ts';
import type { SealedApi } from './ports.ts';
import { asSent, openRow } from './rowForms.ts';
import type { StoredMessage } from './rowOpening.ts';
import { createActionSealer } from './sealedActions.ts';
import { findNewestSeen, sortedIds } from './sealedDrafts.ts';
import { filesIn } from './sealedFiles.ts';
import { wasSealed } from './sealedRows.ts';
import type { Standings } from './standings.ts';

/* Sealed drafts that wait for an admin's approval (docs/encryption.md, section 5, Held drafts). */

/** Drafts that the port opens at once. */
const pageSize = 50;

interface Parts {
  readonly standings: Standings;
  readonly sealedApi: SealedApi;
}

/** Opens drafts, and lets an admin approve them with messages of their own. */
export function createApprovals(core: ChatBase, port: Conversations, { standings, sealedApi }: Parts) {
  const act = createActionSealer(core, port, sealedApi);
  /** Client ids of approvals without a definite answer, which are sent again with the same bytes. */
  const ids = new Map<string, string>();

  /** Opens sealed drafts. On a device without keys they wait. */
  const openSealed = async (id: string, drafts: readonly UnapprovedMessage[]): Promise<readonly OpenedRow[]> => {
    try {
      return await port.open(id, drafts.map(toDraftRow), 'drafts');
    } catch (error) {
      if (hasCode(error, 'not_ready')) return [];
      throw error;
    }
  };

  const openPage = async (id: string, drafts: readonly UnapprovedMessage[]): Promise<StoredMessage[]> => {
    const sealed = drafts.filter(wasSealed);
    const found = sealed.length === 0 ? [] : await openSealed(id, sealed);
    const takesPlain = sealed.length === 0 && !standings.isKnownSealed(id);
    return drafts.map((draft) => {
      const row = toDraftRow(draft);
      if (!wasSealed(draft))
        return takesPlain ? row : openRow(row, { messageId: row.id, state: 'refused', reason: 'plain' });
      const opened = found[sealed.indexOf(draft)];
      if (opened?.messageId !== row.id) return openRow(row, { messageId: row.id, state: 'waiting' });
      // The server does not name all files of a draft. Its author did.
      const files = opened.state === 'open' ? filesIn(opened.content) : {};
      return openRow({ ...row, ...files }, opened);
    });
  };

  const openOne = async (draft: UnapprovedMessage): Promise<OpenRow> => {
    const [opened] = await port.open(draft.conversationId, [toDraftRow(draft)], 'drafts');
    if (opened?.state === 'open') return opened;
    throw new HeldError(
      opened?.state === 'waiting' ? { state: 'waiting_for_key' } : { state: 'blocked', reason: 'refused' },
    );
  };

  /** Tells the port that the server stored the approval, so that the next message names it. */
  const acknowledge = async (id: string, clientMessageId: string): Promise<void> => {
    const { items } = await core.api.listMessages(id, { limit: pageSize });
    const stored = items.find((message) => message.clientMessageId === clientMessageId);
    if (stored) await port.acknowledged(id, asSent(stored));
  };

  const newApproval = async (draft: UnapprovedMessage, clientMessageId: string) => {
    const { id, conversationId, messageType } = draft;
    const { content } = await openOne(draft);
    const files = filesIn(content);
    if (messageType === 'system') throw new HeldError({ state: 'blocked', reason: 'refused' });
    const bound = { messageType, mentions: sortedIds(draft.mentions), hasLink: draft.seal?.hasLink === true };
    return {
      draft: {
        kind: 'approval' as const,
        conversation: await standings.factsOf(conversationId),
        clientMessageId,
        draft: toDraftRow(draft),
        seen: findNewestSeen(core, conversationId),
      },
      send: (sealed: NewSealed) =>
        sealedApi.decideHeld(conversationId, id, {
          approve: true,
          message: { clientMessageId, encryption: 'epochs', sealed, ...bound, ...files },
        }),
    };
  };

  return {
    /** Returns drafts as rows, in their order, sealed ones opened as far as they open now. */
    async open(conversationId: string, drafts: readonly UnapprovedMessage[]): Promise<StoredMessage[]> {
      const opened: StoredMessage[] = [];
      for (let from = 0; from < drafts.length; from += pageSize)
        opened.push(...(await openPage(conversationId, drafts.slice(from, from + pageSize))));
      return opened;
    },
    /** Approves a draft with a message of the user's own, which has it as its author sealed it. */
    async approve(draft: UnapprovedMessage): Promise<void> {
      const clientMessageId = ids.get(draft.id) ?? core.newId();
      ids.set(draft.id, clientMessageId);
      await act('approval', draft, () => newApproval(draft, clientMessageId));
      ids.delete(draft.id);
      await acknowledge(draft.conversationId, clientMessageId).catch(() => undefined);
    },
    reject: ({ id, conversationId }: UnapprovedMessage): Promise<void> =>
      sealedApi.decideHeld(conversationId, id, { approve: false }),
  };
}
