import { confirmSendingLocation } from './confirmSendingLocation.ts';
import { removeMetadataInWorker } from './pictureWorkerClient.ts';

/**
 * Returns the file without its location. Returns null if it may still contain one and the user decides not to send it.
 */
export async function removeLocationForUpload(file: File): Promise<Blob | null> {
  const { file: bytes, canRevealLocation } = await removeMetadataInWorker(file);
  return (await confirmSendingLocation([{ name: file.name, bytes, canRevealLocation }])) ? bytes : null;
}
