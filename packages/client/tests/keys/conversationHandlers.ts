import type { Message, NewEpoch, NewSealed, SealedAnnotation } from '@nolo/api';
import {
  checkNack,
  decodeStatement,
  encodeStatement,
  findMember,
  fromUuid,
  hashOfDeletion,
  hashOfHeader,
  readHeader,
  readRoster,
  readSealed,
  rowOf,
  toUuid,
  type Bytes,
  type Header,
} from '@nolo/e2ee';
import { ApiError } from '../../src/http/request.ts';
import { boundOfRow, isSealed, type SealedRow } from '../../src/keys/conversations/boundRows.ts';
import { fromSigned, fromText, toText } from '../../src/keys/wire.ts';
import {
  refuse,
  type CallParts,
  type Handler,
  type ServedConversation,
  type ServedState,
  type Session,
  type Signed,
} from './servedState.ts';
import { vaultHandlers } from './vaultHandlers.ts';

/** Handlers of conversations' epochs and messages, by the contract of the routes. */

const stale = (conversation: ServedConversation, reason: string): never => {
  throw new ApiError(
    409,
    { code: 'epoch_stale', details: { n: conversation.epochs.length - 1, reason } },
    'epoch_stale',
  );
};

function ownOf(server: ServedState, { userId }: Session, id: unknown): ServedConversation {
  const found = server.conversations.get(String(id));
  if (!found?.members.some((one) => one.userId === userId)) return refuse(404, 'conversation_not_found');
  return found;
}

function tell(server: ServedState, conversationId: string, type: 'epochs_changed' | 'nacks_changed'): void {
  const { members = [], epochs = [] } = server.conversations.get(conversationId) ?? {};
  for (const { userId } of members) server.emit(userId, { type, data: { conversationId, n: epochs.length - 1 } });
}

/** Refuses last rows that are no messages or deletions of the conversation. */
async function assertLastRows({ messages }: ServedConversation, { changes, leftOut }: Header): Promise<void> {
  const stored = new Set(messages.map(({ seal }) => seal?.rowHash));
  for (const { seal } of messages) {
    const bytes = seal?.deletion ? fromText(seal.deletion) : null;
    if (bytes) stored.add(toText(await hashOfDeletion(decodeStatement(bytes))));
  }
  const named = [...leftOut, ...changes.flatMap((one) => ('lastRows' in one ? one.lastRows : []))];
  if (named.some(({ row }) => row && !stored.has(toText(row)))) refuse(400, 'epoch_refused');
}

/** Takes an epoch that follows the newest one and has the server's members. */
export async function acceptEpoch(
  server: ServedState,
  id: string,
  epoch: NewEpoch,
): Promise<{ n: number; hash: string }> {
  const conversation = server.conversations.get(id) ?? refuse(404, 'conversation_not_found');
  const statement = fromSigned(epoch.header);
  const header = readHeader(statement);
  const { n, previous } = header;
  const hash = toText(await hashOfHeader(statement));
  if (conversation.epochs[n]?.hash === hash) return { n, hash };
  const newest = conversation.epochs.at(-1)?.hash ?? null;
  if (n !== conversation.epochs.length || (previous && toText(previous)) !== newest) stale(conversation, 'newer');
  const roster = readRoster(fromText(epoch.roster));
  const before = conversation.epochs.at(-1);
  const known = before ? readRoster(fromText(before.roster)) : [];
  const isPrivate = before !== undefined && readHeader(fromSigned(before.header)).admission === 0;
  /** Returns true for members whom the header before lacks too, because nobody signed for them. */
  const mayLack = (account: Bytes) => isPrivate && !findMember(known, account);
  const isSame =
    roster.every(({ account }) => conversation.members.some(({ userId }) => userId === toUuid(account))) &&
    conversation.members.every((one) => {
      const found = findMember(roster, fromUuid(one.userId));
      return found ? found.role === one.role : mayLack(fromUuid(one.userId));
    });
  if (!isSame) refuse(400, 'epoch_refused');
  await assertLastRows(conversation, header);
  conversation.changeSeq += 1;
  conversation.epochs.push({
    n,
    hash,
    header: epoch.header,
    roster: epoch.roster,
    boxes: new Map(epoch.boxes.map(({ deviceId, box }) => [deviceId, box])),
    answers: new Map(),
    previousSecret: null,
    seq: conversation.messages.length,
    changeSeq: conversation.changeSeq,
    at: new Date(server.now()).toISOString(),
  });
  conversation.removalPending = false;
  tell(server, id, 'epochs_changed');
  return { n, hash };
}

