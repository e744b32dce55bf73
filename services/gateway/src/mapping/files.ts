import type { StoredFile } from '@nolo/api';
import type { SharedFile } from '@nolo/proto/sharedFiles';
import { fileKinds } from '@nolo/rules';

export const toObjectPath = (fileId: string) => `/objects/${fileId}`;

export function toFile(row: SharedFile): StoredFile {
  const url = toObjectPath(row.id);
  return {
    id: row.id,
    url,
    name: row.name,
    size: row.size,
    contentType: row.contentType,
    kind: fileKinds.find((kind) => kind === row.kind) ?? 'file',
    width: row.width ?? null,
    height: row.height ?? null,
    thumbnails: row.thumbnailWidths.map((width) => ({ width, url: `${url}?size=${width}` })),
    thumbhash: row.thumbhash ?? null,
    moves: row.moves,
  };
}
