import type { RpcClient } from '@nolo/kit/rpc';
import type { FilesServiceDefinition } from '@nolo/proto/files';
import type { PostMediaSource } from '../domain/ports.ts';

type Files = Pick<RpcClient<typeof FilesServiceDefinition>, 'readObject' | 'signObject'>;

/** Timeout for reading a part of a file. */
const readingMs = 60_000;

/** Reads media from the files service as the post's author. Platforms that fetch media get it from the gateway. */
export function createPostMediaSource(files: Files, publicUrl: string): PostMediaSource {
  const read = async (actorId: string, objectId: string, start: number, end: number) => {
    const chunks: Uint8Array[] = [];
    let header: { contentType: string; size: number } | undefined;
    const request = { actorId, objectId, width: 0, range: { start, end: end - 1 } };
    for await (const { part } of files.readObject(request, { timeoutMs: readingMs })) {
      if (part?.$case === 'header') header = part.value;
      else if (part) chunks.push(part.value);
    }
    if (!header) throw new Error('The files service sent no header.');
    return { ...header, bytes: Buffer.concat(chunks) };
  };

  return {
    async open(userId, { fileId, altText }) {
      const { contentType, size } = await read(userId, fileId, 0, 1);
      return {
        kind: contentType.startsWith('video/') ? 'video' : 'image',
        mimeType: contentType,
        bytes: size,
        altText,
        read: async (start, end) => (await read(userId, fileId, start, end)).bytes,
        async address() {
          const { objectPath } = await files.signObject({ actorId: userId, objectId: fileId });
          return new URL(objectPath, publicUrl).href;
        },
      };
    },
  };
}
