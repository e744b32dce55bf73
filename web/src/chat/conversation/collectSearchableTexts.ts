import type { Message } from '@nolo/api';
import { stripMarkup } from '../words/text/toPlainExcerpt.ts';

/** Returns the searchable texts of a message: text, file name, and transcript. */
export function collectSearchableTexts({
  content,
  messageType,
  fileName,
  voiceMessageTranscription,
}: Message): string[] {
  // The file name of a voice note is never visible.
  const name = messageType === 'voice' ? null : fileName;
  return [stripMarkup(content), name, voiceMessageTranscription].flatMap((text) => text || []);
}