const emptyFields = {
  sender: null,
  fileUrl: null,
  fileName: null,
  fileSize: null,
  voiceMessageUrl: null,
  voiceMessageDuration: null,
  voiceMessageTranscription: null,
  mediaInfo: null,
  previewUrl: null,
  forwarded: false,
  linkPreview: null,
  reactions: [],
  pinnedAt: null,
  expiresAt: null,
  editedAt: null,
  deletedAt: null,
};

interface SendBody {
  conversationId: string;
  clientMessageId: string;
  messageType?: Message['messageType'];
  content?: string;
  sealed?: NewSealed;
  mentions?: string[];
  replyToSeq?: number;
  hasLink?: boolean;
  voiceMessageUrl?: string;
}

/** Refuses what was sealed for another epoch than the newest, or while a removal waits. */
function assertNewest(conversation: ServedConversation, { sealed }: NewSealed): { epoch: number; deviceId: string } {
  const { epoch, device } = readSealed(fromText(sealed));
  if (epoch !== conversation.epochs.length - 1) stale(conversation, 'newer');
  if (conversation.removalPending) stale(conversation, 'removal');
  return { epoch, deviceId: toUuid(device) };
}

async function withRowHash(conversation: ServedConversation, id: string, row: SealedRow): Promise<SealedRow> {
  const served = conversation.epochs[row.seal.epoch] ?? refuse(400, 'seal_refused');
  const epoch = { n: served.n, hash: fromText(served.hash), statement: fromSigned(served.header) };
  const { hash, origin } = await rowOf(fromText(row.sealed ?? ''), boundOfRow(fromUuid(id), row, epoch));
  return { ...row, seal: { ...row.seal, rowHash: toText(hash), origin: toText(origin) } };
}

/** Origins of messages, which are served once a message was edited or erased, and of drafts. */
const hidden = (row: Message): Message =>
  isSealed(row) && row.seal.version === 0 && row.deletedAt === null && !row.seal.held
    ? { ...row, seal: { ...row.seal, origin: null } }
    : row;

function find(server: ServedState, session: Session, id: unknown) {
  for (const [conversationId, conversation] of server.conversations) {
    const at = conversation.messages.findIndex((one) => one.id === id);
    const row = conversation.messages[at];
    if (row && conversation.members.some(({ userId }) => userId === session.userId))
      return { conversationId, conversation, at, row };
  }
  return refuse(404, 'message_not_found');
}

let ids = 0;
const nextId = (): string => `0190b000-0000-7000-8000-${String((ids += 1)).padStart(12, '0')}`;

