/**
 * Returns a safe path to redirect to after sign-in: one of our own, never another origin.
 *
 * Browsers read `//host` and `/\host` as another origin and drop tabs and line breaks inside a URL, so none of these
 * may pass. The URL is then resolved as a browser does, as a second check. Paths that return no page (the API and the
 * like) are useless for a person.
 */
export function sanitizeReturnTo(returnTo: string | undefined): string {
  if (returnTo === undefined || returnTo.length > 2_000) return '/';
  if (!/^\/(?![/\\])/.test(returnTo) || /[\u0000-\u0020\u007f\\]/.test(returnTo)) return '/';
  const base = 'https://return.invalid';
  if (!URL.canParse(returnTo, base)) return '/';
  const { origin, pathname, search, hash } = new URL(returnTo, base);
  if (origin !== base || pathname.startsWith('//') || /^\/(api|ws|objects|healthz)(\/|$)/i.test(pathname)) return '/';
  return pathname + search + hash;
}

/** Adds a query parameter to the path, for the result of a sign-in. */
export function withParameter(path: string, name: string, value: string): string {
  const url = new URL(path, 'https://return.invalid');
  url.searchParams.set(name, value);
  return url.pathname + url.search + url.hash;
}
