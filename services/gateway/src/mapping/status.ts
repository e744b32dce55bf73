import type { Sealed, SealedStatus, StatusAudience, StatusAuthor, StatusUpdate, User } from '@nolo/api';
import type { Status, StatusAudience as AudienceRow } from '@nolo/proto/status';
import { encryptions, statusAudienceModes, statusMediaTypes } from '@nolo/rules';
import { toObjectPath } from './files.ts';
import { toIsoTime, emptyToNull } from './people.ts';

export function toStatusAuthor({ id, firstName, lastName, displayName, profileImageUrl }: User): StatusAuthor {
  return { id, firstName, lastName, displayName, profileImageUrl };
}

const mode = (value: string | undefined) => statusAudienceModes.find((known) => known === value);

const addressOf = (fileId: string | undefined) => (fileId ? toObjectPath(fileId) : null);

/** Maps a status update, with its content as stored. */
function toStatusState(row: Status): SealedStatus {
  return {
    id: row.id,
    userId: row.authorId,
    mediaType: statusMediaTypes.find((known) => known === row.mediaType) ?? 'text',
    content: row.content,
    encryption: encryptions.find((known) => known === row.encryption) ?? 'none',
    mediaUrl: addressOf(row.fileId),
    previewUrl: addressOf(row.previewFileId),
    clientStatusId: emptyToNull(row.clientStatusId),
    createdAt: toIsoTime(row.createdAt),
    expiresAt: toIsoTime(row.expiresAt),
  };
}

export function toStatusUpdate(row: Status, author: User): Sealed<StatusUpdate> {
  const { viewCount, hasViewed, isMuted } = row;
  return {
    ...toStatusState(row),
    user: toStatusAuthor(author),
    viewCount,
    hasViewed,
    isMuted,
    audience: mode(row.audienceMode) ?? null,
  };
}

export function toStatusAudience(row: AudienceRow): StatusAudience {
  return { mode: mode(row.mode) ?? 'contacts', userIds: row.userIds };
}
