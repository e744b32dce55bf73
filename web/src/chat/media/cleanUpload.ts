import { confirmPlace } from './placeQuestion.ts';
import { cleanAway } from './pictureMaker.ts';

/**
 * Returns the file without its location. Returns null if it may still contain one and the user decides not to send it.
 */
export async function cleanUpload(file: File): Promise<Blob | null> {
  const { file: bytes, mayTellPlace } = await cleanAway(file);
  return (await confirmPlace([{ name: file.name, bytes, mayTellPlace }])) ? bytes : null;
}
