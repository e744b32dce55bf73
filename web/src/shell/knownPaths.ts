export type LegalPageName = 'privacy' | 'terms';

/** The notice that an address shows, to the signed in and the signed out alike. */
export function legalPageOf(pathname: string): LegalPageName | undefined {
  const name = /^\/(privacy|terms)\/?$/.exec(pathname)?.[1];
  return name as LegalPageName | undefined;
}

/** The room code or call id in the address of a meeting. */
export function meetingIdOf(pathname: string): string | undefined {
  return /^\/meeting\/([^/]+)\/?$/.exec(pathname)?.[1];
}

/** Where the second person of a demo arrives (account/secondPerson). */
export const secondPersonPath = '/second-person';

/** Whether an address belongs to a screen; the signed out see 404 only where the signed in would. */
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
 * Where a link of the app's own scheme leads: `web+nolo:` and the address of a screen. Whoever made it, it opens a place and
 * does nothing there; what is none leads to the start.
 */
export function pathOfLink(link: string): string {
  const path = /^web\+nolo:\/{0,2}([\w/-]+)$/.exec(link)?.[1];
  const address = `/${path ?? ''}`;
  return path !== undefined && !path.startsWith('/') && isKnownPath(address) && !/^\/open\b/.test(address)
    ? address
    : '/';
}
