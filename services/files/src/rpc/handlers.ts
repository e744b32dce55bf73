import type { RpcHandlers } from '@nolo/kit/rpc';
import type { ExportServiceDefinition } from '@nolo/proto/exports';
import type { SharedFileServiceDefinition } from '@nolo/proto/sharedFiles';
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

export function createSharedFileHandlers(
  dependencies: RpcDependencies,
): RpcHandlers<typeof SharedFileServiceDefinition> {
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

export function createExportHandlers(dependencies: ExportDependencies): RpcHandlers<typeof ExportServiceDefinition> {
  return {
    startExport: startExport(dependencies),
    getExport: getExport(dependencies),
    cancelExport: cancelExport(dependencies),
    readExport: readExport(dependencies),
  };
}
