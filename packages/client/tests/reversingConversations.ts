import type { Message, NewEpoch, NewSealed, Seal } from '@nolo/api';
import type { CaughtUp, OpenedRow, RowGap, RowRefusal } from '../src/keys/conversations/rowTypes.ts';
import type {
  ConversationStanding,
  Conversations,
  HeaderLine,
  SealedDraft,
  SealResult,
  SendState,
} from '../src/keys/conversations/types.ts';
import { reverseText } from './reverseText.ts';

/*
 * Sealed conversations whose seal is a reversed text, so that tests of the chat engine need no encryption. The "row
 * hash" is the client id with the version, so that tests can read what a message names.
 */

const toBase64Url = (text: string): string => Buffer.from(text).toString('base64url');
const fromBase64Url = (text: string): string => Buffer.from(text, 'base64url').toString();

interface SealedText {
  readonly n: number;
  readonly content: string;
  readonly bound: object;
  /** Tells apart two seals of the same draft, as a salt does. */
  readonly salt: number;
}

export const sealText = (sealed: SealedText): string => toBase64Url(reverseText(JSON.stringify(sealed)));
export const openText = (sealed: string): SealedText => JSON.parse(reverseText(fromBase64Url(sealed))) as SealedText;

export const rowHashOf = (clientMessageId: string | null): string => `hash-of-${clientMessageId}`;

/** Returns what the seal of a row has to cover, besides its content. */
export const boundOf = (row: {
  messageType?: string | undefined;
  mentions?: readonly string[] | undefined;
  clientMessageId?: string | null | undefined;
  hasLink?: boolean | undefined;
}): object => ({
  type: row.messageType ?? 'text',
  mentions: row.mentions ?? [],
  clientMessageId: row.clientMessageId ?? null,
  hasLink: row.hasLink ?? false,
});

function targetRowOf(draft: SealedDraft): string | null {
  if (draft.kind === 'approval') return draft.draft.seal?.rowHash ?? null;
  if (draft.kind === 'message') return draft.replyTo?.rowHash ?? null;
  return draft.target.rowHash;
}

function contentOf(draft: SealedDraft): string {
  if (draft.kind === 'approval') return JSON.stringify({ author: draft.draft.senderId, sealed: draft.draft.sealed });
  if (draft.kind === 'pin') return '1';
  return draft.kind === 'reaction' ? draft.emoji : draft.content;
}

const shownOf = ({ draft, clientMessageId }: Extract<SealedDraft, { kind: 'approval' }>) => ({
  ...draft,
  clientMessageId,
  hasLink: draft.seal?.hasLink,
});

/** Returns the author and the content of the draft that a row approves. */
function readApproved({ draftId }: Seal, content: string): { draftAuthor: string | null; content: string } {
  if (draftId === null) return { draftAuthor: null, content };
  const { author, sealed } = JSON.parse(content) as { author: string; sealed: string };
  return { draftAuthor: author, content: openText(sealed).content };
}

