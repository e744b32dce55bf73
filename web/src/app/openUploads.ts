import { browserTimers } from '../api/timers.ts';
import { sendFailureOf } from '../api/chatApi.ts';
import { importLink } from '../api/linkImport.ts';
import { createUploadTransport } from '../api/uploadTransport.ts';
import { exclusively } from '../device/exclusively.ts';
import type { ChatDevice, UploadEvents, Uploads } from '../state/ports.ts';
import { createUploads } from '../state/uploads/uploads.ts';

/** The queue that brings the files of one account's messages to the server. */
export function openUploads(device: ChatDevice, events: UploadEvents): Uploads {
  return createUploads({
    transport: { ...createUploadTransport(), importLink },
    lookAt: async (file) => (await import('../features/media/lookAtStored.ts')).lookAtStored(file),
    device,
    timers: browserTimers,
    failureOf: sendFailureOf,
    exclusively,
    events,
  });
}
