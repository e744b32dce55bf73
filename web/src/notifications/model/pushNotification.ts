import type { Conversation } from '@nolo/api';
import { openingOf, type StoredMessage } from '@nolo/client/chat/rowOpening';
import { isSealed } from '@nolo/client/chat/sealedRows';
import { directionOfText, isolateDirection, sanitizeFileName } from '@nolo/rules';
import { toPlainExcerpt } from '../../chat/words/text/toPlainExcerpt.ts';
import type enPush from '../../../locales/en/push.json';

export type PushTexts = Readonly<Record<keyof typeof enPush.texts, string>>;

/** Push payload from the server: ids, and how to show it. */
export interface PushBody {
  readonly type: string;
  readonly topic: string;
  readonly userId: string;
  readonly at: string;
  readonly conversationId?: string;
  readonly conversationType?: string;
  readonly messageId?: string;
  readonly seq?: number;
  readonly senderId?: string;
  readonly callId?: string;
  readonly callType?: string;
  /** Room code of a meeting with people in its lobby. */
  readonly roomCode?: string;
  /** State of a scheduled post, or of a payment. */
  readonly state?: string;
  readonly preview?: boolean;
  readonly sound?: boolean;
  readonly vibration?: boolean;
  /** Number on the icon's badge. */
  readonly unread?: number;
}

/** Data on the device about the push. */
export interface PushContext {
  readonly conversation?: Conversation | undefined;
  readonly message?: StoredMessage | undefined;
  /** Name of the person who wrote or reacted. */
  readonly name?: string | undefined;
  readonly texts: PushTexts;
}

interface PushNotification {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly path: string;
  readonly silent: boolean;
  readonly vibrate: number[] | undefined;
  readonly actions: readonly { readonly action: 'answer' | 'decline'; readonly title: string }[];
  /** True if it stays until the user acts on it. */
  readonly stays: boolean;
  /** True if it only replaces an existing notification. */
  readonly replaces: boolean;
  readonly callId: string | undefined;
  /** Group of the call. Undefined for a call between two people. */
  readonly groupId: string | undefined;
}

const maxPushTextLength = 240;

/** Fills in names and texts, isolated so that they cannot change the sentence's direction. */
const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    isolateDirection(values[name] ?? whole, directionOfText(text)),
  );

/**
 * Returns true for a message of a sealed conversation that this device has not checked, or that is late. The server may
 * lie about it.
 */
function isUnchecked(conversation: Conversation | undefined, message: StoredMessage | undefined): boolean {
  const sealedFrom = conversation?.sealedFromSeq ?? Infinity;
  if (!message) return sealedFrom < Infinity;
  const opening = openingOf(message);
  if (opening?.state === 'open') return opening.late;
  return isSealed(message) || message.seq >= sealedFrom;
}

function describeMessage(message: StoredMessage | undefined, texts: PushTexts): string {
  if (!message || message.deletedAt !== null) return texts.message;
  const words = toPlainExcerpt(message.content, maxPushTextLength);
  switch (message.messageType) {
    case 'image':
      return words || texts.photo;
    case 'video':
      return words || texts.video;
    case 'voice':
      return texts.voice;
    case 'file':
      return message.fileName === null ? words || texts.file : isolateDirection(sanitizeFileName(message.fileName));
    default:
      return words || texts.message;
  }
}

function pathOf({ type, roomCode, conversationId, conversationType }: PushBody): string {
  if (type === 'post') return '/schedule';
  if (type === 'payment') return '/settings/plan';
  if (type === 'status') return '/status';
  if (type === 'export') return '/settings/account';
  if (type === 'lobby_knock' && roomCode !== undefined) return `/meeting/${roomCode}`;
  if (conversationId === undefined) return '/';
  return conversationType === 'group' ? `/group-chat/${conversationId}` : `/chat/${conversationId}`;
}

function paymentWords(state: string | undefined, texts: PushTexts): string {
  const { paid: receipt, periodReminder: reminder, periodGrace: grace, periodEnded: ended } = texts;
  return { receipt, reminder, grace, ended }[state ?? ''] ?? receipt;
}

function wordsOf(push: PushBody, { conversation, message, name, texts }: PushContext): { title: string; body: string } {
  const who = name ?? texts.someone;
  const isGroup = push.conversationType === 'group';
  const title = isGroup ? (conversation?.name ?? texts.group) : who;
  const ofMessage: readonly string[] = ['message', 'mention', 'reply', 'reaction'];
  if (ofMessage.includes(push.type) && isUnchecked(conversation, message)) {
    const known = isGroup ? title : conversation?.otherUser?.displayName;
    return { title: known ?? 'Nolo', body: push.type === 'reaction' ? texts.news : texts.message };
  }
  const text = describeMessage(message, texts);
  switch (push.type) {
    case 'call':
      if (isGroup) return { title, body: fill(texts.groupCall, { name: who }) };
      return { title: who, body: push.callType === 'video' ? texts.videoCall : texts.call };
    case 'call_over':
      return { title, body: texts.callOver };
    case 'missed_call':
      return { title, body: texts.missedCall };
    case 'join_request':
      return { title, body: fill(texts.joinRequest, { name: who }) };
    case 'post':
      return { title: 'Nolo', body: push.state === 'published' ? texts.postPublished : texts.postFailed };
    case 'lobby_knock':
      return { title: 'Nolo', body: texts.lobby };
    case 'payment':
      return { title: 'Nolo', body: paymentWords(push.state, texts) };
    case 'status':
      return { title: who, body: texts.status };
    case 'export':
      return { title: 'Nolo', body: texts.exportReady };
    case 'mention':
    case 'reply':
      return { title, body: fill(texts[push.type], { name: who, text }) };
    case 'reaction': {
      const emoji = message?.reactions?.find(({ userId }) => userId === push.senderId)?.emoji;
      const body = emoji === undefined ? texts.reaction : texts.reactionWith;
      return { title, body: fill(body, { name: who, text, emoji: emoji ?? '' }) };
    }
    default:
      return { title, body: isGroup ? fill(texts.inGroup, { name: who, text }) : text };
  }
}

const pulse = [120, 60, 120];
const ringing = Array.from({ length: 10 }, () => [800, 400]).flat();

/**
 * Returns the text without a preview, which reveals nothing to people looking over the shoulder except that something
 * arrived.
 */
function hiddenWords({ type }: PushBody, texts: PushTexts): string {
  const words: Partial<Record<string, string>> = {
    call: texts.call,
    call_over: texts.callOver,
    missed_call: texts.missedCall,
    join_request: texts.news,
    post: texts.news,
    payment: texts.news,
    export: texts.news,
    lobby_knock: texts.lobby,
    status: texts.status,
  };
  return words[type] ?? texts.message;
}

/** Returns the notification for a push. */
export function toPushNotification(push: PushBody, known: PushContext): PushNotification {
  const { texts } = known;
  const rings = push.type === 'call';
  const isStill = push.sound === false || push.type === 'call_over';
  const shown = push.preview === false ? { title: 'Nolo', body: hiddenWords(push, texts) } : wordsOf(push, known);
  return {
    ...shown,
    tag: push.topic,
    path: pathOf(push),
    silent: isStill,
    vibrate: push.vibration === false || isStill ? undefined : rings ? ringing : pulse,
    actions: rings
      ? [
          { action: 'answer', title: texts.answer },
          { action: 'decline', title: texts.decline },
        ]
      : [],
    stays: rings,
    replaces: push.type === 'call_over',
    callId: rings ? push.callId : undefined,
    groupId: rings && push.conversationType === 'group' ? push.conversationId : undefined,
  };
}
