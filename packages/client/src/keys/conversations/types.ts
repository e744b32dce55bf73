import type { Message, NewEpoch, NewSealed } from '@nolo/api';
import type { CaughtUp, OpenedRow, RowGap } from './rowTypes.ts';

/** Sealed conversations as the chat engine uses them. All of it may cross the boundary of a worker. */

/** Conversation as the chat engine knows it from the server. */
export interface ConversationFacts {
  readonly id: string;
  readonly type: 'direct' | 'group';
  /** Accounts of all members, the own one included. */
  readonly memberIds: readonly string[];
  /** `sealedFromSeq` of the conversation. */
  readonly sealedFromSeq: number | null;
  /** True if the conversation has messages that are not sealed. */
  readonly hasPlainMessages: boolean;
}

interface DraftBase {
  readonly conversation: ConversationFacts;
  /** UUID of the client. That of the message in an edit; a new one otherwise. */
  readonly clientMessageId: string;
}

/** Message that a draft refers to. `rowHash` is that of `OpenRow`; null if it is not sealed. */
export interface DraftTarget {
  readonly messageId: string;
  readonly rowHash: string | null;
}

interface WrittenDraft extends DraftBase {
  /** Content of the envelope: JSON text of `sealEnvelope`. */
  readonly content: string;
  readonly messageType: string;
  readonly mentions: readonly string[];
  /** Ids of the attached files: main file, voice note, preview. */
  readonly fileIds: readonly string[];
  readonly hasLink: boolean;
  /** Row hash of the newest message that the user was shown; null for none. */
  readonly seen: string | null;
}

export type SealedDraft =
  | (WrittenDraft & {
      readonly kind: 'message';
      readonly replyTo: DraftTarget | null;
      /**
       * Milliseconds since 1970 by this device when the user wrote the message, or tapped to send it nevertheless. A
       * message from before a change of who reads waits (`written_before`). Without it, none does.
       */
      readonly writtenAt?: number;
      /** True for a draft that waits for approval. */
      readonly held?: boolean;
    })
  /** Message of an admin that approves a draft, given as the server serves it, and that carries and shows it. */
  | (DraftBase & { readonly kind: 'approval'; readonly draft: Message; readonly seen: string | null })
  /** `version` is one above that of the newest version. */
  | (WrittenDraft & { readonly kind: 'edit'; readonly target: DraftTarget; readonly version: number })
  /** An empty emoji takes the reaction away. */
  | (DraftBase & { readonly kind: 'reaction'; readonly target: DraftTarget; readonly emoji: string })
  | (DraftBase & { readonly kind: 'pin'; readonly target: DraftTarget });

/** Reason why nothing is sent, and no answer of the user changes that. */
export type ConversationBlock =
  /**
   * Two versions of the conversation, which other members may end, or of somebody's devices (`userId`). An owner, and
   * either person of a direct conversation, gets the question `fork` instead, and a group `device_fork`.
   */
  | 'fork'
  /** Two versions from the start (section 4): the conversation has ended. Its people can start another. */
  | 'ended'
  /** A header or list that is not in order. */
  | 'refused'
  /** Older than this device has seen, or than another one of the account has seen of this person (`userId`). */
  | 'old'
  | 'version'
  /** Device that is not in the account, or an account whose own keys are blocked. */
  | 'keys'
  /** The server's members or settings follow from no signed change. */
  | 'members';

/** Question that the user answers before anything is sent. `id` names it in `answer`. */
export type ConversationQuestion =
  /** Identity that is not the known one. */
  | { readonly id: string; readonly kind: 'identity'; readonly userId: string }
  /** A decision about this person was made on a device that was removed since. */
  | { readonly id: string; readonly kind: 'undecided'; readonly userId: string }
  /** "The server supplied these members". */
  | { readonly id: string; readonly kind: 'members'; readonly userIds: readonly string[] }
  /** People who joined by the code. */
  | { readonly id: string; readonly kind: 'joined'; readonly userIds: readonly string[] }
  /** Restart of the conversation, because nobody had its keys. */
  | { readonly id: string; readonly kind: 'restart'; readonly userId: string }
  /** A header was signed on a device that had been removed before. */
  | { readonly id: string; readonly kind: 'removed_device'; readonly userId: string }
  /**
   * A device of this account saw a header that the server does not show. A yes sets that aside: what the server shows
   * counts, until it shows the other one. `deviceName` is a User-Agent; empty if this device does not know it.
   */
  | { readonly id: string; readonly kind: 'newer'; readonly device: string; readonly deviceName: string }
  /**
   * The server showed two versions of the conversation, and this user may end that. A yes signs that the version which
   * the server shows now goes on, and removes from it `removes`, whom the other one had removed. It needs the server.
   */
  | { readonly id: string; readonly kind: 'fork'; readonly removes: readonly string[] }
  /**
   * Two versions ended. `userId` signed that this one goes on; null: it removed whoever began the other one, which had
   * changes of members or settings that are now gone.
   */
  | { readonly id: string; readonly kind: 'fork_ended'; readonly userId: string | null }
  /**
   * The server showed two versions of the person's devices. Groups only: a yes goes on with the devices that the newest
   * header names, until the versions end.
   */
  | { readonly id: string; readonly kind: 'device_fork'; readonly userId: string }
  /**
   * Messages to the group are not encrypted, because `userIds` have no keys. Groups only. A yes holds on this device
   * until the group is sealed.
   */
  | { readonly id: string; readonly kind: 'not_encrypted'; readonly userIds: readonly string[] };

