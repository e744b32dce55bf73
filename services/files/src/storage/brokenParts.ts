import { request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  UploadPartCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const declaredBytes = 65_536;
const attemptMs = 10_000;
/** Delays between checks, because servers notice a disconnected sender only after a moment. */
const pollDelaysMs = [50, 100, 200, 400];

/** Sends half of the announced data, then disconnects. */
async function breakOff(url: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const open = url.startsWith('https:') ? requestSecurely : request;
    const sending = open(url, {
      method: 'PUT',
      headers: { 'content-length': declaredBytes },
      signal: AbortSignal.timeout(attemptMs),
    });
    // A disconnect is an error, and any other failure also leaves an incomplete part.
    sending.once('error', () => undefined);
    sending.once('close', resolve);
    sending.write(Buffer.alloc(declaredBytes / 2), () => {
      // The data is in the socket but not sent yet.
      setTimeout(() => sending.destroy(), 100);
    });
  });
}

/**
 * Returns true if a server treats a part as complete although its sender disconnected early. Such a part is listed with
 * its announced size, so a resumed upload would become a file with a hole. Some servers do that, and only a trial can
 * tell.
 */
export async function keepsBrokenParts(client: S3Client, bucket: string): Promise<boolean> {
  const place = { Bucket: bucket, Key: `uploads/${randomUUID()}` };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(place));
  const upload = { ...place, UploadId };
  try {
    await breakOff(await getSignedUrl(client, new UploadPartCommand({ ...upload, PartNumber: 1 }), { expiresIn: 60 }));
    for (const delayMs of pollDelaysMs) {
      await sleep(delayMs);
      const { Parts = [] } = await client.send(new ListPartsCommand(upload));
      if (Parts.length > 0) return true;
    }
    return false;
  } finally {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
  }
}