async function send(server: ServedState, session: Session, body: SendBody): Promise<Message> {
  const conversation = ownOf(server, session, body.conversationId);
  const same = conversation.messages.find(
    (one) => one.clientMessageId === body.clientMessageId && one.senderId === session.userId,
  );
  if (same) return hidden(same);
  if (!body.sealed && conversation.epochs.length > 0) refuse(409, 'encryption_required');
  const replied = conversation.messages.find(({ seq }) => seq === body.replyToSeq);
  conversation.changeSeq += 1;
  const plain: Message = {
    ...emptyFields,
    id: nextId(),
    conversationId: body.conversationId,
    senderId: session.userId,
    seq: conversation.messages.length + 1,
    changeSeq: conversation.changeSeq,
    content: body.content ?? '',
    encryption: body.sealed ? 'epochs' : 'none',
    messageType: body.messageType ?? 'text',
    clientMessageId: body.clientMessageId,
    mentions: body.mentions ?? [],
    voiceMessageUrl: body.voiceMessageUrl ?? null,
    replyTo: replied ? { seq: replied.seq, messageId: replied.id, senderId: replied.senderId } : null,
    createdAt: new Date(server.now()).toISOString(),
  };
  if (!body.sealed) {
    conversation.messages.push(plain);
    return plain;
  }
  const newest = assertNewest(conversation, body.sealed);
  const seal = {
    ...newest,
    version: 0,
    place: 0,
    own: body.sealed.own,
    targetRow: body.sealed.targetRow ?? null,
    rowHash: '',
    origin: null,
    hasLink: body.hasLink ?? false,
    deletion: null,
    annotations: [],
    held: body.sealed.held ?? false,
    draftId: body.sealed.draftId ?? null,
    draftOrigin: null,
  };
  const row = await withRowHash(conversation, body.conversationId, { ...plain, sealed: body.sealed.sealed, seal });
  conversation.messages.push(row);
  return hidden(row);
}

async function annotate(server: ServedState, session: Session, { params, body }: CallParts, kind: 'reaction' | 'pin') {
  const { conversation, at, row } = find(server, session, params?.['id']);
  const { sealed, clientMessageId } = body as { sealed: NewSealed; clientMessageId: string };
  if (!isSealed(row)) return refuse(400, 'seal_refused');
  conversation.changeSeq += 1;
  const annotation: SealedAnnotation = {
    kind,
    userId: session.userId,
    ...assertNewest(conversation, sealed),
    clientMessageId,
    sealed: sealed.sealed,
    place: conversation.changeSeq,
  };
  const others = row.seal.annotations.filter((one) => one.kind !== kind || one.userId !== session.userId);
  const changed: SealedRow = {
    ...row,
    changeSeq: conversation.changeSeq,
    seal: { ...row.seal, annotations: [...others, annotation] },
  };
  conversation.messages[at] = changed;
  return hidden(changed);
}

async function edit(server: ServedState, session: Session, { params, body }: CallParts): Promise<Message> {
  const { conversation, at, row } = find(server, session, params?.['id']);
  const {
    sealed,
    mentions = [],
    hasLink = false,
  } = body as { sealed: NewSealed; mentions?: string[]; hasLink?: boolean };
  if (!isSealed(row)) return refuse(400, 'seal_refused');
  if (sealed.version !== row.seal.version + 1) return refuse(409, 'edit_conflict');
  conversation.changeSeq += 1;
  const { targetRow = null, version } = sealed;
  const changed: SealedRow = {
    ...row,
    mentions,
    sealed: sealed.sealed,
    changeSeq: conversation.changeSeq,
    editedAt: new Date(server.now()).toISOString(),
    seal: {
      ...row.seal,
      ...assertNewest(conversation, sealed),
      version,
      place: conversation.changeSeq,
      own: sealed.own,
      targetRow,
      hasLink,
    },
  };
  conversation.messages[at] = changed;
  return hidden(changed);
}

async function erase(server: ServedState, session: Session, { params, body }: CallParts): Promise<Message> {
  const { conversation, at, row } = find(server, session, params?.['id']);
  const { deletion } = (body ?? {}) as { deletion?: Signed };
  if (!isSealed(row)) return refuse(400, 'seal_refused');
  if (!deletion) return refuse(409, 'encryption_required');
  conversation.changeSeq += 1;
  const draft = conversation.messages.find(({ id }) => id === row.seal.draftId);
  const draftOrigin = draft?.seal?.origin ?? null;
  const changed: SealedRow = {
    ...row,
    sealed: '',
    changeSeq: conversation.changeSeq,
    deletedAt: new Date(server.now()).toISOString(),
    seal: { ...row.seal, draftOrigin, deletion: toText(encodeStatement(fromSigned(deletion))), annotations: [] },
  };
  conversation.messages[at] = changed;
  return changed;
}

