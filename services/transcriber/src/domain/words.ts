import { cutText, limits } from '@nolo/rules';

/** Maximum characters that fit into a message in any script. */
const maxTranscriptLength = Math.floor(limits.messageContentBytes / 4);

/** Prepares text for a message: removes control characters and line breaks, and limits its length. */
export function normalizeTranscript(text: string): string {
  const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ').trim();
  return cutText(plain, maxTranscriptLength).trimEnd();
}
