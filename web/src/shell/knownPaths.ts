export type LegalPageName = 'privacy' | 'terms';

/** Returns the legal notice at a path. It is shown to signed-in and signed-out people. */
export function legalPageOf(pathname: string): LegalPageName | undefined {
  const name = /^\/(privacy|terms)\/?$/.exec(pathname)?.[1];
  return name as LegalPageName | undefined;
}

/** Returns the room code or call id in a meeting's path. */
export function meetingIdOf(pathname: string): string | undefined {
  return /^\/meeting\/([^/]+)\/?$/.exec(pathname)?.[1];
}

/** Path for the second person of a demo (account/secondPerson). */
export const demoSecondPersonPath = '/second-person';

/** Returns true if a path belongs to a screen. Signed-out people see 404 only where signed-in people would. */
export function isKnownPath(pathname: string): boolean {
  return (
    pathname === '/' ||
    /^\/(contacts|meetings|status|schedule|profile|calls|starred|search|received|open|payment\/(success|cancel)|team|admin(?:\/(?:audit|billing|state|invitations|jobs|rooms|announcements|links|reports|settings))?)\/?$/.test(
      pathname,
    ) ||
    /^\/((?:(?:starred|search)\/)?(?:chat|group-chat)|calls|contacts|meetings|settings)\/[^/]+\/?$/.test(pathname) ||
    meetingIdOf(pathname) !== undefined ||
    legalPageOf(pathname) !== undefined
  );
}

/**
 * Returns the path of a link with the app's own scheme: `web+nolo:` and the path of a screen. Such a link, from any
 * source, only opens a screen and triggers no action. An invalid one leads to the start.
 */
export function toAppPath(link: string): string {
  const path = /^web\+nolo:\/{0,2}([\w/-]+)$/.exec(link)?.[1];
  const address = `/${path ?? ''}`;
  return path !== undefined && !path.startsWith('/') && isKnownPath(address) && !/^\/open\b/.test(address)
    ? address
    : '/';
}
