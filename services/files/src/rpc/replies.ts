import type * as proto from '@nolo/proto/sharedFiles';
import type { ReadyFile } from '../domain/sharedFiles.ts';

export function toFileReply(file: ReadyFile): proto.SharedFile {
  return {
    id: file.id,
    name: file.declared.name,
    size: file.size,
    contentType: file.contentType,
    kind: file.kind,
    width: file.width ?? undefined,
    height: file.height ?? undefined,
    thumbnailWidths: [...file.thumbnails],
    thumbhash: file.thumbhash ?? undefined,
    moves: file.moves,
  };
}
