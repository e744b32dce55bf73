import type { Message } from '@nolo/api';
import type { OpenRow, RowRefusal } from '../keys/conversations/rowTypes.ts';

/** Row as the server sent it, which a later attempt may open, or open otherwise. */
interface Unopened {
  readonly row: Message;
}

/** State of a row of a sealed conversation. */
export type RowOpening =
  /**
   * Row that is being opened. Every row begins so, and leaves this state once the device answered; without keys and
   * without a connection it becomes one that waits. Screens show a placeholder, and nothing about the row.
   */
  | ({ readonly state: 'closed' } & Unopened)
  /** Opened and checked. With `row`, a newer state of it is being opened, and this is what was known before. */
  | (Pick<OpenRow, 'state' | 'sentAt' | 'late' | 'outOfOrder' | 'pinnedBy'> & {
      /** Null in the user's own message until it was checked. */
      readonly rowHash: string | null;
      /** Admin who approved the message, and whose message the server takes it for; absent in other messages. */
      readonly approvedBy?: string;
    } & Partial<Unopened>)
  /** Plain row that may be one. */
  | ({ readonly state: 'plain' } & Partial<Unopened>)
  /** Row whose epoch this device has no key of yet. */
  | ({ readonly state: 'waiting' } & Unopened)
  /** Row from before the account was a member: no device of it gets the key. */
  | { readonly state: 'earlier'; readonly isDraft?: true }
  | ({ readonly state: 'refused'; readonly reason: RowRefusal } & Unopened)
  | { readonly state: 'deleted'; readonly by: string; readonly rowHash: string }
  | { readonly state: 'expired' }
  /** Gone without a reason that counts. */
  | ({ readonly state: 'removed' } & Unopened);

/** Message of the store or the device. Rows of conversations that are not sealed have no `opening`. */
export type StoredMessage = Message & { readonly opening?: RowOpening };

/** Returns what became of a row; undefined outside of sealed conversations. */
export const openingOf = ({ opening }: StoredMessage): RowOpening | undefined => opening;

/** Returns the admin who approved a message that waited; null for any other message. */
export function approverOf({ opening }: StoredMessage): string | null {
  return opening?.state === 'open' ? (opening.approvedBy ?? null) : null;
}

/** Returns the row as the server sent it, if it can be opened again. */
export function unopenedRow({ opening }: StoredMessage): Message | undefined {
  return opening && 'row' in opening ? opening.row : undefined;
}
