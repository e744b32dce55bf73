/** A path of our own, safe to return to after signing in: never another origin, never an API. */
export function safeReturnPath(path: string): string {
  const ours = /^\/(?![/\\])/.test(path) && !/[\u0000-\u001f\\]/.test(path);
  return ours && !/^\/(api|ws|oidc|objects|s3)(\/|\?|#|$)/.test(path) ? path : '/';
}

/** The address of the provider sign-in, coming back to the given path. */
export function loginAddress(returnPath: string): string {
  const path = safeReturnPath(returnPath);
  return path === '/' ? '/api/login' : `/api/login?returnTo=${encodeURIComponent(path)}`;
}
