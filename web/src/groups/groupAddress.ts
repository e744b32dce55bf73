import { looksLikeRoomCode, normalizeRoomCode } from '@nolo/rules';

/** Inside the app by the id, which no change of the code breaks; to others by the code (decision 8). */
export function groupPath(idOrCode: string): string {
  return `/group-chat/${encodeURIComponent(idOrCode)}`;
}

/** The link to give away. */
export function groupUrl(code: string): string {
  return new URL(groupPath(code), location.origin).href;
}

/** The token of an invite link, from the fragment, which no server has seen (decision 9). */
export function inviteTokenOf(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get('invite') ?? undefined;
}

export interface GroupInput {
  code: string;
  /** Of a pasted invite link; it lets in directly. */
  inviteToken?: string;
}

/** What was typed or pasted: a code, trimmed and in upper case, or the one in a link to a group. */
export function readGroupInput(typed: string): GroupInput {
  const link = /\/group-chat\/([0-9a-z]+)(?:[/?][^#]*)?(?:#(.*))?$/i.exec(typed.trim());
  const linked = normalizeRoomCode(link?.[1] ?? '');
  if (!looksLikeRoomCode(linked)) return { code: typed.trim().toUpperCase() };
  const inviteToken = inviteTokenOf(link?.[2] ?? '');
  return { code: linked, ...(inviteToken !== undefined && { inviteToken }) };
}

/** The way to a group's door, with the token where one was pasted. */
export function doorPath({ code, inviteToken }: GroupInput): string {
  const fragment = inviteToken === undefined ? '' : `#${new URLSearchParams({ invite: inviteToken }).toString()}`;
  return groupPath(code) + fragment;
}
