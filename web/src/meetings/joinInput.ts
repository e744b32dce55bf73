import { looksLikeRoomCode, normalizeRoomCode } from '@nolo/rules';

export interface JoinInput {
  code: string;
  /** Token of a pasted invite link, which admits directly (decision 9). */
  inviteToken?: string;
}

/** Parses typed or pasted input: a code in upper case, or the code in a link to a meeting. */
export function readJoinInput(typed: string): JoinInput {
  const link = /\/meeting\/([0-9a-z]+)(?:[/?][^#]*)?(?:#(.*))?$/i.exec(typed.trim());
  const linked = normalizeRoomCode(link?.[1] ?? '');
  if (!looksLikeRoomCode(linked)) return { code: typed.trim().toUpperCase() };
  const inviteToken = new URLSearchParams(link?.[2] ?? '').get('invite');
  return { code: linked, ...(inviteToken && { inviteToken }) };
}

export type RoomCodeProblem = 'missing' | 'shape';

/** Codes have 6 characters. Sending others to the server would only use up attempts. */
export function findRoomCodeProblem(code: string): RoomCodeProblem | null {
  const normalized = normalizeRoomCode(code);
  if (normalized === '') return 'missing';
  return looksLikeRoomCode(normalized) ? null : 'shape';
}
