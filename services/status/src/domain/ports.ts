import type { FileId, UserId } from '@nolo/kit/ids';
import type { AudienceSelection, StatusDraft, StatusFileFacts, ViewedStatus, StatusId } from './status.ts';

/** Result of posting a draft. `removed`: it was posted before and removed. */
export type PostStatusOutcome =
  | { readonly kind: 'posted' | 'repeated'; readonly status: ViewedStatus }
  | { readonly kind: 'removed' }
  | { readonly kind: 'full' };

/** Start of a page: after this author, whose latest status update was posted at this time. */
export interface StatusListCursor {
  readonly at: Date;
  readonly userId: UserId;
}

interface StatusPage {
  readonly statuses: readonly ViewedStatus[];
  readonly next: StatusListCursor | undefined;
}

export interface StatusStore {
  /** Returns an earlier post with the client's ID. */
  findPosted(authorId: UserId, clientId: string, now: Date): Promise<PostStatusOutcome | undefined>;
  /** Posts a draft. An audience is remembered; if absent, the last chosen one applies. */
  post(
    draft: StatusDraft,
    audience: AudienceSelection | undefined,
    times: { now: Date; expiresAt: Date },
  ): Promise<PostStatusOutcome>;
  /** Lists the author's own status updates, all of them because they are few. */
  listOwn(authorId: UserId, now: Date): Promise<ViewedStatus[]>;
  /** Lists other people's status updates that the viewer may see. */
  listOthers(viewerId: UserId, after: StatusListCursor | undefined, limit: number, now: Date): Promise<StatusPage>;
  /** Returns false if the actor has none with that ID. */
  remove(authorId: UserId, statusId: StatusId, now: Date): Promise<boolean>;
  /** Deletes expired status updates and returns their expiry times. */
  deleteExpired(limit: number, now: Date): Promise<Date[]>;
  /** Returns when the next one expires. */
  nextExpiry(): Promise<Date | undefined>;
}

export interface StatusViewStore {
  /** Returns undefined if the viewer may not see it. */
  add(viewerId: UserId, statusId: StatusId, now: Date): Promise<'first' | 'repeated' | undefined>;
  /** Returns undefined if it does not belong to the actor. */
  list(
    authorId: UserId,
    statusId: StatusId,
    page: { after: StatusListCursor | undefined; limit: number; now: Date },
  ): Promise<{ userId: UserId; viewedAt: Date }[] | undefined>;
  /**
   * Returns people who may see it, have not viewed it, and have not muted its author, by ID. `among`: restricts the
   * result to these people.
   */
  unseenBy(
    statusId: StatusId,
    page: { after: UserId | undefined; among: readonly UserId[]; limit: number; now: Date },
  ): Promise<UserId[]>;
}

export interface AudienceChoiceStore {
  audienceOf(userId: UserId): Promise<AudienceSelection>;
  setAudience(userId: UserId, audience: AudienceSelection): Promise<void>;
  /** Returns false if that would exceed the limit. */
  setMute(userId: UserId, authorId: UserId, muted: boolean): Promise<boolean>;
}

/** Finds files that status updates use, for the files service. */
export interface StatusFileReferenceStore {
  /**
   * Returns the latest expiry of the status updates that use the file and that the viewer may see. Undefined if there
   * are no such updates.
   */
  readableUntil(viewerId: UserId, fileId: FileId, now: Date): Promise<Date | undefined>;
  listNamed(fileIds: readonly FileId[], now: Date): Promise<FileId[]>;
}

/** Stores data reported by identity and chat. */
export interface PeopleStore {
  changeContacts(ownerId: UserId, change: { added: readonly UserId[]; removed: readonly UserId[] }): Promise<void>;
  setBlocked(blockerId: UserId, blockedId: UserId, blocked: boolean): Promise<void>;
  setSharesReceipts(userId: UserId, shares: boolean): Promise<void>;
  /** Deletes all data of the person. */
  forget(userId: UserId): Promise<void>;
}

/**
 * Returns facts about files that a user is about to post, and protects them from being swept meanwhile. @throws
 * file_not_found
 */
export type CheckAttachableFiles = (actorId: UserId, fileIds: readonly FileId[]) => Promise<StatusFileFacts[]>;
