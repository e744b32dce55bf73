import type { Conversation, Message } from '@nolo/api';
import type { EarlyConversation } from '../../session/earlyConversation.ts';
import { placeOf, type EntryPlace } from '../engine/entryPlace.ts';
import type { Entry } from '../engine/entries.ts';
import * as look from './bubbleLook.ts';

/** What is above the window is drawn by the app: no row is lower than this, in pixels, where it is close and where it is not. */
const lowestRow = { compact: 28, usual: 34 };
/** Header and composer are no lower than this together. */
const aroundList = 110;
/** Longer texts are set otherwise, and take long to set. */
const mostCharacters = 1_000;

/** Words that need no code to be read: no markup, address, mention, emoji, or mark that turns the direction. */
const plainWords = /^(?!\s*\d{1,9}[.)]\s)[\p{L}\p{M}\p{N} .,;:!?'’"“”„«»()\n–—…%&/+=€$-]*$/u;
const notPlain = /^[ \t]{0,3}[-+]\s|^[ \t]{0,3}\d{1,9}[.)]\s|www\.|:\/\/|mailto:/imu;

export function isPlain(text: string): boolean {
  return text.trim() !== '' && text.length <= mostCharacters && plainWords.test(text) && !notPlain.test(text);
}

/** Whether a message is words and nothing else. */
function isWords(message: Message): boolean {
  const { messageType, deletedAt, expiresAt, replyTo, linkPreview, mentions, reactions, editedAt, pinnedAt } = message;
  return (
    messageType === 'text' &&
    deletedAt === null &&
    expiresAt === null &&
    replyTo === null &&
    linkPreview === null &&
    mentions.length === 0 &&
    reactions.length === 0 &&
    editedAt === null &&
    pinnedAt === null &&
    message.forwarded !== true &&
    (message.extra ?? null) === null &&
    isPlain(message.content)
  );
}

export interface EarlyRow extends EntryPlace {
  readonly message: Message;
  readonly own: boolean;
}

/**
 * The newest messages that are plain words, from the last one up to the first that is something else or of another day,
 * in their order. None where the conversation opens anywhere but at its end, or with something else below its messages.
 */
export function earlyRows({ conversation, page }: EarlyConversation): EarlyRow[] {
  const { type, otherUser, requestedAt, unreadCount, clearedSeq } = conversation;
  if (!page || type !== 'direct' || !otherUser || otherUser.isBlocked) return [];
  if (requestedAt !== null || unreadCount > 0) return [];
  const shown = page.items.filter(({ hidden, seq }) => !hidden && seq > clearedSeq);
  const entries = shown.map((message): Entry => {
    const at = Date.parse(message.createdAt);
    return { key: message.id, senderId: message.senderId, at, message, pending: null };
  });
  const lowest = document.documentElement.dataset.density === 'compact' ? lowestRow.compact : lowestRow.usual;
  const mostRows = Math.ceil((innerHeight - aroundList) / lowest);
  const rows: EarlyRow[] = [];
  for (const [index, message] of [...shown.entries()].reverse()) {
    const place = placeOf(entries, index, null);
    if (rows.length === mostRows || !isWords(message)) break;
    // What stands above the first of a day, or of all, is drawn by the app.
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

/** Says what the clock shows at a moment, in milliseconds since the epoch. */
type Clock = (at: number) => string;

/** Its ticks come with the app; their room is there, so that the words stand as they will. */
function markRoom({ seq }: Message, { members, otherUser }: Conversation): HTMLElement {
  const other = members.find(({ userId }) => userId === otherUser?.id);
  const room = element('span', (other?.readSeq ?? 0) >= seq ? look.readLook : look.markClasses);
  room.style.visibility = 'hidden';
  return room;
}

/** As the app's rows look, in as few elements as that takes: all of them are styled once more when the app's styles come. */
function drawRow({ message, own, startsGroup, endsGroup }: EarlyRow, conversation: Conversation, clock: Clock) {
  const time = element('time', '', clock(Date.parse(message.createdAt)));
  const corner = element('span', `${look.besideWords} ${look.cornerClasses} text-muted`, time);
  corner.dir = 'ltr';
  if (own) corner.append(markRoom(message, conversation));
  const bubble = element(
    'div',
    `${look.bubbleClasses} ${look.wordsPadding} ${look.bubbleSurface(own)}`,
    message.content,
    corner,
  );
  bubble.dir = 'auto';
  Object.assign(bubble.style, look.cornersOf(own, startsGroup, endsGroup));
  const row = element('div', `${look.rowClasses} ${look.gapAbove(startsGroup)} ${look.lineClasses(own)}`);
  const button = element('span', `${look.besideButton} pointer-coarse:hidden`);
  row.append(element('div', look.bubblePlaceClasses(own), bubble), button);
  return row;
}

/**
 * Puts the newest words of a conversation into its frame, in place of the bubbles to be, as the list of messages will
 * show them; answers whether there are any. The frame can be neither heard nor pressed, and goes when that list stands.
 */
export function drawEarlyWords(frame: HTMLElement, early: EarlyConversation, clock: Clock): boolean {
  // The list of chats, which stands before it, has one of its own.
  const place = [...frame.querySelectorAll('[role=status]')].at(-1);
  const rows = earlyRows(early);
  if (!place || rows.length === 0) return false;
  const below = element('div', 'h-10');
  const words = element('div', 'shrink-0', ...rows.map((row) => drawRow(row, early.conversation, clock)), below);
  // At its end, with a bar where there is more than its place has room for, as the list will be: without being measured.
  const list = element('div', 'flex min-h-0 flex-1 flex-col-reverse overflow-y-auto bg-page', words);
  list.dataset.words = '';
  place.replaceWith(list);
  document.documentElement.dataset.frame = 'words';
  return true;
}
