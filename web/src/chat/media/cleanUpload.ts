import { confirmPlace } from './placeQuestion.ts';
import { cleanAway } from './pictureMaker.ts';

/** The file without where it was made; null where it may still say that, and the person does not want it to go. */
export async function cleanUpload(file: File): Promise<Blob | null> {
  const { file: bytes, mayTellPlace } = await cleanAway(file);
  return (await confirmPlace([{ name: file.name, bytes, mayTellPlace }])) ? bytes : null;
}
