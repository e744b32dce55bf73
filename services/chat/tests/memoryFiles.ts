import { randomUUID } from 'node:crypto';
import { createAppError } from '@nolo/kit/errors';
import { bindRpcService, type RpcHandlers } from '@nolo/kit/rpc';
import { SharedFileServiceDefinition, type SharedFile } from '@nolo/proto/sharedFiles';
import type { FileKind } from '@nolo/rules';

/** Fake of the files service: existing files and their owners. */
export function memoryFiles() {
  const files = new Map<string, SharedFile & { ownerId: string }>();

  const known: Pick<RpcHandlers<typeof SharedFileServiceDefinition>, 'checkAttachable'> = {
    async checkAttachable({ actorId, fileIds, receivedIds }) {
      return {
        files: fileIds.map((id) => {
          const file = files.get(id);
          if (!file || (file.ownerId !== actorId && !receivedIds.includes(id))) {
            throw createAppError('not_found', 'file_not_found', 'That file does not exist.');
          }
          return file;
        }),
      };
    },
  };
  const none = new Proxy(known, {
    get: (target, name) =>
      Reflect.get(target, name) ??
      (() => {
        throw new Error(`chat must not call ${String(name)} of the files service.`);
      }),
  }) as RpcHandlers<typeof SharedFileServiceDefinition>;

  return {
    service: bindRpcService(SharedFileServiceDefinition, none),
    files,
    /** Stores a new file of a person and returns its path. */
    store(ownerId: string, kind: FileKind = 'image', size = 12): string {
      const id = randomUUID();
      const rest = {
        name: 'a',
        contentType: '',
        width: 0,
        height: 0,
        thumbnailWidths: [],
        thumbhash: '',
        moves: false,
      };
      files.set(id, { id, ownerId, kind, size, ...rest });
      return `/objects/${id}`;
    },
  };
}

export const emptyAttachmentInput = { fileSize: 0 };
