import type { RpcHandlers } from '@nolo/kit/rpc';
import type { SharedFileServiceService } from '@nolo/proto/sharedFiles';
import type { RpcDependencies } from '../dependencies.ts';
import { abortUpload } from './abortUpload.ts';
import { beginUpload } from './beginUpload.ts';
import { checkAttachable } from './checkAttachable.ts';
import { finishUpload } from './finishUpload.ts';
import { getFile } from './getFile.ts';
import { getTemporaryCredentials } from './getTemporaryCredentials.ts';
import { getUsage } from './getUsage.ts';
import { listParts } from './listParts.ts';
import { signPart } from './signPart.ts';
import { storeFile } from './storeFile.ts';
import { writeBytes } from './writeBytes.ts';

export function sharedFileHandlers(dependencies: RpcDependencies): RpcHandlers<typeof SharedFileServiceService> {
  return {
    beginUpload: beginUpload(dependencies),
    signPart: signPart(dependencies),
    writeBytes: writeBytes(dependencies),
    listParts: listParts(dependencies),
    finishUpload: finishUpload(dependencies),
    abortUpload: abortUpload(dependencies),
    storeFile: storeFile(dependencies),
    getFile: getFile(dependencies),
    checkAttachable: checkAttachable(dependencies),
    getTemporaryCredentials: getTemporaryCredentials(dependencies),
    getUsage: getUsage(dependencies),
  };
}
