import type { FileId, UserId } from '@nolo/kit/ids';
import type { FileKind, ThumbnailWidth } from '@nolo/rules';
import type { IncomingKey } from '../domain/incoming.ts';
import { parseFileKind, type UploadingFile, type ReadyFile, type SharedFile } from '../domain/sharedFiles.ts';

export interface SharedFileRow {
  id: FileId;
  owner_id: UserId;
  state: 'open' | 'ready' | 'given_up';
  multipart: boolean;
  storage_upload_id: string | null;
  incoming_key: IncomingKey | null;
  name: string;
  declared_type: string;
  declared_kind: string;
  kind: FileKind | null;
  content_type: string | null;
  size: number;
  stored_bytes: number;
  width: number | null;
  height: number | null;
  thumbnails: ThumbnailWidth[];
  thumbhash: string | null;
  moves: boolean;
  created_at: Date;
  touched_at: Date;
  attached_at: Date | null;
  check_at: Date | null;
}

export function toSharedFile(row: SharedFileRow): SharedFile {
  const begun = {
    id: row.id,
    ownerId: row.owner_id,
    multipart: row.multipart,
    storageUploadId: row.storage_upload_id,
    incomingKey: row.incoming_key,
    declared: { name: row.name, contentType: row.declared_type, kind: parseFileKind(row.declared_kind) },
    createdAt: row.created_at,
  };
  if (row.kind === null || row.content_type === null) {
    return { ...begun, state: 'open', arrivedBytes: row.stored_bytes } satisfies UploadingFile;
  }
  return {
    ...begun,
    state: 'ready',
    kind: row.kind,
    contentType: row.content_type,
    size: row.size,
    storedBytes: row.stored_bytes,
    width: row.width,
    height: row.height,
    thumbnails: row.thumbnails,
    thumbhash: row.thumbhash,
    moves: row.moves,
  } satisfies ReadyFile;
}
