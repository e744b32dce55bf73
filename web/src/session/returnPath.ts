/** Returns a path of the app that is safe to return to after signing in: never another origin, never an API. */
export function safeReturnPath(path: string): string {
  const ours = /^\/(?![/\\])/.test(path) && !/[\u0000-\u001f\\]/.test(path);
  return ours && !/^\/(api|ws|oidc|objects|s3)(\/|\?|#|$)/.test(path) ? path : '/';
}

/** Returns the URL of the provider's sign-in, with the return path. */
export function loginAddress(returnPath: string): string {
  const path = safeReturnPath(returnPath);
  return path === '/' ? '/api/login' : `/api/login?returnTo=${encodeURIComponent(path)}`;
}