/** Way of a message that is sent now. */
export type SendState =
  /**
   * Goes unsealed: nobody has seen a header of the conversation, and these members have no keys. In a group, the user
   * said yes to that.
   */
  | { readonly state: 'plain'; readonly withoutKeys: readonly string[] }
  | { readonly state: 'sealed' }
  /**
   * Waits, because none of these people has a key, and new conversations take no plain text; without them, because
   * this device has no key yet.
   */
  | { readonly state: 'waiting_for_key'; readonly withoutKeys?: readonly string[] }
  /**
   * "Waiting until a member lets you in": the server has the account in the group, and no header has it. `letInBy`:
   * the members who can. If there are none, because they left or have no keys, the group leads nowhere.
   */
  | { readonly state: 'waiting_for_entry'; readonly letInBy: readonly string[] }
  | { readonly state: 'question'; readonly questions: readonly ConversationQuestion[] }
  | { readonly state: 'blocked'; readonly reason: ConversationBlock; readonly userId?: string };

/**
 * The message was written before these people joined by the code, or changed their identity. It waits for a tap, after
 * which the caller seals it with a later `writtenAt`. Other messages are not affected.
 */
export interface WrittenBefore {
  readonly state: 'written_before';
  readonly userIds: readonly string[];
}

export type SealResult =
  | Exclude<SendState, { readonly state: 'sealed' }>
  | WrittenBefore
  | {
      readonly state: 'sealed';
      readonly sealed: NewSealed;
      /**
       * Epoch that has to go along, as the body of `POST /api/epochs/{id}` (`message` is for the caller to add). The
       * caller repeats both byte for byte until a definite answer.
       */
      readonly epoch: NewEpoch | null;
      /** Row hash, once the server stores it (base64url). In an edit, that of the new version. */
      readonly rowHash: string;
    };

/** Line that a header produces. It stands after the row with this `seq`. */
export interface HeaderLine {
  readonly seq: number;
  readonly epoch: number;
  /** Milliseconds since 1970 by the committer's clock. */
  readonly at: number;
  /** Account whose device signed the change; null if the header has it without evidence. */
  readonly by: string | null;
  readonly change:
    | { readonly kind: 'started' }
    /** Started with members that the server supplied (`reason` 4). */
    | { readonly kind: 'started_by_server_members' }
    /** Started anew, because nobody had its keys (`reason` 3). */
    | { readonly kind: 'restarted' }
    | { readonly kind: 'added' | 'joined' | 'removed' | 'left' | 'identity_changed'; readonly userId: string }
    | { readonly kind: 'role'; readonly userId: string; readonly role: 0 | 1 | 2 }
    /** Seconds, or 0. */
    | { readonly kind: 'timer'; readonly seconds: number }
    | { readonly kind: 'admission'; readonly isOpen: boolean }
    | { readonly kind: 'device_left_out' | 'device_returned'; readonly userId: string; readonly device: string }
    /** New device of a person whom the user verified. */
    | { readonly kind: 'device_added'; readonly userId: string }
    /** New secret before the time of the last one was over (`reason` 2). */
    | { readonly kind: 'renewed' }
    /** End of two versions of the conversation, which `by` signed. */
    | { readonly kind: 'resolved' }
    /** Begin of a version that this device took in place of another one, whose first author it removed. */
    | { readonly kind: 'switched' };
}

export interface ConversationStanding {
  /** Null in an overview, which asks nobody, unless the headers alone prevent sending. */
  readonly send: SendState | null;
  /**
   * True once this device, or another one of the account, has seen a header: the conversation takes no plain text, and
   * shows none as a message, whatever the server says.
   */
  readonly isSealed: boolean;
  /** Newest epoch; null while the conversation has none. */
  readonly epoch: number | null;
  /** 1 X25519, 2 X-Wing; null without an epoch. */
  readonly suite: 1 | 2 | null;
  /** Members in the newest header; without one those of the facts, and none in an overview. */
  readonly members: readonly { readonly userId: string; readonly role: 0 | 1 | 2; readonly devices: number }[];
  /**
   * Members of the server whom no header has, and whom nobody signed for: they read nothing. "Let Ann read along?" A
   * yes is a change `add`, whose epoch goes to `POST /api/epochs/{id}`.
   */
  readonly outsiders: readonly string[];
  /** Seconds after which messages disappear, by the newest header. */
  readonly timer: number;
  readonly lines: readonly HeaderLine[];
}

