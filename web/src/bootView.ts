import type { Language } from './i18n/language.ts';
import { loginAddress } from './session/returnPath.ts';
import { isKnownPath, legalPageOf, meetingIdOf, secondPersonPath } from './shell/knownPaths.ts';

/** The landing page is for the signed out at `/`; every other address is the app's to answer. */
export function decideView(visit: {
  path: string;
  search: string;
  marked: boolean;
  language: Language;
}): 'landing' | 'app' {
  // The prerendered page is English; in other languages the app shows it.
  const translated = visit.language !== 'en';
  // The prerendered page cannot say why a sign-in came to nothing.
  const failed = new URLSearchParams(visit.search).has('sign_in_error');
  return visit.marked || visit.path !== '/' || translated || failed ? 'app' : 'landing';
}

/** Which frame of a first screen the document shows until the app is here, if there is one for the address. */
export function decideFrame({
  path,
  marked,
  phone,
}: {
  path: string;
  marked: boolean;
  /** Somebody signed in by phone on this device before. */
  phone: boolean;
}): 'frame' | 'conversation' | 'phone' | undefined {
  if (marked) return path === '/' ? 'frame' : /^\/chat\/[^/]+$/.test(path) ? 'conversation' : undefined;
  const form = phone && path !== '/' && path !== secondPersonPath && isKnownPath(path);
  return form && meetingIdOf(path) === undefined && legalPageOf(path) === undefined ? 'phone' : undefined;
}

/** The conversation that an address names, where it is by a conversation's id or another. */
export function conversationIdOf(path: string): string | undefined {
  return /^\/chat\/([\da-f-]{36})$/.exec(path)?.[1];
}

/** Gives the prerendered page its two ways in. Without this script its links still work. */
export function wireLanding(page: ParentNode, returnPath: string, openPhone: () => void): void {
  for (const link of page.querySelectorAll<HTMLAnchorElement>('a[data-login]')) {
    link.setAttribute('href', loginAddress(returnPath));
  }
  for (const button of page.querySelectorAll<HTMLButtonElement>('button[data-open-phone]')) {
    button.addEventListener('click', openPhone);
  }
}
