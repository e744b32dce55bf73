import type { ConversationChange, Conversation, ConversationSettings, Member, Message, ServerFrame } from '@nolo/api';
import type { ChatApi } from '../src/chat/ports.ts';
import type { OpenSocket, SocketHandlers } from '../src/ports.ts';

const time = (seq: number) => new Date(1_700_000_000_000 + seq * 1_000).toISOString();

/**
 * Fakes a server with the contract's rules for seq and changeSeq, in memory, for one conversation between `me` and
 * `you`.
 */
export function fakeChatServer() {
  const messages: Message[] = [];
  const members: Member[] = ['me', 'you'].map((userId) => ({
    userId,
    role: 'member',
    deliveredSeq: 0,
    readSeq: 0,
    changeSeq: 0,
    joinedAt: time(0),
    leftAt: null,
  }));
  let changeSeq = 0;
  let readSeq = 0;
  let handlers: SocketHandlers | null = null;
  const requests: string[] = [];
  let failNext: Error | null = null;
  const stars = new Set<string>();

  const request = async <T>(name: string, answer: () => T): Promise<T> => {
    requests.push(name);
    if (failNext) {
      const error = failNext;
      failNext = null;
      throw error;
    }
    // Copies as over the network. jsdom lacks structuredClone.
    return JSON.parse(JSON.stringify(answer() ?? null)) as T;
  };
  const settings: ConversationSettings = {
    archivedAt: null,
    pinnedAt: null,
    mutedUntil: null,
    mutedExceptMentions: false,
    markedUnread: false,
    clearedSeq: 0,
    hiddenAt: null,
    requestedAt: null,
  };
  const lastShown = (): Conversation['lastMessage'] => {
    const last = messages.findLast(({ seq, hidden }) => seq > settings.clearedSeq && !hidden);
    return last ? { ...last, timestamp: last.createdAt } : null;
  };
  const row = (): Conversation => ({
    id: 'c1',
    type: 'direct',
    name: null,
    description: null,
    pictureUrl: null,
    disappearingSeconds: null,
    group: null,
    memberCount: 2,
    myRole: 'member',
    ...settings,
    otherUser: null,
    participant1: null,
    participant2: null,
    members,
    lastMessage: lastShown(),
    lastSeq: messages.length,
    changeSeq,
    readSeq,
    unreadCount: messages.length - readSeq,
    mentionSeq: null,
    createdAt: time(0),
    updatedAt: time(messages.length),
  });
  const store = (senderId: string, content: string, clientMessageId: string | null): Message => {
    const known = messages.find((message) => clientMessageId !== null && message.clientMessageId === clientMessageId);
    if (known) return known;
    changeSeq += 1;
    const seq = messages.length + 1;
    const message: Message = {
      id: `m${seq}`,
      conversationId: 'c1',
      senderId,
      sender: null,
      seq,
      changeSeq,
      content,
      encryption: 'none',
      messageType: 'text',
      clientMessageId,
      fileUrl: null,
      fileName: null,
      fileSize: null,
      voiceMessageUrl: null,
      voiceMessageDuration: null,
      voiceMessageTranscription: null,
      mediaInfo: null,
      previewUrl: null,
      mentions: [],
      replyTo: null,
      forwarded: false,
      linkPreview: null,
      reactions: [],
      pinnedAt: null,
      expiresAt: null,
      createdAt: time(seq),
      editedAt: null,
      deletedAt: null,
    };
    messages.push(message);
    if (senderId === 'me') readSeq = seq;
    return message;
  };
  const change = (id: string, fields: Partial<Message>): Message => {
    const index = messages.findIndex((message) => message.id === id);
    changeSeq += 1;
    return (messages[index] = { ...messages[index]!, ...fields, changeSeq });
  };

  const api: ChatApi = {
    listConversations: () => request('listConversations', () => ({ items: [row()], nextCursor: null })),
    getConversation: () => request('getConversation', row),
    listMessages: (_, { before = Infinity, after, limit = 50 }) =>
      request('listMessages', () => {
        const all = messages.filter((message) => message.seq < before && message.seq > (after ?? 0));
        return {
          items: after === undefined ? all.slice(-limit) : all.slice(0, limit),
          nextCursor: all.length > limit ? 'more' : null,
        };
      }),
    listChanges: (_, since) =>
      request('listChanges', () => {
        const changes: ConversationChange[] = [
          ...messages
            .filter((message) => message.changeSeq > since)
            .map((message): ConversationChange => ({ type: 'message', changeSeq: message.changeSeq, message })),
          ...members
            .filter((member) => member.changeSeq > since)
            .map((member): ConversationChange => ({ type: 'member', changeSeq: member.changeSeq, member })),
        ].toSorted((a, b) => a.changeSeq - b.changeSeq);
        const page = changes.slice(0, 200);
        const hasMore = changes.length > 200;
        return { changes: page, changeSeq: hasMore ? page.at(-1)!.changeSeq : changeSeq, hasMore, settings };
      }),
    sendMessage: (message) =>
      request('sendMessage', () => {
        if (!('content' in message)) throw new Error('This server has no sealed messages.');
        const stored = store('me', message.content, message.clientMessageId ?? null);
        const original = messages.find(({ seq }) => seq === message.replyToSeq);
        stored.replyTo = original
          ? { seq: original.seq, messageId: original.id, senderId: original.senderId }
          : stored.replyTo;
        stored.forwarded = message.forwarded ?? false;
        stored.mentions = message.mentions ?? [];
        stored.linkPreview = message.linkPreview ?? null;
        stored.messageType = message.messageType ?? 'text';
        stored.fileUrl = message.fileUrl ?? null;
        stored.fileName = message.fileName ?? null;
        stored.voiceMessageUrl = message.voiceMessageUrl ?? null;
        stored.mediaInfo = message.mediaInfo ?? null;
        return stored;
      }),
    createSealed: () => {
      throw new Error('Sealed messages are those of fakeSealedServer.ts.');
    },
    react: (id, emoji) =>
      request('react', () => {
        const known = messages.find((message) => message.id === id)?.reactions ?? [];
        const others = known.filter(({ userId }) => userId !== 'me');
        return change(id, { reactions: emoji === null ? others : [...others, { userId: 'me', emoji }] });
      }),
    pinMessage: (id, pinned) => request('pinMessage', () => change(id, { pinnedAt: pinned ? time(99) : null })),
    starMessage: (id, starred) =>
      request('starMessage', () => {
        if (starred) stars.add(id);
        else stars.delete(id);
      }),
    listStarred: () =>
      request('listStarred', () => ({
        items: messages.filter(({ id }) => stars.has(id)).map((message) => ({ message, starredAt: time(99) })),
        nextCursor: null,
      })),
    hideMessage: (id) => request('hideMessage', () => change(id, { content: '', deletedAt: time(99), hidden: true })),
    clearConversation: (_, fromList) =>
      request('clearConversation', () => {
        changeSeq += 1;
        Object.assign(settings, { clearedSeq: messages.length, hiddenAt: fromList ? time(99) : null });
        return settings;
      }),
    changeSettings: (_, { archived, pinned, mutedUntil, markedUnread, accepted }) =>
      request('changeSettings', () => {
        if (archived !== undefined) settings.archivedAt = archived ? time(99) : null;
        if (pinned !== undefined) settings.pinnedAt = pinned ? time(99) : null;
        if (mutedUntil !== undefined) settings.mutedUntil = mutedUntil;
        if (markedUnread !== undefined) settings.markedUnread = markedUnread;
        if (accepted) settings.requestedAt = null;
        return settings;
      }),
    getUser: (id) =>
      request('getUser', () => ({
        id,
        firstName: id,
        lastName: '',
        displayName: `Person ${id}`,
        profileImageUrl: null,
        statusMessage: '',
        presenceStatus: 'offline' as const,
        isOnline: false,
        isContact: false,
        isBlocked: false,
      })),
    editMessage: ({ id }, content) => request('editMessage', () => change(id, { content, editedAt: time(99) })),
    deleteMessage: (id) => request('deleteMessage', () => change(id, { content: '', deletedAt: time(99) })),
    moveCursors: (cursors) =>
      request('moveCursors', () => {
        for (const cursor of cursors) readSeq = Math.max(readSeq, cursor.readSeq);
        return {};
      }),
  };

  const openSocket: OpenSocket = (next) => {
    handlers = next;
    return { send: (text) => requests.push(`socket ${(JSON.parse(text) as { type: string }).type}`), close: () => {} };
  };

  return {
    api,
    openSocket,
    requests,
    members,
    messages,
    store,
    change,
    /** Makes the other person a stranger pending acceptance. */
    fromStranger: () => void (settings.requestedAt = time(0)),
    settings: () => ({ conversationId: 'c1', ...settings }),
    /** Moves the other person's cursors. */
    receipt(deliveredSeq: number, read: number): ServerFrame {
      const you = members[1]!;
      changeSeq += 1;
      Object.assign(you, { deliveredSeq, readSeq: read, changeSeq });
      return { type: 'receipt', data: { conversationId: 'c1', changeSeq, userId: 'you', deliveredSeq, readSeq: read } };
    },
    push: (frame: ServerFrame) => handlers?.onFrame(frame),
    hello: () => handlers?.onFrame({ type: 'hello', data: { userId: 'me', sessionId: 's', pingIntervalMs: 25_000 } }),
    cut: (code = 1006) => handlers?.onClose(code),
    failNextRequest: (failure: object) => void (failNext = Object.assign(new Error('refused'), failure)),
  };
}
