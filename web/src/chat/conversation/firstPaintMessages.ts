import type { Conversation, Message } from '@nolo/api';
import type { EarlyConversation } from '../../session/earlyConversation.ts';
import { openEarlyText } from '@nolo/client/content/earlyText';
import { toEntryBoundaries, type EntryBoundaries } from '@nolo/client/chat/entryBoundaries';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import * as bubbleStyles from './bubbleStyles.ts';

/** Minimum row height in pixels in either density. The app draws the rows above the window. */
const lowestRow = { compact: 28, comfortable: 34 };
/** Minimum height of header and composer together, in pixels. */
const aroundList = 110;
/** Longer texts have a different layout and take long to lay out. */
const maxTextLength = 1_000;

/** Text that needs no parsing: no markup, URL, mention, emoji, or bidirectional control character. */
const plainWords = /^(?!\s*\d{1,9}[.)]\s)[\p{L}\p{M}\p{N} .,;:!?'’"“”„«»()\n–—…%&/+=€$-]*$/u;
const notPlain = /^[ \t]{0,3}[-+]\s|^[ \t]{0,3}\d{1,9}[.)]\s|www\.|:\/\/|mailto:/imu;

export function isPlainText(text: string): boolean {
  return text.trim() !== '' && text.length <= maxTextLength && plainWords.test(text) && !notPlain.test(text);
}

/** Returns the text of a message, which the app may have opened meanwhile. */
const textOf = (message: Message): string =>
  'fileName' in message ? message.content : openEarlyText((message as { content: string }).content);

/** Returns true if a message consists of plain text only. Envelopes with more than a text are not plain. */
function isWords(message: Message): boolean {
  const { messageType, deletedAt, expiresAt, replyTo, linkPreview, mentions, reactions, editedAt, pinnedAt } = message;
  return (
    messageType === 'text' &&
    deletedAt === null &&
    expiresAt === null &&
    replyTo === null &&
    (linkPreview ?? null) === null &&
    mentions.length === 0 &&
    reactions.length === 0 &&
    editedAt === null &&
    pinnedAt === null &&
    message.forwarded !== true &&
    (message.extra ?? null) === null &&
    message.encryption === 'none' &&
    isPlainText(textOf(message))
  );
}

export interface FirstPaintMessageRow extends EntryBoundaries {
  readonly message: Message;
  readonly own: boolean;
}

/**
 * Returns the newest plain-text messages in order, from the last one back to the first that is different or from
 * another day. Returns none if the conversation does not open at its end or shows something else below its messages.
 */
export function selectFirstPaintRows({ conversation, page }: EarlyConversation): FirstPaintMessageRow[] {
  const { type, otherUser, requestedAt, unreadCount, clearedSeq, sealedFromSeq = null } = conversation;
  if (!page || type !== 'direct' || !otherUser || otherUser.isBlocked) return [];
  if (requestedAt !== null || unreadCount > 0) return [];
  const shown = page.items.filter(({ hidden, seq }) => !hidden && seq > clearedSeq);
  const entries = shown.map((message): MessageListEntry => {
    const at = Date.parse(message.createdAt);
    return { key: message.id, senderId: message.senderId, at, message, pending: null };
  });
  const lowest = document.documentElement.dataset.density === 'compact' ? lowestRow.compact : lowestRow.comfortable;
  const maxVisibleRows = Math.ceil((innerHeight - aroundList) / lowest);
  const rows: FirstPaintMessageRow[] = [];
  for (const [index, message] of [...shown.entries()].reverse()) {
    const place = toEntryBoundaries(entries, index, null);
    // Only the app can open encrypted messages, and refuse others beside them.
    const isSealed = sealedFromSeq !== null && message.seq >= sealedFromSeq;
    if (rows.length === maxVisibleRows || isSealed || !isWords(message)) break;
    // The app draws what belongs above the first message of a day, or of the conversation.
    rows.unshift({ ...place, message, own: message.senderId !== otherUser.id });
    if (place.startsDay) break;
  }
  return rows;
}

function element(name: string, classes: string, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(name);
  made.className = classes;
  made.append(...children);
  return made;
}

/** Formats the clock time of a moment, in milliseconds since the epoch. */
type Clock = (at: number) => string;

/** Reserves room for the ticks, which the app draws, so that the text does not move. */
function createDeliveryIconPlaceholder({ seq }: Message, { members, otherUser }: Conversation): HTMLElement {
  const other = members.find(({ userId }) => userId === otherUser?.id);
  const room = element(
    'span',
    (other?.readSeq ?? 0) >= seq ? bubbleStyles.readTickClasses : bubbleStyles.deliveryIconClasses,
  );
  room.style.visibility = 'hidden';
  return room;
}

/**
 * Draws a row that looks like the app's, with as few elements as possible. All of them are restyled when the app's
 * styles arrive.
 */
function drawRow(
  { message, own, startsGroup, endsGroup }: FirstPaintMessageRow,
  conversation: Conversation,
  clock: Clock,
) {
  const time = element('time', '', clock(Date.parse(message.createdAt)));
  const corner = element(
    'span',
    `${bubbleStyles.floatingTimeAndStatusClasses} ${bubbleStyles.timeAndStatusClasses} text-muted`,
    time,
  );
  corner.dir = 'ltr';
  if (own) corner.append(createDeliveryIconPlaceholder(message, conversation));
  const bubble = element(
    'div',
    `${bubbleStyles.bubbleClasses} ${bubbleStyles.textPaddingClasses} ${bubbleStyles.bubbleSurface(own)}`,
    textOf(message),
    corner,
  );
  bubble.dir = 'auto';
  Object.assign(bubble.style, bubbleStyles.cornersOf(own, startsGroup, endsGroup));
  const row = element(
    'div',
    `${bubbleStyles.rowClasses} ${bubbleStyles.gapAboveClasses(startsGroup)} ${bubbleStyles.bubbleRowClasses(own)}`,
  );
  const button = element('span', `${bubbleStyles.besideBubbleButtonClasses} pointer-coarse:hidden`);
  row.append(element('div', bubbleStyles.bubblePlaceClasses(own), bubble), button);
  return row;
}

/**
 * Replaces the placeholder bubbles in a conversation's frame with its newest messages, as the message list will show
 * them. Returns true if there are any. The frame is hidden from screen readers, ignores presses, and disappears when
 * the list is ready.
 */
export function drawFirstPaintMessages(frame: HTMLElement, early: EarlyConversation, clock: Clock): boolean {
  // The chat list before it has a status element of its own.
  const place = [...frame.querySelectorAll('[role=status]')].at(-1);
  const rows = selectFirstPaintRows(early);
  if (!place || rows.length === 0) return false;
  const below = element('div', 'h-10');
  const words = element('div', 'shrink-0', ...rows.map((row) => drawRow(row, early.conversation, clock)), below);
  // Scrolled to its end without any measuring, with a scroll bar if it overflows, as the list will be.
  const list = element('div', 'flex min-h-0 flex-1 flex-col-reverse overflow-y-auto bg-page', words);
  list.dataset.words = '';
  place.replaceWith(list);
  document.documentElement.dataset.frame = 'words';
  return true;
}
