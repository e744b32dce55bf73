import { browserTimers } from '../api/timers.ts';
import { sendFailureOf } from '../chat/storage/chatApi.ts';
import { importLink } from '../api/linkImport.ts';
import { createUploadTransport } from '../api/uploadTransport.ts';
import { runExclusively } from '../device/runExclusively.ts';
import type { ChatDevice, UploadEvents, Uploads } from '../chat/engine/ports.ts';
import { createUploads } from '../chat/engine/uploads/uploads.ts';

/** Creates the queue that uploads the files of an account's messages. */
export function openUploads(device: ChatDevice, events: UploadEvents): Uploads {
  return createUploads({
    transport: { ...createUploadTransport(), importLink },
    inspectFile: async (file) => (await import('../chat/media/inspectStoredFile.ts')).inspectStoredFile(file),
    device,
    timers: browserTimers,
    failureOf: sendFailureOf,
    exclusively: runExclusively,
    events,
  });
}
