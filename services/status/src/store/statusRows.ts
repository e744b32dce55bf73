import type { FileId, UserId } from '@nolo/kit/ids';
import type { Encryption, StatusAudienceMode, StatusMediaType } from '@nolo/rules';
import type { ViewedStatus, StatusId } from '../domain/status.ts';

export interface StatusRow {
  id: StatusId;
  author_id: UserId;
  client_id: string | null;
  media_type: StatusMediaType;
  content: string;
  encryption: Encryption;
  file_id: FileId | null;
  preview_file_id: FileId | null;
  audience_mode: StatusAudienceMode;
  audience_ids: UserId[];
  created_at: Date;
  expires_at: Date;
  removed_at: Date | null;
}

/** Viewer-specific columns of a status update. */
export interface StatusViewRow {
  view_count?: number;
  has_viewed?: boolean;
  is_muted?: boolean;
}

export function fromStatusRow(row: StatusRow & StatusViewRow): ViewedStatus {
  return {
    id: row.id,
    authorId: row.author_id,
    clientId: row.client_id,
    mediaType: row.media_type,
    content: row.content,
    encryption: row.encryption,
    fileId: row.file_id,
    previewFileId: row.preview_file_id,
    audienceMode: row.audience_mode,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    viewCount: row.view_count ?? 0,
    hasViewed: row.has_viewed ?? false,
    isMuted: row.is_muted ?? false,
  };
}

/** Authors who do not share receipts see no views. */
export const viewCountSql = `case when exists (select from receipts_off r where r.user_id = s.author_id) then 0
  else (select count(*)::int from views v where v.status_id = s.id and v.shared) end as view_count`;
