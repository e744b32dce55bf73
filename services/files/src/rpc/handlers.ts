import type { RpcHandlers } from '@nolo/kit/rpc';
import type { ExportServiceService } from '@nolo/proto/exports';
import type { SharedFileServiceService } from '@nolo/proto/sharedFiles';
import type { RpcDependencies } from './dependencies.ts';
import { cancelExport, getExport, readExport, startExport, type ExportDependencies } from './exports.ts';
import { checkAttachable, getFile, getUsage } from './sharedFiles.ts';
import {
  abortUpload,
  beginUpload,
  finishUpload,
  getTemporaryCredentials,
  listParts,
  signPart,
  storeFile,
  writeBytes,
} from './uploads.ts';

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

export function exportHandlers(dependencies: ExportDependencies): RpcHandlers<typeof ExportServiceService> {
  return {
    startExport: startExport(dependencies),
    getExport: getExport(dependencies),
    cancelExport: cancelExport(dependencies),
    readExport: readExport(dependencies),
  };
}
