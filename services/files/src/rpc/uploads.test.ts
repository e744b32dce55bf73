import { newId, type FileId, type UserId } from '@nolo/kit/ids';
import type { RpcContext } from '@nolo/kit/rpc';
import { limits } from '@nolo/rules';
import type { UploadingFile } from '../domain/sharedFiles.ts';
import type { RpcDependencies } from './dependencies.ts';
import { finishUpload } from './uploads.ts';

const wholePart = limits.uploadPartBytesMax;
const wholeParts = Math.floor(limits.fileBytes / wholePart);

/** Simulates a multipart upload with parts of these sizes up to assembly. */
async function joined(sizes: readonly number[]): Promise<{ outcome: string; givenUp: boolean }> {
  const file: UploadingFile = {
    state: 'open',
    id: newId<FileId>(),
    ownerId: newId<UserId>(),
    multipart: true,
    storageUploadId: 'parts',
    incomingKey: null,
    declared: { name: 'film.mp4', contentType: 'video/mp4', kind: 'video' },
    createdAt: new Date(),
    arrivedBytes: 0,
  };
  const parts = sizes.map((size, index) => ({ number: index + 1, etag: `"${index}"`, size }));
  let givenUp = false;
  const dependencies = {
    shared: {
      find: async () => file,
      giveUp: async () => {
        givenUp = true;
      },
    },
    storage: {
      size: async () => undefined,
      listParts: async () => parts,
      completeParts: async () => Promise.reject(new Error('joined')),
    },
  } as unknown as RpcDependencies;
  const request = { actorId: file.ownerId, fileId: file.id, name: undefined, parts, thumbnails: [] };
  const context = { requestId: newId(), log: {} as RpcContext['log'], signal: new AbortController().signal };
  const outcome = await finishUpload(dependencies)(request, context).then(
    () => 'a file',
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
  return { outcome, givenUp };
}

const rest = limits.fileBytes - wholeParts * wholePart;

test('parts are joined up to exactly the maximum file size', async () => {
  const sizes = [...Array<number>(wholeParts).fill(wholePart), rest];
  expect(await joined(sizes)).toEqual({ outcome: 'joined', givenUp: false });
});

test('parts that exceed the maximum file size are not joined, and the upload ends', async () => {
  const sizes = [...Array<number>(wholeParts).fill(wholePart), rest + 1];
  expect(await joined(sizes)).toEqual({ outcome: 'file_too_large', givenUp: true });
});
