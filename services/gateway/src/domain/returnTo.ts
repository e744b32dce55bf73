/**
 * Where a browser may be sent after signing in: a path of our own, never another origin.
 *
 * Browsers read `//host` and `/\host` as another origin and drop tabs and line breaks inside an address, so none of
 * these may pass; the address is then resolved once more the way a browser does, as a second opinion. Paths that answer
 * no page (the API and the like) lead nowhere a person wants to be.
 */
export function safeReturnTo(returnTo: string | undefined): string {
  if (returnTo === undefined || returnTo.length > 2_000) return '/';
  if (!/^\/(?![/\\])/.test(returnTo) || /[\u0000-\u0020\u007f\\]/.test(returnTo)) return '/';
  const base = 'https://return.invalid';
  if (!URL.canParse(returnTo, base)) return '/';
  const { origin, pathname, search, hash } = new URL(returnTo, base);
  if (origin !== base || pathname.startsWith('//') || /^\/(api|ws|objects|healthz)(\/|$)/i.test(pathname)) return '/';
  return pathname + search + hash;
}

/** The path with one more query parameter, for telling the page how a sign-in ended. */
export function withParameter(path: string, name: string, value: string): string {
  const url = new URL(path, 'https://return.invalid');
  url.searchParams.set(name, value);
  return url.pathname + url.search + url.hash;
}
