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
/** Servers notice that a sender has gone after a moment. */
const looks = [50, 100, 200, 400];

/** Sends half of what it announces, and hangs up. */
async function breakOff(url: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const open = url.startsWith('https:') ? requestSecurely : request;
    const sending = open(url, {
      method: 'PUT',
      headers: { 'content-length': declaredBytes },
      signal: AbortSignal.timeout(attemptMs),
    });
    // Hanging up is an error, and whatever else goes wrong leaves as little of a part.
    sending.once('error', () => undefined);
    sending.once('close', resolve);
    sending.write(Buffer.alloc(declaredBytes / 2), () => {
      // Given to the socket, not yet on its way.
      setTimeout(() => sending.destroy(), 100);
    });
  });
}

/**
 * Whether a server takes a part for whole whose sender hung up before its end. It must not: such a part is listed with the
 * size that was announced, so an upload that goes on with what has arrived would become a file with a hole. Some do all the
 * same, and the only way to know is to try.
 */
export async function keepsBrokenParts(client: S3Client, bucket: string): Promise<boolean> {
  const place = { Bucket: bucket, Key: `uploads/${randomUUID()}` };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(place));
  const upload = { ...place, UploadId };
  try {
    await breakOff(await getSignedUrl(client, new UploadPartCommand({ ...upload, PartNumber: 1 }), { expiresIn: 60 }));
    for (const look of looks) {
      await sleep(look);
      const { Parts = [] } = await client.send(new ListPartsCommand(upload));
      if (Parts.length > 0) return true;
    }
    return false;
  } finally {
    await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
  }
}
