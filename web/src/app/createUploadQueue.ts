import { browserTimers } from '../api/timers.ts';
import { toSendFailure } from '../chat/storage/chatApi.ts';
import { importFileFromLink } from '../api/linkImport.ts';
import { createUploadTransport } from '../api/uploadTransport.ts';
import { runExclusively } from '../device/runExclusively.ts';
import type { ChatDeviceStorage, UploadEvents, MessageFileUploader } from '@nolo/client/chat/ports';
import { createMessageFileUploader } from '@nolo/client/uploads/uploads';

/** Creates the queue that uploads the files of an account's messages. */
export function createUploadQueue(device: ChatDeviceStorage | undefined, events: UploadEvents): MessageFileUploader {
  return createMessageFileUploader({
    transport: { ...createUploadTransport(), importLink: importFileFromLink },
    inspectFile: async (file) => (await import('../chat/media/inspectStoredFile.ts')).inspectStoredFile(file),
    device,
    timers: browserTimers,
    failureOf: toSendFailure,
    exclusively: runExclusively,
    events,
  });
}