/** Change of a group or of a timer that this device signs. */
export type GroupChange =
  | { readonly kind: 'add'; readonly userId: string; readonly role?: 0 | 1 | 2 }
  | { readonly kind: 'remove'; readonly userId: string }
  /** Handing over is two of these in one call. */
  | { readonly kind: 'role'; readonly userId: string; readonly role: 0 | 1 | 2 }
  | { readonly kind: 'timer'; readonly seconds: number }
  | { readonly kind: 'admission'; readonly isOpen: boolean }
  /** Key of the invite link (base64url), which replaces the former ones; null takes them away. */
  | { readonly kind: 'invite'; readonly key: string | null };

export type InviteResult =
  | Exclude<ChangeResult, { readonly state: 'sealed' }>
  /** `epoch` goes in the body of the ordinary route, and `key` after `&key=` in the link's fragment. */
  | { readonly state: 'sealed'; readonly epoch: NewEpoch; readonly key: string };

export type ChangeResult =
  | Exclude<SendState, { readonly state: 'sealed' }>
  /** Goes as `epoch` in the body of the ordinary route. */
  | { readonly state: 'sealed'; readonly epoch: NewEpoch };

/** Signed deletion as the body of `DELETE /api/messages/{id}` has it. */
export interface SignedDeletion {
  readonly body: string;
  readonly signature: string;
}

/**
 * Sealed conversations of this device. Methods reject with `ApiError` if the server cannot be asked, and with
 * `KeysError` `not_ready` on a device without keys.
 */
export interface Conversations {
  /**
   * Opens rows as the server serves them: messages, edited ones, and tombstones, with their reactions and pins. Takes
   * at most 50. Answers from memory where it can; a row of an unknown epoch fetches epochs first.
   *
   * @param kind `drafts` opens drafts that wait for approval, which count nowhere else; `exported` opens rows of a
   *   file: they are not remembered, and not compared with rows of other calls
   */
  open(
    conversationId: string,
    rows: readonly Message[],
    kind?: 'messages' | 'drafts' | 'exported',
  ): Promise<readonly OpenedRow[]>;
  /**
   * Returns the places where rows are missing that opened rows name, in their order, at most 20. A row counts as
   * missing only if this device would have it: not if it may stand before the rows that were opened, or before the
   * account was a member. One that was reported is reported until it arrives, also after a restart.
   */
  gaps(conversationId: string, caughtUp: CaughtUp): Promise<readonly RowGap[]>;
  /** Seals one message, edit, reaction, or pin for the newest epoch, and begins the next one where that is due. */
  seal(draft: SealedDraft): Promise<SealResult>;
  /**
   * Takes the server's answer to a sealed message or edit, so that the next one names it, and the epoch that went
   * along counts.
   */
  acknowledged(conversationId: string, row: Message): Promise<void>;
  /**
   * Signs a deletion for everyone. `rowHash` is that of `OpenRow`. If asked again for a message, it looks for newer
   * headers first, because the server refuses a deletion from before a removal with `epoch_stale`.
   */
  signDeletion(conversationId: string, target: { messageId: string; rowHash: string }): Promise<SignedDeletion>;
  /** Takes the tombstone that answers a deletion, so that the next message of this device names what was stored. */
  deletionAcknowledged(conversationId: string, tombstone: Message): Promise<void>;
  /** Says how a message would go now, and what the headers say. Fetches epochs and lists where they may be stale. */
  standing(facts: ConversationFacts): Promise<ConversationStanding & { readonly send: SendState }>;
  /**
   * Says what the headers say, for a conversation that is only read: lists of members are fetched only where a new
   * header names them. Without a connection, what is known counts.
   */
  overview(conversationId: string): Promise<ConversationStanding>;
  /**
   * Answers a question of `standing` or `seal`. A no holds while its reason does, and can become a yes. A yes to `fork`
   * signs and commits, and rejects with `ApiError` if that fails.
   */
  answer(conversationId: string, questionId: string, isAccepted: boolean): Promise<void>;
  /** Returns the ids of all conversations of which this device, or another one of the account, has seen a header. */
  listSealed(): Promise<readonly string[]>;
  /** Signs changes, and builds the epoch with them. */
  change(facts: ConversationFacts, changes: readonly GroupChange[]): Promise<ChangeResult>;
  /** Makes a key for an invite link, and builds the epoch with it. Owners and admins. */
  createInvite(facts: ConversationFacts): Promise<InviteResult>;
  /**
   * Signs the own addition with the key of an invite link, as `addition` of the route that joins by the code, and
   * remembers from which header to check. Null if it is no such key.
   */
  signEntry(conversationId: string, key: string): Promise<string | null>;
  /** Signs additions of people who may be asked first, as `additions` of the ordinary route; none without an epoch. */
  signAdditions(conversationId: string, userIds: readonly string[]): Promise<readonly string[]>;
  /** Signs the own leave, as `leave` of the ordinary route; null in a conversation without an epoch. */
  signLeave(conversationId: string): Promise<string | null>;
  /**
   * Handles `epochs_changed`, `nacks_changed`, and `devices_changed`; and `reconnected`, which the caller makes once
   * frames may have been lost.
   */
  onFrame(frame: { readonly type: string; readonly data: unknown }): void;
  /** Calls back with the id of a conversation whose rows or standing may have changed; null: any. */
  subscribe(listener: (conversationId: string | null) => void): () => void;
}
