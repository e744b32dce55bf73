import { looksLikeRoomCode, normalizeRoomCode } from '@nolo/rules';

export interface JoinInput {
  code: string;
  /** Of a pasted invite link; it lets in directly (decision 9). */
  inviteToken?: string;
}

/** What was typed or pasted: a code in upper case, or the one in a link to a meeting. */
export function readJoinInput(typed: string): JoinInput {
  const link = /\/meeting\/([0-9a-z]+)(?:[/?][^#]*)?(?:#(.*))?$/i.exec(typed.trim());
  const linked = normalizeRoomCode(link?.[1] ?? '');
  if (!looksLikeRoomCode(linked)) return { code: typed.trim().toUpperCase() };
  const inviteToken = new URLSearchParams(link?.[2] ?? '').get('invite');
  return { code: linked, ...(inviteToken && { inviteToken }) };
}

export type CodeProblem = 'missing' | 'shape';

/** Codes have 6 characters; asking the server about others would only use up one's tries. */
export function codeProblem(code: string): CodeProblem | null {
  const normalized = normalizeRoomCode(code);
  if (normalized === '') return 'missing';
  return looksLikeRoomCode(normalized) ? null : 'shape';
}
