/** Timeout in milliseconds. A server that hangs counts as unavailable. */
const answerTimeoutMs = 15_000;

const requestSession = (): Promise<Response> =>
  fetch('/api/auth/user', { credentials: 'include', signal: AbortSignal.timeout(answerTimeoutMs) });

let early: Promise<Response> | undefined;

/**
 * Requests the signed-in user before the app itself. Browsers load few files at a time, so after the app's files the
 * response arrived half a second later, and everything waits for it.
 */
export function requestSessionEarly(): void {
  early = requestSession();
  // The caller that takes it handles the error.
  early.catch(() => {});
}

/** Returns the response for the signed-in user: the first caller gets the early request, and later ones a new one. */
export function takeSessionAnswer(): Promise<Response> {
  const answer = early ?? requestSession();
  early = undefined;
  return answer;
}
