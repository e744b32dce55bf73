/** Returns the path of a meeting in this app. The token stays in the fragment, which no server sees. */
export function meetingPath(code: string, inviteToken?: string): string {
  const fragment = inviteToken === undefined ? '' : `#${new URLSearchParams({ invite: inviteToken }).toString()}`;
  return `/meeting/${encodeURIComponent(code)}${fragment}`;
}

export function meetingUrl(code: string): string {
  return new URL(meetingPath(code), location.origin).href;
}
