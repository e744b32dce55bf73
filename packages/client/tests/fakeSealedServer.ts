import type { Message, NewMessage, NewSealed, Seal } from '@nolo/api';
import type { ChatApi, NewAnnotation, SealedApi, SealedNewMessage } from '../src/chat/ports.ts';
import { fakeChatServer } from './fakeChatServer.ts';
import { boundOf, openText, rowHashOf, sealText } from './reversingConversations.ts';

const refusal = (code: string): Error => Object.assign(new Error(code), { code, passing: false, message: '' });

/**
 * Fakes a server with sealed messages and epochs: the rules of docs/encryption.md, section 9, that the chat engine can
 * notice. Content comes from reversingConversations.ts, and the server looks into none of it.
 */
export function fakeSealedServer({ epoch = 0 as number | null } = {}) {
  const server = fakeChatServer();
  const { messages } = server;
  let newest = epoch;
  let needsApproval = false;
  let loseAnswers = 0;
  let refuseDeletions = 0;
  /** Bodies of all messages that arrived, also of those whose answer was lost. */
  const bodies: (NewMessage | SealedNewMessage)[] = [];
  const epochs: string[] = [];
  const deletions: object[] = [];
  const annotations: NewAnnotation[] = [];
  const decisions: { heldId: string; approve: boolean }[] = [];

  const sealOf = (sealed: NewSealed, clientMessageId: string | null, hasLink = false): Seal => ({
    epoch: openText(sealed.sealed).n,
    deviceId: 'device',
    version: sealed.version ?? 0,
    place: 0,
    own: sealed.own,
    targetRow: sealed.targetRow ?? null,
    rowHash: rowHashOf(clientMessageId),
    origin: null,
    hasLink,
    deletion: null,
    annotations: [],
    held: sealed.held ?? false,
    draftId: sealed.draftId ?? null,
    draftOrigin: null,
  });

  const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
  const answer = <T>(value: T): T => {
    if (loseAnswers > 0) {
      loseAnswers -= 1;
      throw Object.assign(new Error('lost'), { passing: true, code: 'network_error' });
    }
    return copy(value);
  };

  const storeSealed = (senderId: string, message: SealedNewMessage): Message => {
    const { clientMessageId = null, sealed } = message;
    const known = messages.find((one) => clientMessageId !== null && one.clientMessageId === clientMessageId);
    if (known) return known;
    const original = messages.find(({ seq }) => seq === message.replyToSeq);
    const { id } = server.store(senderId, '', clientMessageId);
    return Object.assign(
      messages.find((one) => one.id === id)!,
      {
        encryption: 'epochs',
        sealed: sealed!.sealed,
        seal: sealOf(sealed!, clientMessageId, message.hasLink),
        messageType: message.messageType ?? 'text',
        fileUrl: message.fileUrl ?? null,
        voiceMessageUrl: message.voiceMessageUrl ?? null,
        mentions: message.mentions ?? [],
        replyTo: original ? { seq: original.seq, messageId: original.id, senderId: original.senderId } : null,
      },
    );
  };

  const sendSealed = (message: SealedNewMessage): ReturnType<ChatApi['sendMessage']> => {
    bodies.push(message);
    const known = messages.find((one) => one.clientMessageId === message.clientMessageId);
    if (!known && openText(message.sealed!.sealed).n !== newest) throw refusal('epoch_stale');
    if (needsApproval && !message.sealed!.held) throw refusal('approval_required');
    if (needsApproval)
      return Promise.resolve(
        answer({
          held: true,
          id: 'h1',
          conversationId: 'c1',
          clientMessageId: message.clientMessageId!,
          createdAt: '',
        }),
      );
    return Promise.resolve(answer(storeSealed('me', message)));
  };

  const annotate = (id: string, kind: 'reaction' | 'pin', { sealed, clientMessageId }: NewAnnotation): Message => {
    const { seal, pinnedAt, changeSeq } = messages.find((message) => message.id === id)!;
    const { n } = openText(sealed.sealed);
    if (n !== newest) throw refusal('epoch_stale');
    annotations.push({ sealed, clientMessageId });
    const others = seal!.annotations.filter((one) => one.kind !== kind || one.userId !== 'me');
    const annotation = { kind, userId: 'me', deviceId: 'device', clientMessageId, epoch: n, sealed: sealed.sealed };
    return server.change(id, {
      seal: { ...seal!, annotations: [...others, { ...annotation, place: changeSeq + 1 }] },
      pinnedAt: kind === 'pin' ? '2026-12-01T00:00:00.000Z' : pinnedAt,
    });
  };

  const sealedApi: SealedApi = {
    listMembers: () => Promise.resolve({ items: server.members, nextCursor: null }),
    commitEpoch: async (_, { header }, message) => {
      server.requests.push('commitEpoch');
      if (!epochs.includes(header.body)) epochs.push(header.body);
      newest = Number(header.body.split('-')[1]);
      return message ? { message: await sendSealed(message) } : {};
    },
    editSealed: async (id, { sealed, mentions, hasLink }) => {
      const known = messages.find((message) => message.id === id)!;
      if (openText(sealed.sealed).n !== newest) throw refusal('epoch_stale');
      const seal = { ...known.seal!, ...sealOf(sealed, known.clientMessageId, hasLink), origin: 'origin' };
      return answer(server.change(id, { sealed: sealed.sealed, seal, mentions, editedAt: known.createdAt }));
    },
    deleteSealed: async (id, deletion) => {
      const known = messages.find((message) => message.id === id)!;
      deletions.push(deletion);
      if (refuseDeletions > 0) {
        refuseDeletions -= 1;
        throw refusal('epoch_stale');
      }
      const seal = { ...known.seal!, deletion: deletion.body };
      return copy(server.change(id, { sealed: '', seal, deletedAt: known.createdAt }));
    },
    reactSealed: async (id, reaction) => answer(annotate(id, 'reaction', reaction)),
    pinSealed: async (id, pin) => answer(annotate(id, 'pin', pin)),
    decideHeld: async (conversationId, heldId, { approve, message }) => {
      decisions.push({ heldId, approve });
      if (!approve) return;
      if (openText(message!.sealed!.sealed).n !== newest) throw refusal('epoch_stale');
      storeSealed('me', { ...message!, conversationId });
    },
  };

  const api: ChatApi = {
    ...server.api,
    createSealed: () => sealedApi,
    getConversation: async (id) => ({ ...(await server.api.getConversation(id)), sealedFromSeq: sealedFromSeq() }),
    listConversations: async (cursor) => {
      const page = await server.api.listConversations(cursor);
      return { ...page, items: page.items.map((row) => ({ ...row, sealedFromSeq: sealedFromSeq() })) };
    },
    sendMessage: async (message) => {
      server.requests.push('sendMessage');
      if (!('content' in message)) return sendSealed(message);
      if (newest !== null) throw refusal('encryption_required');
      bodies.push(message);
      return copy(server.store('me', message.content, message.clientMessageId ?? null));
    },
    editMessage: async (message, text, extras) => {
      if (newest !== null) throw refusal('encryption_required');
      return server.api.editMessage(message, text, extras);
    },
    deleteMessage: async (id) => {
      if (messages.find((message) => message.id === id)?.seal) throw refusal('encryption_required');
      return server.api.deleteMessage(id);
    },
    react: async (id, emoji) => {
      if (newest !== null) throw refusal('encryption_required');
      return server.api.react(id, emoji);
    },
    pinMessage: async (id, pinned) => {
      if (newest !== null && pinned) throw refusal('encryption_required');
      return server.api.pinMessage(id, pinned);
    },
  };

  let fromSeq: number | null = epoch === null ? null : 1;
  const sealedFromSeq = () => fromSeq;
  let ids = 0;

  return {
    ...server,
    api,
    sealedApi,
    bodies,
    epochs,
    deletions,
    annotations,
    decisions,
    /** Stores a sealed message of another device. */
    storeSealed(senderId: string, content: string, fields: Partial<NewMessage> & { epoch?: number } = {}): Message {
      const clientMessageId = fields.clientMessageId ?? `other-${++ids}`;
      const bound = boundOf({ ...fields, clientMessageId });
      const sealed = sealText({ n: fields.epoch ?? newest ?? 0, content, bound, salt: 0 });
      const { epoch: _, ...rest } = fields;
      return copy(
        storeSealed(senderId, {
          conversationId: 'c1',
          ...rest,
          clientMessageId,
          sealed: { sealed, own: [] },
        }),
      );
    },
    setNewest(n: number | null, from: number | null = fromSeq): void {
      newest = n;
      fromSeq = from;
    },
    /** Hides the epochs in the rows of the conversation. */
    hideEpochs: () => void (fromSeq = null),
    requireApproval: () => void (needsApproval = true),
    /** Stores what arrives, and loses the answers to so many requests. */
    loseAnswers: (count: number) => void (loseAnswers = count),
    refuseDeletions: (count: number) => void (refuseDeletions = count),
  };
}
