import { parseIdOrThrow, parseId, type FileId, type BrandedId, type UserId } from '@nolo/kit/ids';
import {
  encryptions,
  limits,
  statusAudienceModes,
  statusMediaTypes,
  type Encryption,
  type FileKind,
  type StatusAudienceMode,
  type StatusMediaType,
} from '@nolo/rules';
import { audienceInvalid, createStatusError, statusInvalid, statusNotFound } from '../errors.ts';

export type StatusId = BrandedId<'status'>;

/** Audience of a status update, among the mutual contacts of its author. */
export interface AudienceSelection {
  readonly mode: StatusAudienceMode;
  /** People whom `except` excludes, or whom `only` names. */
  readonly userIds: readonly UserId[];
}

export const allContactsAudience: AudienceSelection = { mode: 'contacts', userIds: [] };

/** Validated draft. */
export interface StatusDraft {
  readonly authorId: UserId;
  readonly clientId: string | null;
  readonly mediaType: StatusMediaType;
  /** Envelope that is never opened here. */
  readonly content: string;
  readonly encryption: Encryption;
  readonly fileId: FileId | null;
  readonly previewFileId: FileId | null;
}

export interface Status extends StatusDraft {
  readonly id: StatusId;
  readonly audienceMode: StatusAudienceMode;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Status update as a permitted viewer sees it. */
export interface ViewedStatus extends Status {
  /** Number of viewers who share receipts. 0 for everyone except the author. */
  readonly viewCount: number;
  readonly hasViewed: boolean;
  readonly isMuted: boolean;
}

/** Facts about a file from the files service. */
export interface StatusFileFacts {
  readonly id: string;
  readonly kind: FileKind;
  /** Size in bytes. */
  readonly size: number;
}

/** Parses an ID. Malformed IDs count as unknown. */
export function parseStatusId(id: string): StatusId {
  return parseIdOrThrow<StatusId>(id, statusNotFound);
}

interface GivenDraft {
  clientStatusId?: string | undefined;
  mediaType: string;
  content: string;
  encryption: string;
  fileId?: string | undefined;
  previewFileId?: string | undefined;
}

function fileFrom(given: string | undefined): FileId | null {
  if (!given) return null;
  const id = parseId<FileId>(given);
  if (!id) throw statusInvalid('The file id is invalid.');
  return id;
}

/** @throws status_invalid, status_too_large */
export function parseStatusDraft(authorId: UserId, given: GivenDraft): StatusDraft {
  const { content } = given;
  const mediaType = statusMediaTypes.find((known) => known === given.mediaType);
  // Only messages are sealed so far.
  const encryption = encryptions.find((known) => known === given.encryption && known !== 'epochs');
  const clientId = given.clientStatusId ? parseId(given.clientStatusId) : null;
  if (!mediaType || !encryption || clientId === undefined) throw statusInvalid('The status update is invalid.');
  const maxBytes = limits.statusContentBytes;
  if (Buffer.byteLength(content, 'utf8') > maxBytes) {
    throw createStatusError('too_large', 'status_too_large', 'The status update is too long.', { maxBytes });
  }
  // PostgreSQL stores no NUL, and UTF-8 cannot encode a lone surrogate.
  if (content.includes('\0') || !content.isWellFormed()) {
    throw statusInvalid('The status update contains invalid characters.');
  }
  const [fileId, previewFileId] = [fileFrom(given.fileId), fileFrom(given.previewFileId)];
  if (mediaType === 'text' && content === '') throw statusInvalid('The status update is empty.');
  if ((mediaType === 'text') !== (fileId === null)) {
    throw statusInvalid('A picture or a video must have a file, and a text must not.');
  }
  if (mediaType !== 'video' && previewFileId !== null) throw statusInvalid('Only a video can have a preview image.');
  return { authorId, clientId, mediaType, content, encryption, fileId, previewFileId };
}

/**
 * Checks the declared media type against the actual files if possible: with encrypted content, the files are encrypted
 * too.
 *
 * @throws status_invalid, status_too_large
 */
export function checkStatusFileFacts(
  { encryption, mediaType, fileId, previewFileId }: StatusDraft,
  facts: readonly StatusFileFacts[],
): void {
  const maxBytes = limits.statusMediaBytes;
  if (facts.some(({ size }) => size > maxBytes)) {
    throw createStatusError('too_large', 'status_too_large', 'The file is too large for a status update.', {
      maxBytes,
    });
  }
  if (encryption !== 'none') return;
  const kindOf = (id: FileId | null) => facts.find((file) => file.id === id)?.kind;
  if (fileId !== null && kindOf(fileId) !== mediaType) {
    throw statusInvalid('The file type does not match the status update.');
  }
  if (previewFileId !== null && kindOf(previewFileId) !== 'image')
    throw statusInvalid('The preview image must be an image.');
}

/** @throws audience_invalid */
export function parseStatusAudience(
  actorId: UserId,
  given: { mode: string; userIds: readonly string[] },
): AudienceSelection {
  const mode = statusAudienceModes.find((known) => known === given.mode);
  if (!mode) throw audienceInvalid('Unknown audience.');
  const userIds = given.userIds.map((id) => parseId<UserId>(id)).filter((id) => id !== undefined);
  if (userIds.length < given.userIds.length) throw audienceInvalid('The audience contains invalid user ids.');
  const people = [...new Set(userIds)].filter((id) => id !== actorId);
  if (people.length > limits.statusAudiencePeople) {
    throw audienceInvalid(`An audience can name at most ${limits.statusAudiencePeople} people.`);
  }
  if (mode === 'contacts' && people.length > 0)
    throw audienceInvalid('An audience of all contacts must not name anyone.');
  if (mode === 'only' && people.length === 0) throw audienceInvalid('Name at least one person for this audience.');
  return { mode, userIds: people };
}

/** Returns when a status update posted now expires. */
export function computeStatusExpiry(now: Date): Date {
  return new Date(now.getTime() + limits.statusHours * 3_600_000);
}