export function conversationHandlers(server: ServedState): Record<string, Handler> {
  const vault = vaultHandlers(server);
  const either =
    (name: string, handler: Handler): Handler =>
    (session, parts) =>
      server.conversations.has(String(parts.params?.['id'])) ? handler(session, parts) : vault[name]!(session, parts);
  return {
    listEpochs: either('listEpochs', async (session, { params, query = {} }) => {
      const { epochs } = ownOf(server, session, params?.['id']);
      const device = server.deviceOf(session)?.id ?? '';
      const from = Number(query['from'] ?? 0);
      const items = epochs
        .filter(({ n }) => n >= from)
        .map(({ n, hash, header, roster, boxes, answers, seq, changeSeq, at }) => ({
          n,
          hash,
          ...header,
          roster: query['roster'] === 'true' && n === from ? roster : null,
          box: boxes.get(device) ?? null,
          answer: answers.get(device) ?? null,
          recoveryBox: null,
          previousSecret: null,
          seq,
          changeSeq,
          at,
        }));
      return { items: items.slice(0, 3), more: items.length > 3 };
    }),
    commitEpoch: either('commitEpoch', async (session, { params, body }) => {
      ownOf(server, session, params?.['id']);
      server.requireDevice(session);
      return acceptEpoch(server, String(params?.['id']), body as NewEpoch);
    }),
    async getEpochTarget(session, { params }) {
      const { type, members, timer, admission, epochs, additions, leaves, removalPending } = ownOf(
        server,
        session,
        params?.['id'],
      );
      return {
        type,
        members: members.toSorted((a, b) => (a.userId < b.userId ? -1 : 1)),
        admission,
        timer,
        additions: [...additions.values()],
        leaves: [...leaves.values()],
        n: epochs.length === 0 ? null : epochs.length - 1,
        removalPending,
      };
    },
    async removeGroupMember(session, { params }) {
      const conversation = ownOf(server, session, params?.['id']);
      conversation.members = conversation.members.filter(({ userId }) => userId !== params?.['userId']);
      conversation.removalPending = true;
    },
    sendNack: either('sendNack', async (session, { params, body }) => {
      const conversation = ownOf(server, session, params?.['id']);
      const device = server.requireDevice(session).id;
      const signed = body as Signed;
      const { list } = await server.checked(server.account(session.userId));
      const { n } = await checkNack(fromSigned(signed), list);
      conversation.nacks = conversation.nacks.filter((one) => one.device !== device || one.n !== n);
      conversation.nacks.push({ ...signed, device, n });
      tell(server, String(params?.['id']), 'nacks_changed');
    }),
    listNacks: either('listNacks', async (session, { params }) =>
      ownOf(server, session, params?.['id']).nacks.map(({ body, signature }) => ({ body, signature })),
    ),
    answerNack: either('answerNack', async (session, { params, body }) => {
      const conversation = ownOf(server, session, params?.['id']);
      const { deviceId, box } = body as { deviceId: string; box: string };
      const n = Number(params?.['n']);
      if (!conversation.nacks.some((one) => one.device === deviceId && one.n === n)) refuse(404, 'nack_not_found');
      conversation.epochs[n]?.answers.set(deviceId, box);
      conversation.nacks = conversation.nacks.filter((one) => one.device !== deviceId || one.n !== n);
      tell(server, String(params?.['id']), 'epochs_changed');
    }),
    sendMessage: (session, { body }) => send(server, session, body as SendBody),
    editMessage: (session, parts) => edit(server, session, parts),
    setReaction: (session, parts) => annotate(server, session, parts, 'reaction'),
    pinMessage: (session, parts) => annotate(server, session, parts, 'pin'),
    deleteMessage: (session, parts) => erase(server, session, parts),
  };
}
