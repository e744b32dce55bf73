import { looksLikeRoomCode, normalizeRoomCode } from '@nolo/rules';

/** Returns a group's path. The app uses the id, which survives code changes. Shared links use the code (decision 8). */
export const groupPath = (idOrCode: string): string => `/group-chat/${encodeURIComponent(idOrCode)}`;

/** Returns the link to share. */
export const groupUrl = (code: string): string => new URL(groupPath(code), location.origin).href;

/** Parts of an invite link beside the code, all in the fragment, which servers never see (decision 9). */
export interface GroupInvite {
  readonly token: string;
  /** Key that signs whoever enters an encrypted group by the link. */
  readonly entry?: { readonly groupId: string; readonly key: string };
}

/** Returns the invite of a link's fragment. */
export function readInvite(hash: string): GroupInvite | undefined {
  const values = new URLSearchParams(hash.replace(/^#/, ''));
  const [token, groupId, key] = ['invite', 'group', 'key'].map((name) => values.get(name));
  if (!token) return undefined;
  return groupId && key ? { token, entry: { groupId, key } } : { token };
}

/** Returns the link with the key that signs whoever enters by it. */
export const withEntryKey = (inviteUrl: string, groupId: string, key: string): string =>
  `${inviteUrl}&${new URLSearchParams({ group: groupId, key }).toString()}`;

export interface GroupCodeInput {
  code: string;
  /** Invite of a pasted link, which admits directly. */
  invite?: GroupInvite;
}

/** Parses typed or pasted input: a code (trimmed and in upper case), or the code in a link to a group. */
export function readGroupCodeInput(typed: string): GroupCodeInput {
  const link = /\/group-chat\/([0-9a-z]+)(?:[/?][^#]*)?(?:#(.*))?$/i.exec(typed.trim());
  const linked = normalizeRoomCode(link?.[1] ?? '');
  if (!looksLikeRoomCode(linked)) return { code: typed.trim().toUpperCase() };
  const invite = readInvite(link?.[2] ?? '');
  return { code: linked, ...(invite && { invite }) };
}

/** Returns the path of a group's admission page, with the pasted invite if any. */
export function groupJoinPath({ code, invite }: GroupCodeInput): string {
  if (!invite) return groupPath(code);
  const { token, entry } = invite;
  const values = { invite: token, ...(entry && { group: entry.groupId, key: entry.key }) };
  return `${groupPath(code)}#${new URLSearchParams(values).toString()}`;
}
