import type { Conversation } from '@nolo/api';
import { openingOf } from '@nolo/client/chat/rowOpening';
import type { MessageListEntry } from '@nolo/client/chat/timeline';
import type { ConversationStanding, HeaderLine } from '@nolo/client/keys/conversations/types';
import { isConfirmed } from '../words/confirmation.ts';

/** Line that says from where on messages are encrypted. */
export interface EncryptionLine {
  readonly seq: number;
  readonly change: { readonly kind: 'encrypted'; readonly hasPlainAbove: boolean };
}

/** Line where rows are missing that another row names. */
interface GapLine {
  readonly seq: number;
  readonly change: { readonly kind: 'missing' };
}

/** Line between the messages of a sealed conversation. It stands after the row with its `seq`. */
export type TimelineLine = HeaderLine | EncryptionLine | GapLine;

/** Lines that a sealed conversation shows beside its messages. */
export interface TimelineLines {
  /** Lines above an entry, by its key. */
  readonly above: ReadonlyMap<string, readonly TimelineLine[]>;
  /** Lines below the last entry. */
  readonly below: readonly TimelineLine[];
  /** Keys of the server's system messages that say what a header says. They are not shown. */
  readonly repeated: ReadonlySet<string>;
  /** Keys of the server's system messages about members and settings that no header confirms. */
  readonly unconfirmed: ReadonlySet<string>;
}

const none: readonly TimelineLine[] = [];
const noKeys: ReadonlySet<string> = new Set();

const noTimelineLines: TimelineLines = { above: new Map(), below: none, repeated: noKeys, unconfirmed: noKeys };

/** Returns true if this device saw a header of the conversation, or opened a row under one. */
const isKnownSealed = (standing: ConversationStanding | undefined, entries: readonly MessageListEntry[]): boolean =>
  standing?.isSealed === true ||
  entries.some(({ message }) => message !== null && openingOf(message)?.state === 'open');

/** Says if a header's line is shown. Another line says that encryption started. */
function isShown({ kind }: HeaderLine['change'], { type }: Pick<Conversation, 'type'>): boolean {
  // A direct conversation has no other people than those whom the user sees.
  return kind !== 'started' && !(kind === 'started_by_server_members' && type === 'direct');
}

/** Returns the `seq` of the newest unsealed message, or -1. The line stands below it, whatever the server says. */
const lastPlainSeq = (entries: readonly MessageListEntry[]): number =>
  entries.findLast(({ message }) => message !== null && message.messageType !== 'system' && isPlain(message))?.message
    ?.seq ?? -1;

const isPlain = (message: NonNullable<MessageListEntry['message']>): boolean => openingOf(message)?.state === 'plain';

function encryptionLine(
  { sealedFromSeq = null, clearedSeq }: Pick<Conversation, 'sealedFromSeq' | 'clearedSeq'>,
  entries: readonly MessageListEntry[],
  first: HeaderLine | undefined,
): EncryptionLine | null {
  const served = sealedFromSeq === null ? null : sealedFromSeq - 1;
  const seq = first?.epoch === 0 ? first.seq : Math.max(served ?? -1, lastPlainSeq(entries));
  if (seq < 0 || seq < clearedSeq) return null;
  const hasPlainAbove = entries.some(
    ({ message }) => message !== null && message.seq <= seq && message.messageType !== 'system',
  );
  return { seq, change: { kind: 'encrypted', hasPlainAbove } };
}

/**
 * Places the lines of a sealed conversation between its entries, and finds the server's lines about the same things.
 *
 * @param gaps `seq` of the rows before which others are missing
 * @param hiddenNeighbour entry before the first one, if it is not shown
 * @param isPast true if newer messages than the entries are not shown
 */
export function placeTimelineLines(
  conversation: Pick<Conversation, 'type' | 'sealedFromSeq' | 'clearedSeq'>,
  entries: readonly MessageListEntry[],
  standing: ConversationStanding | undefined,
  {
    gaps,
    hiddenNeighbour,
    isPast,
  }: { gaps: readonly number[]; hiddenNeighbour: MessageListEntry | undefined; isPast: boolean },
): TimelineLines {
  if (!isKnownSealed(standing, entries)) return noTimelineLines;
  const headers = standing?.lines ?? [];
  const encryption = encryptionLine(conversation, entries, headers[0]);
  const lines: TimelineLine[] = [
    ...(encryption ? [encryption] : []),
    ...headers.filter(({ change, seq }) => isShown(change, conversation) && seq >= conversation.clearedSeq),
    ...gaps.map((seq): GapLine => ({ seq: seq - 1, change: { kind: 'missing' } })),
  ];
  const from = hiddenNeighbour?.message?.seq ?? 0;
  const above = new Map<string, TimelineLine[]>();
  const below: TimelineLine[] = [];
  for (const line of lines) {
    if (line.seq < from) continue;
    const next = entries.find(({ message }) => message === null || message.seq > line.seq);
    if (next) above.set(next.key, [...(above.get(next.key) ?? []), line]);
    else if (!isPast) below.push(line);
  }
  const repeated = new Set<string>();
  const unconfirmed = new Set<string>();
  const start = headers[0]?.seq ?? Infinity;
  for (const { key, message } of entries) {
    if (!message || message.seq <= start) continue;
    const confirmed = isConfirmed(message, headers);
    if (confirmed !== null) (confirmed ? repeated : unconfirmed).add(key);
  }
  return { above, below, repeated, unconfirmed };
}
