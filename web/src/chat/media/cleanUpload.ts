import { confirmLocation } from './placeQuestion.ts';
import { cleanInWorker } from './pictureMaker.ts';

/**
 * Returns the file without its location. Returns null if it may still contain one and the user decides not to send it.
 */
export async function cleanUpload(file: File): Promise<Blob | null> {
  const { file: bytes, canRevealLocation } = await cleanInWorker(file);
  return (await confirmLocation([{ name: file.name, bytes, canRevealLocation }])) ? bytes : null;
}
