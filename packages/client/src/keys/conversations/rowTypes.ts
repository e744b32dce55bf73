/** Rows of a sealed conversation as the chat engine gets them. All of it may cross the boundary of a worker. */

/** Reason why a row is not shown. Each has a sentence of its own on the screen. */
export type RowRefusal =
  /** Bytes of another form, or of a version that this app does not know. */
  | 'malformed'
  | 'version'
  /** Header that the conversation does not have, or that stands after the row. */
  | 'epoch'
  /** A device that is not in that epoch, or is of another account than the row says. */
  | 'device'
  /** The signature, or anything that it covers, is not what was sealed. */
  | 'signature'
  /** Refers to another message than the one it was sealed for, or edits the message of somebody else. */
  | 'target'
  /** Plain row in a conversation that is sealed. */
  | 'plain'
  /** Draft that waits for approval, in the place of a message; or a message in the place of a draft. */
  | 'held'
  /** Message of somebody who may approve no draft, or that shows it otherwise than its author sealed it. */
  | 'approval'
  /** Second row under one client id, or second approval of one draft. */
  | 'twice';

/** Pair of who reacted and how. */
export interface OpenedReaction {
  readonly userId: string;
  readonly emoji: string;
}

interface OpenedBase {
  readonly messageId: string;
}

/** Row that was opened and checked. */
export interface OpenRow extends OpenedBase {
  readonly state: 'open';
  /** Content of the envelope: JSON text of `sealEnvelope`. */
  readonly content: string;
  /** Milliseconds since 1970 on the sender's clock. */
  readonly sentAt: number;
  /** Milliseconds since 1970 when it disappears by the timer of its header; null for never. */
  readonly expiresAt: number | null;
  /** Row hash of the first version, which replies, edits, reactions, pins, and deletions name (base64url). */
  readonly rowHash: string;
  /** "Sent before the removal was known, or after it": folded, and not notified. */
  readonly late: boolean;
  /** True if it names a row that stands after it. */
  readonly outOfOrder: boolean;
  /** Reactions that were opened and checked; none that the server claims otherwise. */
  readonly reactions: readonly OpenedReaction[];
  /** Member whose device sealed the pin; null without one. */
  readonly pinnedBy: string | null;
  /** Account that wrote the draft which the row approves, and whose content it has; null in other rows. */
  readonly draftAuthor: string | null;
}

export type OpenedRow =
  | OpenRow
  /** Row that is not sealed: from before the conversation was, or a system line of the server. */
  | (OpenedBase & {
      readonly state: 'plain';
      /** Sealed reactions to it. One replaces a reaction of the same person that is not sealed. */
      readonly reactions?: readonly OpenedReaction[];
      /** Milliseconds since 1970 when a line of a sealed conversation disappears; null for never. */
      readonly expiresAt?: number | null;
    })
  /** "Waiting for the key". A later call opens it, once another device answered. */
  | (OpenedBase & { readonly state: 'waiting' })
  /** Row from before the account, or its present identity, was a member: no device of it gets the key. */
  | (OpenedBase & {
      readonly state: 'earlier';
      /** True for an approved draft from before then: the approval is later, but nobody here can check the author. */
      readonly isDraft?: true;
    })
  | (OpenedBase & { readonly state: 'refused'; readonly reason: RowRefusal })
  /** Tombstone with the signed deletion of this account. The author of a draft is null if the server kept nothing. */
  | (OpenedBase & {
      readonly state: 'deleted';
      readonly by: string;
      readonly rowHash: string;
      readonly draftAuthor: string | null;
    })
  /** Tombstone of a row whose time was over. */
  | (OpenedBase & { readonly state: 'expired' })
  /** "Removed by the server": a tombstone without a deletion that counts. */
  | (OpenedBase & { readonly state: 'removed' });

/** Place of rows that are missing although a row that was opened names them ("Something is missing here"). */
export interface RowGap {
  /** `seq` of the earliest row that names them. The line stands before it. */
  readonly seq: number;
  /** Row hashes (base64url). */
  readonly rows: readonly string[];
}

/** Rows that a caller has shown to `open`, once it caught up. */
export interface CaughtUp {
  /** `seq` of the first of a gapless run of rows up to the newest one, each in its present state. */
  readonly from: number;
  /** Every deletion since this `seq` was the newest one, wherever the deleted message stands. */
  readonly followedFrom: number;
  /**
   * False if the server hides some deletions from this account: of sealed messages from before it entered, and of
   * messages that the user cleared or hid.
   */
  readonly seesDeletions: boolean;
}
