import type { Conversation, Message } from '@nolo/api';
import type { ChatDeviceStorage, MessageExtras, OfflineChats, OfflineTimeline, UnsentMessage } from '../chat/ports.ts';
import { unopenedRow, type StoredMessage } from '../chat/rowOpening.ts';
import { withUnopenedRow } from '../chat/sealedRows.ts';
import { allReady, whenReady, type MaybePromise } from './codec.ts';
import type { Content } from './content.ts';

/*
 * Device storage with sealed content. The storage keeps what it gets: messages without the fields of their envelope,
 * and unsent messages with text and extras in one envelope. Data of previous releases is open, and is returned as it
 * is. What does not open is lost (the browser lost its key): the server sends messages again.
 */

/** Unsent message on the device. */
type StoredUnsent = UnsentMessage & { readonly sealed?: true };

type MapMessage = (message: Message) => MaybePromise<object>;
type MapStored = (message: StoredMessage) => MaybePromise<StoredMessage>;

/** Opens or seals a message of the device, and the row in it that the server sent and that is not open yet. */
function mapStored(message: StoredMessage, map: MapMessage): MaybePromise<StoredMessage> {
  const row = unopenedRow(message);
  return whenReady(map(message), (stored) =>
    row
      ? whenReady(map(row), (sent) => withUnopenedRow(stored as StoredMessage, sent as Message))
      : (stored as StoredMessage),
  );
}

/** Opens or seals the newest message in a row of the list. */
function mapRow(row: Conversation, map: MapStored): MaybePromise<Conversation> {
  const { lastMessage } = row;
  if (!lastMessage) return row;
  return whenReady(map(lastMessage), (mapped) => ({ ...row, lastMessage: mapped as typeof lastMessage }));
}

/** Name of the device's field in an envelope. */
const reactionsField = 'sealedReactions';

/** Returns a message with what its seals cover in its envelope: to the server, reactions are sealed as well. */
function withReactionsInside(message: StoredMessage): StoredMessage {
  const { opening, reactions, extra } = message;
  if (!opening || reactions.length === 0) return message;
  return { ...message, reactions: [], extra: { ...extra, [reactionsField]: reactions } };
}

function withReactionsOutside(message: StoredMessage): StoredMessage {
  const { [reactionsField]: reactions, ...extra } = message.extra ?? {};
  if (!reactions) return message;
  const { extra: _, ...rest } = message;
  const outside = { ...rest, reactions: reactions as Message['reactions'] };
  return Object.keys(extra).length > 0 ? { ...outside, extra } : outside;
}

const openStored = (content: Content, message: StoredMessage): MaybePromise<StoredMessage> =>
  whenReady(mapStored(message, content.openMessage), withReactionsOutside);

const sealStored = (content: Content, message: StoredMessage): MaybePromise<StoredMessage> =>
  mapStored(withReactionsInside(message), content.sealMessage);

/** Returns the values that open. Rejects if opening fails for another reason than the key. */
function thoseThatOpen<T>(values: readonly MaybePromise<T>[]): MaybePromise<T[]> {
  const lost = Symbol('lost');
  const lose = (error: unknown): symbol => {
    if ((error as { readonly code?: unknown } | undefined)?.code === 'unopened') return lost;
    throw error;
  };
  const settled = values.map((value) => (value instanceof Promise ? value.catch(lose) : value));
  return whenReady(allReady<T | symbol>(settled), (all) => all.filter((one): one is T => one !== lost));
}

/** Opens or seals the messages of a timeline. */
const mapTimeline = (timeline: OfflineTimeline, map: MapStored): MaybePromise<OfflineTimeline> =>
  whenReady(allReady(timeline.messages.map(map)), (messages) => ({
    ...timeline,
    messages,
  }));

const contextOf = ({ conversationId }: UnsentMessage) =>
  ({ kind: 'unsent', encryption: 'none', conversationId }) as const;

function openUnsent({ codec }: Content, stored: StoredUnsent): MaybePromise<UnsentMessage> {
  const { sealed, ...message } = stored;
  if (!sealed) return message;
  return whenReady(codec.open(message.content, contextOf(message)), ({ text = '', extras }) => ({
    ...message,
    content: text,
    ...(extras !== undefined && { extras: extras as MessageExtras }),
  }));
}

function sealUnsent({ codec }: Content, message: UnsentMessage): MaybePromise<StoredUnsent> {
  const { content: text, extras, ...outside } = message;
  return whenReady(codec.seal({ text, extras }, contextOf(message)), (content) => ({
    ...outside,
    content,
    sealed: true,
  }));
}

/** Opens the chats that a device had stored when the app opened. */
export function openOfflineChats<Kept extends OfflineChats>(content: Content, kept: Kept): MaybePromise<Kept> {
  const open: MapStored = (message) => openStored(content, message);
  const rows = thoseThatOpen(kept.rows.map((row) => mapRow(row, open)));
  const timelines = thoseThatOpen(kept.timelines.map((timeline) => mapTimeline(timeline, open)));
  const unsent = thoseThatOpen(kept.unsent.map((message) => openUnsent(content, message)));
  return whenReady(rows, (openedRows) =>
    whenReady(timelines, (openedTimelines) =>
      whenReady(unsent, (openedUnsent) => ({
        ...kept,
        rows: openedRows,
        timelines: openedTimelines,
        unsent: openedUnsent,
      })),
    ),
  );
}

/** Seals what is written to a device, and opens what is read from it. */
export function createSealedDevice(content: Content, device: ChatDeviceStorage): ChatDeviceStorage {
  const open: MapStored = (message) => openStored(content, message);
  /** Sealed forms of messages in memory, because a timeline is stored again with each new message. */
  const sealedForms = new WeakMap<StoredMessage, MaybePromise<StoredMessage>>();
  const seal: MapStored = (message) => {
    const sealed = sealedForms.get(message) ?? sealStored(content, message);
    sealedForms.set(message, sealed);
    // The next attempt may succeed.
    if (sealed instanceof Promise) sealed.catch(() => sealedForms.delete(message));
    return sealed;
  };
  return {
    readTimeline: async (conversationId) => {
      const timeline = await device.readTimeline(conversationId);
      return timeline && mapTimeline(timeline, open);
    },
    listTimelineCheckpoints: () => device.listTimelineCheckpoints(),
    // Writes begin at once unless the codec returns a promise, because the page may be about to close.
    writeChats: async ({ rows, timelines, people }) =>
      whenReady(allReady(rows.map((row) => mapRow(row, seal))), (sealedRows) =>
        whenReady(allReady(timelines.map((timeline) => mapTimeline(timeline, seal))), (sealedTimelines) =>
          device.writeChats({ rows: sealedRows, timelines: sealedTimelines, people }),
        ),
      ),
    removeChat: (conversationId) => device.removeChat(conversationId),
    removeExpired: (now) => device.removeExpired(now),
    listUnsent: async () => thoseThatOpen((await device.listUnsent()).map((message) => openUnsent(content, message))),
    putUnsent: async (message) => whenReady(sealUnsent(content, message), (sealed) => device.putUnsent(sealed)),
    removeUnsent: (clientMessageId) => device.removeUnsent(clientMessageId),
    readUnsent: async (clientMessageId) => {
      const message = await device.readUnsent(clientMessageId);
      return message && openUnsent(content, message);
    },
    readFiles: (clientMessageId) => device.readFiles(clientMessageId),
    putFiles: (clientMessageId, files) => device.putFiles(clientMessageId, files),
    putUploadPlace: (clientMessageId, place) => device.putUploadPlace(clientMessageId, place),
  };
}
