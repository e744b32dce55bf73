import type { Message } from '@nolo/api';
import { withoutMarks } from '../words/text/plainExcerpt.ts';

/** Returns the searchable texts of a message: text, file name, and transcript. */
export function searchedTexts({ content, messageType, fileName, voiceMessageTranscription }: Message): string[] {
  // The file name of a voice note is never visible.
  const name = messageType === 'voice' ? null : fileName;
  return [withoutMarks(content), name, voiceMessageTranscription].flatMap((text) => text || []);
}
