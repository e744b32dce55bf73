import { looksLikeRoomCode, normalizeRoomCode } from '@nolo/rules';

/** Returns a group's path. The app uses the id, which survives code changes. Shared links use the code (decision 8). */
export const groupPath = (idOrCode: string): string => `/group-chat/${encodeURIComponent(idOrCode)}`;

/** Returns the link to share. */
export const groupUrl = (code: string): string => new URL(groupPath(code), location.origin).href;

/** Returns an invite link's token from the fragment, which servers never see (decision 9). */
export function readInviteToken(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('invite') ?? undefined;
}

export interface GroupCodeInput {
  code: string;
  /** Token of a pasted invite link, which admits directly. */
  inviteToken?: string;
}

/** Parses typed or pasted input: a code (trimmed and in upper case), or the code in a link to a group. */
export function readGroupCodeInput(typed: string): GroupCodeInput {
  const link = /\/group-chat\/([0-9a-z]+)(?:[/?][^#]*)?(?:#(.*))?$/i.exec(typed.trim());
  const linked = normalizeRoomCode(link?.[1] ?? '');
  if (!looksLikeRoomCode(linked)) return { code: typed.trim().toUpperCase() };
  const inviteToken = readInviteToken(link?.[2] ?? '');
  return { code: linked, ...(inviteToken !== undefined && { inviteToken }) };
}

/** Returns the path of a group's admission page, with the pasted token if any. */
export function groupJoinPath({ code, inviteToken }: GroupCodeInput): string {
  const fragment = inviteToken === undefined ? '' : `#${new URLSearchParams({ invite: inviteToken }).toString()}`;
  return groupPath(code) + fragment;
}