/** Creates a port, with what a test controls: keys, refusals, the newest epoch, and how a message goes. */
export function createReversingConversations({ epoch = 0 as number | null } = {}) {
  let send: SendState = epoch === null ? { state: 'plain', withoutKeys: [] } : { state: 'sealed' };
  let newest = epoch;
  let begins: number | null = null;
  let salt = 0;
  let failure: Error | null = null;
  const listeners = new Set<(id: string | null) => void>();
  const keys = new Set<number>();
  const refused = new Map<string, RowRefusal>();
  const late = new Set<string>();
  const expiries = new Map<string, number>();
  const own: string[] = [];
  const calls: string[] = [];
  const drafts: SealedDraft[] = [];
  const pages: number[] = [];
  const seen = new Set<string>();
  let changedAt = -Infinity;
  const lines: HeaderLine[] = [];
  const gaps: RowGap[] = [];
  let caughtUp: CaughtUp | null = null;
  for (let n = 0; n < 100; n++) keys.add(n);

  const openOne = (row: Message): OpenedRow => {
    const messageId = row.id;
    const { seal } = row;
    const reason = refused.get(messageId);
    if (reason) return { messageId, state: 'refused', reason };
    if (!seal) return row.messageType === 'system' ? { messageId, state: 'plain' } : plainOf(row);
    if (row.deletedAt !== null) {
      if (seal.deletion !== null)
        return { messageId, state: 'deleted', by: row.senderId, rowHash: seal.rowHash, draftAuthor: seal.draftOrigin };
      return { messageId, state: expiries.has(messageId) ? 'expired' : 'removed' };
    }
    if (!keys.has(seal.epoch)) return { messageId, state: 'waiting' };
    const { content, bound } = openText(row.sealed ?? '');
    const claimed = boundOf({ ...row, hasLink: seal.hasLink });
    if (JSON.stringify(bound) !== JSON.stringify(claimed)) return { messageId, state: 'refused', reason: 'signature' };
    const annotations = seal.annotations.map((one) => ({ ...one, content: openText(one.sealed).content }));
    return {
      messageId,
      state: 'open',
      ...readApproved(seal, content),
      sentAt: Date.parse(row.createdAt),
      expiresAt: expiries.get(messageId) ?? null,
      rowHash: seal.rowHash,
      late: late.has(messageId),
      outOfOrder: false,
      reactions: annotations.flatMap(({ kind, userId, content: emoji }) =>
        kind === 'reaction' && emoji !== '' ? [{ userId, emoji }] : [],
      ),
      pinnedBy: annotations.find(({ kind }) => kind === 'pin')?.userId ?? null,
    };
  };
  const plainOf = ({ id, seq }: Message): OpenedRow =>
    sealedFrom !== null && seq >= sealedFrom
      ? { messageId: id, state: 'refused', reason: 'plain' }
      : { messageId: id, state: 'plain' };
  let sealedFrom: number | null = null;

  const throwFailure = (): void => {
    if (failure) throw failure;
  };
  const standing = (): ConversationStanding & { readonly send: SendState } => ({
    send,
    isSealed: newest !== null || seen.has('c1'),
    epoch: newest,
    suite: 1,
    members: [],
    outsiders: [],
    timer: 0,
    lines,
  });
  const notify = (id: string | null = 'c1'): void => listeners.forEach((listener) => listener(id));

  const port: Conversations = {
    async open(_, rows) {
      calls.push('open');
      pages.push(rows.length);
      throwFailure();
      return rows.map(openOne);
    },
    async gaps(_, shown) {
      calls.push('gaps');
      caughtUp = shown;
      return gaps.filter(({ seq }) => seq >= shown.from);
    },
    async seal(draft): Promise<SealResult> {
      calls.push(`seal ${draft.kind}`);
      throwFailure();
      drafts.push(draft);
      if (send.state !== 'sealed') return send;
      if (draft.kind === 'message' && (draft.writtenAt ?? Infinity) < changedAt)
        return { state: 'written_before', userIds: ['you'] };
      const n = begins ?? newest ?? 0;
      const bound =
        'content' in draft ? boundOf({ ...draft }) : draft.kind === 'approval' ? boundOf(shownOf(draft)) : {};
      const targetRow = targetRowOf(draft);
      const sealed: NewSealed = {
        sealed: sealText({
          n,
          content: contentOf(draft),
          bound: { ...bound, ...('messageType' in draft && { type: draft.messageType }) },
          salt: ++salt,
        }),
        own: 'content' in draft || draft.kind === 'approval' ? [...own] : [],
        ...(targetRow !== null && { targetRow }),
        ...(draft.kind === 'edit' && { version: draft.version }),
        ...(draft.kind === 'message' && draft.held && { held: true }),
        ...(draft.kind === 'approval' && { draftId: draft.draft.id }),
      };
      const epochBody: NewEpoch | null =
        begins === null ? null : { header: { body: `header-${begins}`, signature: '' }, roster: '', boxes: [] };
      return { state: 'sealed', sealed, epoch: epochBody, rowHash: rowHashOf(draft.clientMessageId) };
    },
    async acknowledged(_, row) {
      calls.push(`acknowledged ${row.clientMessageId}`);
      own.splice(0, own.length, row.seal?.rowHash ?? '');
      if (begins !== null) [newest, begins] = [begins, null];
    },
    async signDeletion(_, { rowHash }) {
      return { body: `delete ${rowHash}`, signature: 'signed' };
    },
    async deletionAcknowledged(_, { seal }) {
      calls.push(`deleted ${seal?.deletion}`);
    },
    async standing() {
      calls.push('standing');
      throwFailure();
      return standing();
    },
    async overview() {
      calls.push('overview');
      throwFailure();
      return { ...standing(), send: null };
    },
    async answer(_, questionId, isAccepted) {
      calls.push(`answer ${questionId} ${isAccepted}`);
      send = isAccepted ? { state: 'sealed' } : send;
    },
    listSealed: async () => [...seen],
    async change(_, changes) {
      throwFailure();
      if (send.state !== 'sealed') return send;
      const body = JSON.stringify(changes);
      return { state: 'sealed', epoch: { header: { body, signature: '' }, roster: '', boxes: [] } };
    },
    createInvite: async () => ({ state: 'plain', withoutKeys: [] }),
    signEntry: async () => null,
    signAdditions: async () => [],
    signLeave: async () => 'leave',
    onFrame({ type }) {
      calls.push(`frame ${type}`);
      if (type === 'reconnected') notify(null);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };

  return {
    port,
    calls,
    drafts,
    /** Number of rows in each call of `open`. */
    pages,
    refused,
    late,
    /** Times at which rows disappear by their header, by id. */
    expiries,
    gaps,
    /** Rows that the engine had shown when it last looked for missing ones. */
    get caughtUp() {
      return caughtUp;
    },
    notify,
    keys,
    /** Makes the next seal begin this epoch. */
    begin: (n: number) => void (begins = n),
    /** Conversations that this device has seen sealed. */
    seen,
    /** Messages that were written before this time wait for a tap. */
    changeMembersAt: (at: number) => void (changedAt = at),
    setNewest: (n: number) => void (newest = n),
    setSend: (state: SendState) => void (send = state),
    /** Rows without a seal from this one on are refused. */
    sealFrom: (seq: number | null) => void (sealedFrom = seq),
    fail: (error: Error | null) => void (failure = error),
  };
}
