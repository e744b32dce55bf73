import type { File } from '@nolo/api';
import type { SharedFile } from '@nolo/proto/sharedFiles';
import { fileKinds } from '@nolo/rules';

export const objectPath = (fileId: string) => `/objects/${fileId}`;

export function toFile(row: SharedFile): File {
  const url = objectPath(row.id);
  return {
    id: row.id,
    url,
    name: row.name,
    size: row.size,
    contentType: row.contentType,
    kind: fileKinds.find((kind) => kind === row.kind) ?? 'file',
    width: row.width === 0 ? null : row.width,
    height: row.height === 0 ? null : row.height,
    thumbnails: row.thumbnailWidths.map((width) => ({ width, url: `${url}?size=${width}` })),
    thumbhash: row.thumbhash === '' ? null : row.thumbhash,
    moves: row.moves,
  };
}
