import type { Language } from './i18n/language.ts';
import { loginAddress } from './session/returnPath.ts';
import { isKnownPath, legalPageOf, meetingIdOf, demoSecondPersonPath } from './shell/knownPaths.ts';

/** Shows the landing page to signed-out users at `/`; the app handles every other address. */
export function decideView(pageLoad: {
  path: string;
  search: string;
  hasSession: boolean;
  language: Language;
}): 'landing' | 'app' {
  // The prerendered page is in English; the app shows it in other languages.
  const translated = pageLoad.language !== 'en';
  // The prerendered page cannot explain a failed sign-in.
  const failed = new URLSearchParams(pageLoad.search).has('sign_in_error');
  return pageLoad.hasSession || pageLoad.path !== '/' || translated || failed ? 'app' : 'landing';
}

/** Returns the frame of a first screen that the document shows until the app has loaded, if the address has one. */
export function decideBootSkeleton({
  path,
  hasSession,
  phone,
}: {
  path: string;
  hasSession: boolean;
  /** True if a user signed in by phone on this device before. */
  phone: boolean;
}): 'frame' | 'conversation' | 'phone' | undefined {
  if (hasSession) return path === '/' ? 'frame' : /^\/chat\/[^/]+$/.test(path) ? 'conversation' : undefined;
  const form = phone && path !== '/' && path !== demoSecondPersonPath && isKnownPath(path);
  return form && meetingIdOf(path) === undefined && legalPageOf(path) === undefined ? 'phone' : undefined;
}

/** Returns the conversation id in an address, if the address has that form. */
export function conversationIdOf(path: string): string | undefined {
  return /^\/chat\/([\da-f-]{36})$/.exec(path)?.[1];
}

/** Activates the two sign-in links of the prerendered page, which also work without this script. */
export function attachLandingHandlers(page: ParentNode, returnPath: string, openPhone: () => void): void {
  for (const link of page.querySelectorAll<HTMLAnchorElement>('a[data-login]')) {
    link.setAttribute('href', loginAddress(returnPath));
  }
  for (const button of page.querySelectorAll<HTMLButtonElement>('button[data-open-phone]')) {
    button.addEventListener('click', openPhone);
  }
}
