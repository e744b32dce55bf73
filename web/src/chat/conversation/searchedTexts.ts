import type { Message } from '@nolo/api';
import { withoutMarks } from '../words/text/plainExcerpt.ts';

/** The texts of a message that people read and search: its words, its file name, and what is said in it. */
export function searchedTexts({ content, messageType, fileName, voiceMessageTranscription }: Message): string[] {
  // Nobody ever sees the file name of a voice note.
  const name = messageType === 'voice' ? null : fileName;
  return [withoutMarks(content), name, voiceMessageTranscription].flatMap((text) => text || []);
}
